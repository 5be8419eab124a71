/** The transport of an agent on another host: the user's own `ssh`, whose questions the user answers in VS Code. Loaded with the first such agent. */
import { ndjson } from '../../acp/transport/ndjson';
import { withMappedPaths } from '../../acp/transport/remote/mappedPaths';
import { type AgentSpawnDependencies, spawnAgent } from '../../agent/spawn';
import { type AskSsh, startAskpass } from '../../agent/ssh/askpassServer';
import { sshArguments, sshPreamble, sshTerminalArguments } from '../../agent/ssh/sshCommand';
import type { AgentIdentity } from '../../core/agents/agentIds';
import type { ProcessEndpoint, SshEndpoint } from '../../core/agents/endpoint';
import type { ByteTransport, MessageTransport } from '../../core/model/transport';

export interface SshDependencies {
  /** The helper program of `ssh`, a script for Node.js. */
  readonly askpass: string;
  /** Asks the user about the start of an agent on a host. */
  readonly ask: (agentName: string, host: string) => AskSsh;
}

/** @param cwd the session's folder @param ssh absent where no user can be asked; `ssh` then asks nothing */
export function sshTransport(
  { agentId, agentName }: AgentIdentity,
  endpoint: SshEndpoint,
  cwd: string,
  ssh: SshDependencies | undefined,
  deps: Omit<AgentSpawnDependencies, 'wrap' | 'services'>,
  maxLineBytes: number | undefined,
): MessageTransport {
  const mapping = Object.entries(endpoint.pathMapping ?? {});
  const folder = endpoint.cwd ?? cwd;
  const launch = { agentId, agentName, command: 'ssh', args: [...sshArguments(endpoint, mapped(folder, mapping))], env: {}, cwd };
  const agent = spawnAgent(launch, {
    ...deps,
    wrap: async (prepared) => {
      const askpass = ssh && (await startAskpass(ssh.askpass, ssh.ask(agentName, endpoint.host)));
      const program = {
        ...prepared,
        environment: { ...prepared.environment, ...(askpass?.environment ?? { SSH_ASKPASS_REQUIRE: 'never' }) },
      };
      return { program, dispose: () => askpass?.dispose() };
    },
  });
  agent.transport.write(sshPreamble(endpoint.env));
  const messages = ndjson(agent.transport satisfies ByteTransport, maxLineBytes);
  // The agent works in the folder on its host, which messages name as the session's.
  const outgoing = endpoint.cwd === undefined ? [] : [[cwd, endpoint.cwd] as const];
  return mapping.length === 0 && outgoing.length === 0 ? messages : withMappedPaths(messages, mapping, outgoing);
}

/**
 * The program with which the user signs in on the host, in a terminal of this machine. `ssh` asks its own questions there.
 *
 * @param cwd the session's folder @param args of the sign-in method @param env variables that everybody may read
 */
export function sshTerminal(
  endpoint: SshEndpoint,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Pick<ProcessEndpoint, 'command' | 'args' | 'env'> {
  const folder = mapped(endpoint.cwd ?? cwd, Object.entries(endpoint.pathMapping ?? {}));
  return { command: 'ssh', args: sshTerminalArguments({ ...endpoint, args: [...endpoint.args, ...args] }, folder, env), env: {} };
}

/** The folder on the host. A folder without a mapping has the same path there. */
function mapped(folder: string, mapping: readonly (readonly [string, string])[]): string {
  const found = mapping
    .filter(([local]) => folder === local || folder.startsWith(`${local.replace(/[\\/]+$/, '')}/`))
    .sort(([a], [b]) => b.length - a.length)[0];
  return found ? found[1] + folder.slice(found[0].length) : folder;
}

/** Turns a launch into a live connection: combines transport, framing and protocol into one object to start and end. */
import { connect, type McpChannel } from '../../acp/connect';
import { headerSecrets, LaunchSecrets, serverSecrets } from '../../acp/redaction/launchSecrets';
import { redactedLog } from '../../acp/redaction/redactedLog';
import { traceContext } from '../../acp/jsonrpc/traceContext';
import type { Traces } from '../../acp/trace/traces';
import { lateTransport } from '../../acp/transport/lateTransport';
import { openTransport } from '../../acp/transport/openTransport';
import type { ProtocolVersion, Versions } from '../../acp/protocolVersion';
import { V1 } from '../../acp/v1/v1';
import { sharesFiles } from '../../agent/remoteEntry';
import { plainLines, startFailure, withCommandLine } from '../../agent/startFailure';
import type { StartServices } from '../../agent/startServices';
import { initializeTimeoutOf, requestTimeoutOf } from '../../agent/timeouts';
import { isElsewhere, isRemote } from '../../core/agents/endpoint';
import type { AdoptedAgent } from '../../core/keeper/keptAgent';
import type { Failure } from '../../core/model/failure';
import type { ProviderChoice } from '../../core/account/provider';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { TITLE, windowTitle } from '../../core/share/share';
import type { MessageTransport } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { applyProviders } from '../../session/agent/applyProviders';
import type { Connect } from '../../session/agent/agentConnection';
import { proxySecrets } from '../../application/registry/proxyVariables';
import type { Environment } from '../../util/environment';
import type { StartFollower } from '../../application/agents/startFollower';
import type { LaunchFolders } from './launchFolders';
import type { SshDependencies } from '../../application/agents/sshTransport';
import { transportsFor, type WrapAgent } from './transports';
import type { KeepingOptions } from '../../agent/keeper/startKeeper';

export interface ConnectorDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** The environment of the extension host. The agent gets a cleaned copy. */
  readonly environment: Environment;
  readonly launchFolders: LaunchFolders;
  /** The one agent that runs on VS Code's own Node. */
  readonly demo: ProcessLaunch;
  /** Wraps the process of a launch with a sandbox. */
  readonly sandbox?: WrapAgent;
  /** The agents' own Node.js and the environment of projects. */
  readonly services?: () => Promise<StartServices>;
  /** The version of this extension, for `clientInfo`. */
  readonly version: string;
  /** Records the frames of each agent. */
  readonly traces: Pick<Traces, 'add'>;
  /** The values that the user typed for this agent when signing in. They are added to its environment. */
  readonly valuesOf?: (launch: AgentLaunch) => Readonly<Record<string, string>>;
  /** The endpoints that the user has set for the models of this agent. Their keys must not be written to logs or files. */
  readonly endpointsOf?: (launch: AgentLaunch) => readonly ProviderChoice[];
  /** Called with the values that an agent gets and that must not be written to logs or files, before it gets them. */
  readonly keepSecret?: (agentId: string, values: readonly string[]) => void;
  /** The maximum length of a line in bytes, read at each start. See `acpHost.maxMessageSize`. */
  readonly maxLineBytes?: () => number;
  /** True when requests have a trace context, read for each. See `acpHost.traceContext`. */
  readonly isTraced?: () => boolean;
  /** The editor's MCP server over the agent's connection. */
  readonly mcp?: (agentId: string) => McpChannel;
  /** Returns the variables for VS Code's proxy and certificates, read at each start. The launch's own replace them. */
  readonly network?: () => Readonly<Record<string, string>>;
  /** Called with each start. Absent: no start is followed. */
  readonly follow?: (launch: AgentLaunch) => StartFollower | undefined;
  /** Read at each start. See `acpHost.adapterExtensions`. */
  readonly adapterExtensions?: () => boolean;
  /** Runs agents on other hosts: the helper program of `ssh`, and the questions to the user. Absent: there is no user. */
  readonly ssh?: SshDependencies;
  /** How the keeper holds this agent; undefined for one that ends with its window. Read at each start. */
  readonly keeping?: (launch: ProcessLaunch) => KeepingOptions | undefined;
  /** True when VS Code or the environment may put a proxy between this machine and the address. */
  readonly usesProxy?: (url: string) => boolean;
}

const CHAIN_TIMEOUT_MS = 24 * 60 * 60_000;
/** The minimum time in ms between two reported lines of stderr. The last line is always reported. */
const PROGRESS_MS = 250;
/** The lines of a program that is probably no agent, and the UTF-16 units of each, in the starting card. */
const PRINTED_LINES = 8;
const PRINTED_LINE = 200;

/**
 * Returns the versions to propose to an agent. `auto` is version 1: what version 2 takes away is stated in docs/decisions/wire/version-2.md.
 *
 * @param newer version 2, when the launch wants it
 */
function versionsFor({ protocol }: AgentLaunch, newer: ProtocolVersion | undefined): Versions {
  return protocol === 2 && newer ? [newer, V1] : [V1];
}

/**
 * Returns a function that starts agents. Nothing runs before the first session. Its parameters are the agent of an earlier window, which is not
 * started, and version 2, when a launch wants it.
 */
export function connector({
  clock,
  log: openLog,
  environment,
  launchFolders,
  demo,
  sandbox,
  services,
  version,
  traces,
  valuesOf,
  endpointsOf,
  keepSecret,
  maxLineBytes,
  isTraced,
  adapterExtensions,
  network,
  follow,
  usesProxy,
  ssh,
  mcp,
  keeping,
}: ConnectorDependencies): (launch: AgentLaunch, cwd: string, adopted?: AdoptedAgent, newer?: ProtocolVersion) => Connect {
  let started = 0;
  return (launch, cwd, adopted, newer) => (events) => {
    started++;
    const { agentId, agentName } = launch;
    const values = valuesOf?.(launch) ?? {};
    // The agent's output may quote its environment, and is written to logs, failures and journals.
    const secrets = new LaunchSecrets(launch, values);
    const endpoints = endpointsOf?.(launch) ?? [];
    const variables = network?.() ?? {};
    secrets.add(proxySecrets(variables));
    secrets.add(endpoints.flatMap((choice) => ('isOff' in choice ? [] : headerSecrets(choice.headers))));
    // The agent also has the values of servers and of a sign-in that only the earlier window has read.
    secrets.add(adopted?.secrets ?? []);
    const { commandLine, address } = secrets.description;
    const log = redactedLog(openLog, secrets.values);
    keepSecret?.(agentId, secrets.values());
    const { proxies } = launch;
    // The programs for the protocol log, the agent last.
    const hops = proxies && [...proxies.map(({ name }) => name), agentName];
    const traced = traces.add({ ...secrets.description, agentId, agentName, cwd, secrets: secrets.values, ...(hops && { hops }) });
    const { trace, ended: endTrace } = traced;
    const follower = follow?.(launch);
    let ready = false;
    let ended = false;
    let line: string | undefined;
    let telling: Disposable | undefined;
    let recognizer: typeof import('../../text/messages/explainFailure') | undefined;
    // Loaded long before a running agent reports why it fails. When the program is not found, `end` waits for this module.
    const recognizing = import('../../text/messages/explainFailure').then(
      (loaded) => (recognizer = loaded),
      // An update of the extension has deleted the file: the failure is reported without its cause.
      () => undefined,
    );
    /** Adds the cause and the time that the failure's text names, and removes secrets. */
    const explained = (failure: Failure): Failure =>
      secrets.failure(recognizer?.explainFailure(failure, trace.trailingStderr(), clock.now()) ?? failure);
    let disposed = false;
    const reportProgress = (): void => {
      telling = undefined;
      if (!ready && !ended && line !== undefined) {
        events.onProgress(commandLine ?? '', line);
        line = undefined;
        telling = clock.after(PROGRESS_MS, reportProgress);
      }
    };
    const end = (reported: Failure): void => {
      if (ended) {
        return;
      }
      ended = true;
      telling?.dispose();
      printing.dispose();
      if (recognizer) {
        reportEnd(reported);
      } else {
        void recognizing.then(() => disposed || reportEnd(reported));
      }
    };
    const reportEnd = (reported: Failure): void => {
      const failure = follower ? ofInstalled(explained(reported)) : explained(reported);
      log.warn(`${agentName}: ${failure.code}${failure.detail ? `\n${failure.detail}` : ''}`);
      trace.note(`ended: ${failure.code} ${exitOf(failure)}`.trimEnd());
      endTrace();
      const version = follower?.ended(failure);
      if (version) {
        void version.then((earlierVersion) => disposed || events.onEnd(withEarlierVersion(failure, earlierVersion)));
      } else {
        events.onEnd(failure);
      }
    };
    const progressed = (text: string): void => {
      line = text;
      if (!telling) {
        reportProgress();
      }
    };
    // A program that prints text is probably no agent: its lines say what it is.
    const printing = trace.follow(() => {
      const output = trace.trailingOutput();
      if (output !== undefined) {
        const lines = plainLines(output).split('\n').slice(-PRINTED_LINES);
        progressed(secrets.text(lines.map((text) => text.slice(0, PRINTED_LINE)).join('\n')));
      }
    });
    const onStarted = (pid: number): void => void (ended || events.onProcess?.(pid));
    const onStderrLine = (text: string): void => {
      log.info(`${agentName}: ${text}`);
      void (/mcp/i.test(text) && events.onServerLine?.(text));
      progressed(text);
      trace.stderr(text);
    };
    const transports = transportsFor(launch, cwd, {
      clock,
      log,
      environment,
      keeping,
      onKept: (kept) => {
        // Also after the window has ended the agent, whose process still runs then.
        follower?.kept?.(kept.keeperPid);
        void (ended || events.onKept?.(kept));
      },
      places: launchFolders,
      demo,
      wrapper: sandbox,
      services,
      secrets,
      values,
      network: variables,
      maxLineBytes: maxLineBytes?.(),
      usesProxy: usesProxy ?? (() => false),
      ssh,
      onStarted,
      onStderrLine,
    });
    const open = (): MessageTransport =>
      proxies
        ? lateTransport(async () => {
            const { openChain } = await import('../../application/proxies/openChain');
            const openAgent = (): MessageTransport => openTransport(launch, transports);
            const { proxy: startProxy } = transports;
            return openChain(launch, proxies, {
              clock,
              log,
              secrets,
              traces: traced.hops,
              openAgent,
              startProxy,
              onStderrLine: progressed,
            });
          }, {})
        : openTransport(launch, transports);
    adopted?.listen({ onStarted, onStderrLine, withoutSecrets: (text) => secrets.text(text) });
    const transport = adopted?.transport ?? open();
    void (adopted && events.onKept?.(adopted.kept));
    log.info(`${agentName}: ${commandLine === undefined ? 'connecting' : 'starting'} ${commandLine ?? address ?? ''} in ${cwd}`);
    events.onProgress(commandLine ?? '', address);
    const connection = connect(
      transport,
      versionsFor(launch, newer),
      events.client,
      {
        // The mark includes the time, because a conversation outlives the window and this count.
        mark: `${clock.now()}.${started}.`,
        clientInfo: { name: 'acp-host', title: isRemote(launch) ? windowTitle(cwd) : TITLE, version },
        adapterExtensions: adapterExtensions?.() ?? false,
        hasNoFiles: isElsewhere(launch) && !sharesFiles(launch),
        clock,
        log,
        trace,
        timeoutMs: requestTimeoutOf(launch),
        // A chain has a limit for each of its programs, and names the one that is over it.
        initializeTimeoutMs: proxies ? CHAIN_TIMEOUT_MS : initializeTimeoutOf(launch),
        onEnd: (failure) => end(withCommandLine(failure, commandLine)),
        withoutSecrets: explained,
        ...(isTraced && { traceContext: traceContext(isTraced) }),
        reopen: open,
        ...(adopted && { firstId: adopted.kept.nextId, takesFirstAnswer: true }),
        ...(mcp && { mcp: mcp(agentId) }),
      },
      (outcome) => {
        ready = outcome.ok;
        printing.dispose();
        if (!outcome.ok) {
          end(startFailure(outcome.failure, commandLine, trace.trailingStderr(), trace.trailingOutput()));
        } else if (!ended) {
          // An agent of an earlier window has its endpoints.
          applyProviders(outcome.value, adopted ? [] : endpoints, (failure) => {
            if (failure) {
              end(failure);
            } else if (!ended) {
              follower?.ready();
              events.onReady(outcome.value);
            }
          });
        }
      },
    );
    return {
      redactSecretsOf: (servers) => {
        const added = serverSecrets(servers);
        secrets.add(added);
        keepSecret?.(agentId, added);
      },
      dispose: () => {
        ended = true;
        disposed = true;
        telling?.dispose();
        printing.dispose();
        endTrace();
        void follower?.ended();
        connection.dispose({ code: 'connection.disposed' });
      },
    };
  };
}

/** Marks the failure of an agent that was installed from a registry. Only its starts are followed. */
function ofInstalled(failure: Failure): Failure {
  return { ...failure, params: { ...failure.params, isInstalled: 'yes' } };
}

/** Adds the version to go back to. */
function withEarlierVersion(failure: Failure, earlierVersion: string | undefined): Failure {
  return earlierVersion === undefined ? failure : { ...failure, params: { ...failure.params, earlierVersion } };
}

/** Describes for the trace how the process ended, as far as it is known. */
function exitOf({ params = {} }: Failure): string {
  return [params['signal'] ?? params['exitCode']].filter((word) => word !== undefined).join('');
}

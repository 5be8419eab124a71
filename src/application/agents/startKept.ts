/** Starts an agent in a keeper, so that it can outlive the window. Loaded with the first such agent. */
import { connectToKeeper } from '../../acp/transport/kept/keptTransport';
import { openSocket } from '../../acp/transport/remote/nodeSocket';
import { type KeepingOptions, startKeeper, type StartedKeeper } from '../../agent/keeper/startKeeper';
import { prepareProgram, type ResolvedLaunch } from '../../agent/prepare';
import type { AgentSpawnDependencies } from '../../agent/spawn';
import type { KeptAgent, KeptAgentEvents } from '../../core/keeper/keptAgent';
import { failureOf } from '../../core/model/failure';
import type { MessageTransport } from '../../core/model/transport';
import { ProcessTree } from '../../util/processes/processTree';

export interface StartKeptDependencies extends KeepingOptions, Pick<AgentSpawnDependencies, 'clock' | 'log' | 'environment' | 'services'> {
  readonly maxBytes: number;
  readonly commandLine: string;
  readonly events: KeptAgentEvents;
  onKept(kept: KeptAgent): void;
  /** Starts the agent in the window, when the keeper cannot start: the disk may be full. */
  withoutKeeper(): MessageTransport;
}

/** ms within which an agent may end by itself when its keeper was killed. */
const GRACE_MS = 1500;

/** Resolves to the transport. Rejects with the `Fault` of a program that cannot start. */
export async function startKept(launch: ResolvedLaunch, deps: StartKeptDependencies): Promise<MessageTransport> {
  const { places, limits, environment, services, clock, maxBytes, commandLine, events, onKept, log } = deps;
  const program = await prepareProgram(launch, environment, await services?.());
  let keeper: StartedKeeper;
  try {
    keeper = await startKeeper(places, environment, launch, program, { limits, maxLineBytes: maxBytes });
  } catch (error) {
    const { detail = '' } = failureOf(error);
    log.warn(`${launch.agentName} ends with this window, because its keeper cannot start: ${detail}`);
    return deps.withoutKeeper();
  }
  const transport = await connectToKeeper(
    {
      ...keeper,
      maxBytes,
      description: { commandLine },
      onLost: (pid) => void new ProcessTree(pid, keeper.mark).end({ graceMs: GRACE_MS }),
    },
    openSocket,
    clock,
  );
  transport.listen(events);
  onKept(transport);
  transport.attach();
  return transport;
}

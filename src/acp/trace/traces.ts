/** The traces of the window: one per agent process, the running ones and the last few that ended. */
import type { TransportDescription } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import { Redaction } from '../redaction/redact';
import { Trace } from './trace';

export interface TracedLaunch extends TransportDescription {
  readonly agentId: string;
  readonly agentName: string;
  /** The agent's own working directory; absolute. */
  readonly cwd: string;
  /** Returns the secret values that the agent has been given; see `LaunchSecrets`. */
  secrets(): readonly string[];
}

/** The trace of one connection to an agent. */
export interface AgentTrace extends TransportDescription {
  readonly agentId: string;
  readonly agentName: string;
  readonly cwd: string;
  /** ms since the epoch */
  readonly startedAt: number;
  /** ms since the epoch; undefined while it runs */
  readonly endedAt: number | undefined;
  readonly trace: Trace;
  /** Must be applied before any part is shown or saved. */
  readonly redaction: Redaction;
}

/** Traces of ended agents to keep, because a user may investigate a crash after the next agent was started. */
const KEPT = 4;

export class Traces {
  private list: (AgentTrace & { endedAt: number | undefined })[] = [];

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Oldest first. */
  get all(): readonly AgentTrace[] {
    return this.list;
  }

  /** Adds a trace for an agent that is being started. `ended` must be called once its process has ended. */
  add({ agentId, agentName, commandLine, address, cwd, secrets }: TracedLaunch): { readonly trace: Trace; ended(): void } {
    const redaction = new Redaction(secrets);
    const trace = new Trace(this.clock);
    const added = {
      agentId,
      agentName,
      ...(commandLine !== undefined && { commandLine: redaction.text(commandLine) }),
      ...(address !== undefined && { address: redaction.text(address) }),
      cwd,
      startedAt: this.clock.now(),
      endedAt: undefined as number | undefined,
      trace,
      redaction,
    };
    this.list.push(added);
    return {
      trace,
      ended: () => {
        if (added.endedAt === undefined) {
          added.endedAt = this.clock.now();
          trace.onEntry?.(); // Notifies the follower, which then sees the end.
          const over = this.list.filter(({ endedAt }) => endedAt !== undefined).sort((a, b) => a.endedAt! - b.endedAt!);
          const forgotten = new Set(over.slice(0, -KEPT));
          this.list = this.list.filter((one) => !forgotten.has(one));
        }
      },
    };
  }
}

/**
 * Returns an agent's trace as the lines of a file, without secrets: a header `{"acpHostTrace":1,…}`, then the entries, their `t` in ms from the
 * header's `startedAt`.
 */
export function* exportLines(
  { agentName, commandLine, address, cwd, startedAt, endedAt, trace, redaction }: AgentTrace,
  version: string,
): Iterable<string> {
  yield JSON.stringify({
    acpHostTrace: 1,
    agent: redaction.text(agentName),
    ...(commandLine !== undefined && { command: redaction.text(commandLine) }),
    ...(address !== undefined && { address: redaction.text(address) }),
    cwd: redaction.text(cwd),
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    redacted: true,
    dropped: trace.dropped,
    version,
  });
  yield* trace.jsonLines({ startedAt, redaction });
}

/** The traces of the window: one per agent process, the running ones and the last few that ended. */
import type { TransportDescription } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { Redaction } from '../redaction/redact';
import type { TraceSource } from './cursor';
import { Trace, type TraceLimits } from './trace';

export interface TracedLaunch extends TransportDescription {
  readonly agentId: string;
  readonly agentName: string;
  /** The agent's own working directory; absolute. */
  readonly cwd: string;
  /** The programs of its chain, the agent last; absent without proxies. */
  readonly hops?: readonly string[];
  /** Returns the secret values that the agent has been given; see `LaunchSecrets`. */
  secrets(): readonly string[];
}

/** The trace of the connection to one program of a chain. */
export interface HopTrace extends TraceSource {
  readonly hop: string;
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
  /** The connections to the programs of its chain. Empty without proxies. */
  readonly hops: readonly HopTrace[];
  /** Must be applied before any part is shown or saved. */
  readonly redaction: Redaction;
}

/** Traces of ended agents to keep, because a user may investigate a crash after the next agent was started. */
const KEPT = 4;
/** The limits of the trace of one program of a chain. */
const HOP_LIMITS: TraceLimits = { entries: 2000, size: 4 * 1024 * 1024, entrySize: 64 * 1024 };

export class Traces {
  private list: (AgentTrace & { endedAt: number | undefined })[] = [];

  private readonly listeners = new Set<() => void>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Calls `listener` when an agent was started or has ended. */
  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }

  /** Oldest first. */
  get all(): readonly AgentTrace[] {
    return this.list;
  }

  /** Adds a trace for an agent that is being started. `ended` must be called once its process has ended. */
  add({ agentId, agentName, commandLine, address, cwd, hops = [], secrets }: TracedLaunch): {
    readonly trace: Trace;
    readonly hops: readonly Trace[];
    ended(): void;
  } {
    const redaction = new Redaction(secrets);
    const order = { next: 0 };
    const trace = new Trace(this.clock, {}, order);
    const ofHops = hops.map((hop): HopTrace => ({ hop: redaction.text(hop), trace: new Trace(this.clock, HOP_LIMITS, order) }));
    const added = {
      agentId,
      agentName,
      ...(commandLine !== undefined && { commandLine: redaction.text(commandLine) }),
      ...(address !== undefined && { address: redaction.text(address) }),
      cwd,
      startedAt: this.clock.now(),
      endedAt: undefined as number | undefined,
      trace,
      hops: ofHops,
      redaction,
    };
    this.list.push(added);
    this.changed();
    return {
      trace,
      hops: ofHops.map((hop) => hop.trace),
      ended: () => {
        if (added.endedAt === undefined) {
          added.endedAt = this.clock.now();
          trace.notify(); // The followers then see the end.
          const over = this.list.filter(({ endedAt }) => endedAt !== undefined).sort((a, b) => a.endedAt! - b.endedAt!);
          const forgotten = new Set(over.slice(0, -KEPT));
          this.list = this.list.filter((one) => !forgotten.has(one));
          this.changed();
        }
      },
    };
  }
}

/** The traces of an agent: the client's own connection, then those of the programs of its chain. */
export function sourcesOf({ trace, hops }: Pick<AgentTrace, 'trace' | 'hops'>): readonly TraceSource[] {
  return [{ trace }, ...hops];
}

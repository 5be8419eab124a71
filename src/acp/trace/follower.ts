/** Reads a trace for a viewer: first the entries in the ring, then new ones, in portions, so that neither side blocks the other. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentTrace } from './traces';
import { TraceSummary, type SummaryLine } from './summary';

export interface FollowerSink {
  line(line: SummaryLine): void;
  /** `count` entries were skipped because too many arrived at once. */
  hidden(count: number): void;
  /** The agent has ended and all entries were reported. */
  ended(): void;
}

/** ms between two portions while the agent sends messages. */
const INTERVAL_MS = 200;
/** ms between two portions of the earlier entries. */
const CATCH_UP_MS = 10;
/** Entries per portion. When more have accumulated, the older ones are skipped, because the newest are the most useful. */
const PORTION = 200;

export class TraceFollower implements Disposable {
  private readonly summary: TraceSummary;
  /** The number of the next entry to report. */
  private position: number;
  /** All entries before this one are reported, in as many portions as needed. */
  private readonly caughtUpAt: number;
  private timer: Disposable | undefined;
  private over = false;

  constructor(
    private readonly agent: AgentTrace,
    private readonly sink: FollowerSink,
    private readonly clock: Pick<Clock, 'after'>,
  ) {
    this.summary = new TraceSummary(agent.redaction);
    this.position = agent.trace.dropped;
    this.caughtUpAt = agent.trace.next;
    agent.trace.onEntry = () => this.schedule();
    this.read();
  }

  /** Stops the reports; recording then again has no extra cost. */
  dispose(): void {
    this.over = true;
    this.timer?.dispose();
    this.timer = undefined;
    this.agent.trace.onEntry = undefined;
  }

  /** Called with every entry of the trace. */
  private schedule(): void {
    if (!this.timer && !this.over) {
      this.timer = this.clock.after(this.position < this.caughtUpAt ? CATCH_UP_MS : INTERVAL_MS, () => this.read());
    }
  }

  private read(): void {
    this.timer = undefined;
    const { trace } = this.agent;
    const end = trace.next;
    const isCatchingUp = this.position < this.caughtUpAt;
    const from = isCatchingUp ? trace.dropped : Math.max(trace.dropped, end - PORTION);
    if (from > this.position) {
      this.sink.hidden(from - this.position);
      this.position = from;
    }
    const until = Math.min(end, this.position + PORTION);
    for (const entry of trace.entries(this.position)) {
      if (this.position === until) {
        break;
      }
      this.position++;
      this.sink.line(this.summary.line(entry));
    }
    if (this.position < trace.next) {
      this.schedule();
    } else if (this.agent.endedAt !== undefined) {
      this.dispose();
      this.sink.ended();
    }
  }
}

/** Reads a trace for who looks on: first what the ring holds, then what comes, in portions, so that neither end waits for the other. */
import type { Clock, Disposable } from '../../core/model/ports';
import type { AgentTrace } from './traces';
import { TraceSummary, type SummaryLine } from './summary';

export interface FollowerSink {
  line(line: SummaryLine): void;
  /** So many entries are not told: there were too many at once. */
  hidden(count: number): void;
  /** The agent has ended and everything was told; no more comes. */
  ended(): void;
}

/** ms between two portions while the agent talks. */
const INTERVAL_MS = 200;
/** ms between two portions of what was there before. */
const CATCH_UP_MS = 10;
/** Entries of one portion. What has gathered beyond that is not told: the newest says most. */
const PORTION = 200;

export class TraceFollower implements Disposable {
  private readonly summary: TraceSummary;
  /** The number of the entry to be told next. */
  private position: number;
  /** Entries before this one are all told, in as many portions as it takes. */
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

  /** Nothing more is told; the trace costs again what it cost before. */
  dispose(): void {
    this.over = true;
    this.timer?.dispose();
    this.timer = undefined;
    this.agent.trace.onEntry = undefined;
  }

  /** Called with every frame of the agent. */
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

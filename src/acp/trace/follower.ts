/** Reads a trace for a viewer: first the entries in the ring, then new ones, in portions, so that neither side blocks the other. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { TraceCursor, type TraceSource } from './cursor';
import { type AgentTrace, sourcesOf } from './traces';
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
  /** A summary for each connection, because the ids of two may be equal. */
  private readonly summaries: ReadonlyMap<TraceSource, TraceSummary>;
  private readonly cursor: TraceCursor;
  /** All entries before this one are reported, in as many portions as needed. */
  private readonly caughtUpAt: number;
  private readonly following: readonly Disposable[];
  private timer: Disposable | undefined;
  private over = false;

  constructor(
    private readonly agent: AgentTrace,
    private readonly sink: FollowerSink,
    private readonly clock: Pick<Clock, 'after'>,
  ) {
    const sources = sourcesOf(agent);
    this.summaries = new Map(sources.map((source) => [source, new TraceSummary(agent.redaction, source.hop)]));
    this.cursor = new TraceCursor(sources);
    this.caughtUpAt = this.cursor.end;
    this.following = sources.map(({ trace }) => trace.follow(() => this.schedule()));
    this.read();
  }

  /** Stops the reports; recording then again has no extra cost. */
  dispose(): void {
    this.over = true;
    this.timer?.dispose();
    this.timer = undefined;
    this.following.forEach((each) => each.dispose());
  }

  /** Called with every entry of the traces. */
  private schedule(): void {
    if (!this.timer && !this.over) {
      this.timer = this.clock.after(this.cursor.position < this.caughtUpAt ? CATCH_UP_MS : INTERVAL_MS, () => this.read());
    }
  }

  private read(): void {
    this.timer = undefined;
    const { cursor } = this;
    const isCatchingUp = cursor.position < this.caughtUpAt;
    let hidden = cursor.skipDropped();
    while (!isCatchingUp && cursor.end - cursor.position > PORTION) {
      cursor.read();
      hidden++;
    }
    if (hidden > 0) {
      this.sink.hidden(hidden);
    }
    for (let count = 0; count < PORTION; count++) {
      const next = cursor.read();
      if (!next) {
        break;
      }
      this.sink.line(this.summaries.get(next.source)!.line(next.entry));
    }
    if (cursor.position < cursor.end) {
      this.schedule();
    } else if (this.agent.endedAt !== undefined) {
      this.dispose();
      this.sink.ended();
    }
  }
}

/** Sends the messages of one agent to a page of the inspector: first those that are kept, then new ones, in portions. */
import { TraceCursor, type TraceSource } from '../../acp/trace/cursor';
import { frameOptionsOf } from '../../acp/trace/frameOptions';
import { FrameRows } from '../../acp/inspector/frameRows';
import type { TraceEntry } from '../../acp/trace/trace';
import { type AgentTrace, sourcesOf } from '../../acp/trace/traces';
import { type FrameRow, MAX_ROWS, ROWS_PER_MESSAGE, type ToInspectorPage } from '../../core/inspector/inspectorPage';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';

/** ms after which more rows are sent to a page that has reported nothing. */
const PATIENCE_MS = 3000;
/** ms between two portions while the agent sends messages, and of the earlier ones. */
const INTERVAL_MS = 150;
const CATCH_UP_MS = 15;

export class InspectorFeed implements Disposable {
  private readonly readers: ReadonlyMap<TraceSource, FrameRows>;
  private readonly cursor: TraceCursor;
  private readonly following: readonly Disposable[];
  /** The rows that the page has, by id; the oldest are dropped like on the page. */
  private readonly rows = new Map<number, { readonly row: FrameRow; readonly source: TraceSource; readonly number: number }>();
  private timer: Disposable | undefined;
  /** True until the page has drawn what was sent, so that messages do not pile up. */
  private isWaiting = false;
  private query = '';
  private isOver = false;

  constructor(
    readonly agent: AgentTrace,
    private readonly send: (message: ToInspectorPage) => void,
    private readonly clock: Pick<Clock, 'after'>,
  ) {
    const sources = sourcesOf(agent);
    this.readers = new Map(sources.map((source, index) => [source, new FrameRows(agent.redaction, index === 0 ? undefined : index - 1)]));
    this.cursor = new TraceCursor(sources);
    this.following = sources.map(({ trace }) => trace.follow(() => this.schedule(INTERVAL_MS)));
    // The page says how many messages the rings had dropped before.
    this.post([], this.cursor.position);
    this.schedule(0);
  }

  /** Sends the rows whose message contains this text, and marks those that follow. */
  search(query: string): void {
    this.query = query.toLowerCase();
    const ids =
      this.query === ''
        ? []
        : [...this.rows.values()].flatMap(({ row, source, number }) => {
            const entry = source.trace.entry(number);
            return entry && this.isMatch(row, entry) ? row.id : [];
          });
    this.send({ type: 'matches', query, ids });
  }

  /** The message of a row, while the trace has it. */
  find(id: number): { readonly row: FrameRow; readonly entry: TraceEntry; readonly version: 1 | 2 } | undefined {
    const found = this.rows.get(id);
    const entry = found?.source.trace.entry(found.number);
    return found && entry && { row: found.row, entry, version: this.readers.get(found.source)!.version };
  }

  /** The page has drawn the last rows. */
  drawn(): void {
    if (this.isWaiting) {
      this.isWaiting = false;
      this.timer?.dispose();
      this.timer = undefined;
      this.schedule(this.cursor.position < this.cursor.end ? CATCH_UP_MS : INTERVAL_MS);
    }
  }

  dispose(): void {
    this.isOver = true;
    this.timer?.dispose();
    this.following.forEach((each) => each.dispose());
  }

  private schedule(ms: number): void {
    if (!this.timer && !this.isOver) {
      this.timer = this.clock.after(ms, () => this.read());
    }
  }

  private read(): void {
    this.timer = undefined;
    this.isWaiting = false;
    const { cursor } = this;
    const dropped = cursor.skipDropped();
    const rows: FrameRow[] = [];
    for (let next = cursor.read(); next; next = rows.length < ROWS_PER_MESSAGE ? cursor.read() : undefined) {
      const { entry, source, number } = next;
      const row = this.readers.get(source)!.row(entry);
      const isMatch = this.query !== '' && this.isMatch(row, entry);
      rows.push(isMatch ? { ...row, isMatch } : row);
      this.keep(row, source, number);
    }
    if (rows.length > 0 || dropped > 0) {
      this.post(rows, dropped);
      this.isWaiting = true;
      this.schedule(PATIENCE_MS);
    }
  }

  private post(rows: readonly FrameRow[], dropped: number): void {
    this.send({ type: 'rows', rows, dropped });
  }

  private keep(row: FrameRow, source: TraceSource, number: number): void {
    if (this.rows.size >= MAX_ROWS) {
      this.rows.delete(this.rows.keys().next().value!);
    }
    this.rows.set(row.id, { row, source, number });
  }

  /** Searches the message without its secrets, so that nothing is found by a text that is not shown. */
  private isMatch({ hop, method = '', text, sessionId = '' }: FrameRow, entry: TraceEntry): boolean {
    const { query } = this;
    if ([method, text, sessionId].some((each) => each.toLowerCase().includes(query))) {
      return true;
    }
    if (!entry.text.toLowerCase().includes(query)) {
      return false;
    }
    const isFrame = entry.kind === 'a2c' || entry.kind === 'c2a';
    const { redaction } = this.agent;
    const shown = isFrame ? redaction.frame(entry.text, frameOptionsOf(entry, hop !== undefined)) : redaction.text(entry.text);
    return shown.toLowerCase().includes(query);
  }
}

/** The rows of the inspector's page: a limited number, the answers of requests, and the choices for its filters. */
import { passes, type RowContext, type RowFilter } from './filterRows';
import { type FrameRow, MAX_ROWS } from './inspectorPage';

/** The most methods and sessions to choose from. */
const MAX_CHOICES = 200;

export class RowStore implements RowContext {
  private rows: FrameRow[] = [];
  private readonly answers = new Map<number, FrameRow>();
  private matches = new Set<number>();
  private missing = 0;
  private readonly methodNames = new Set<string>();
  private readonly sessionIds = new Set<string>();

  constructor(private readonly limit: number = MAX_ROWS) {}

  get all(): readonly FrameRow[] {
    return this.rows;
  }

  /** Messages that were there and are not kept. */
  get dropped(): number {
    return this.missing;
  }

  get methods(): readonly string[] {
    return [...this.methodNames].sort();
  }

  get sessions(): readonly string[] {
    return [...this.sessionIds];
  }

  reset(): void {
    this.rows = [];
    this.missing = 0;
    for (const set of [this.answers, this.matches, this.methodNames, this.sessionIds]) {
      set.clear();
    }
  }

  /** @param dropped messages that are not among the rows */
  add(rows: readonly FrameRow[], dropped: number): void {
    this.missing += dropped;
    for (const row of rows) {
      this.rows.push(row);
      if (row.request !== undefined) {
        this.answers.set(row.request, row);
      }
      if (row.isMatch) {
        this.matches.add(row.id);
      }
      choose(this.methodNames, row.method);
      choose(this.sessionIds, row.sessionId);
    }
    const over = this.rows.length - this.limit;
    if (over > 0) {
      for (const { id } of this.rows.splice(0, over)) {
        this.answers.delete(id);
        this.matches.delete(id);
      }
      this.missing += over;
    }
  }

  setMatches(ids: readonly number[]): void {
    this.matches = new Set(ids);
  }

  answerTo(id: number): FrameRow | undefined {
    return this.answers.get(id);
  }

  isMatch({ id }: FrameRow): boolean {
    return this.matches.has(id);
  }

  find(id: number): FrameRow | undefined {
    return this.rows.find((row) => row.id === id);
  }

  visible(filter: RowFilter): readonly FrameRow[] {
    return this.rows.filter((row) => passes(row, filter, this));
  }
}

function choose(choices: Set<string>, choice: string | undefined): void {
  if (choice !== undefined && choices.size < MAX_CHOICES) {
    choices.add(choice);
  }
}

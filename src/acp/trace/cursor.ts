/** Reads the traces of one agent together, in the order in which the entries were recorded. */
import type { Trace, TraceEntry } from './trace';

/** A trace, and the program of a chain whose connection it is about; absent: the client's own. */
export interface TraceSource {
  readonly hop?: string;
  readonly trace: Trace;
}

export interface SourcedEntry {
  readonly entry: TraceEntry;
  readonly source: TraceSource;
  /** The number of the entry in its trace. */
  readonly number: number;
}

export class TraceCursor {
  private readonly positions: number[];

  /** Begins at the oldest entries. */
  constructor(private readonly sources: readonly TraceSource[]) {
    this.positions = sources.map(({ trace }) => trace.dropped);
  }

  /** The number of entries that are read or skipped, and of those that were dropped before. */
  get position(): number {
    return this.positions.reduce((sum, position) => sum + position, 0);
  }

  /** The number of entries so far. */
  get end(): number {
    return this.sources.reduce((sum, { trace }) => sum + trace.next, 0);
  }

  /** Moves past entries that are no longer there. Returns their number. */
  skipDropped(): number {
    let skipped = 0;
    this.sources.forEach(({ trace }, index) => {
      const missing = Math.max(0, trace.dropped - this.positions[index]!);
      this.positions[index]! += missing;
      skipped += missing;
    });
    return skipped;
  }

  /** Returns the next entry and moves past it; undefined at the end. */
  read(): SourcedEntry | undefined {
    let found: { index: number; entry: TraceEntry } | undefined;
    for (let index = 0; index < this.sources.length; index++) {
      const entry = this.sources[index]!.trace.entry(this.positions[index]!);
      if (entry && (!found || entry.order < found.entry.order)) {
        found = { index, entry };
      }
    }
    return found && { entry: found.entry, source: this.sources[found.index]!, number: this.positions[found.index]!++ };
  }
}

/** The edits that one event made to a text, as one step: everything that an edit moves is moved once, however many edits there are. Pure. */

/** Replaces the characters `[start, end)` by `text`. In a list, each edit refers to the text that the edit before it left. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits in ascending order that do not overlap. Each refers to the text before all of them. */
export class EditBatch {
  /** The growth of the text before each edit, and, last, the growth in total. */
  private readonly shifts: Float64Array;

  constructor(readonly edits: readonly TextEdit[]) {
    this.shifts = new Float64Array(edits.length + 1);
    edits.forEach(({ start, end, text }, index) => (this.shifts[index + 1] = this.shifts[index]! + text.length - (end - start)));
  }

  /**
   * @param edits each refers to the text that the edit before it left, in ascending or descending order of their places, as editors report them.
   * Undefined in another order, and for edits that overlap
   */
  static ofSequence(edits: readonly TextEdit[]): EditBatch | undefined {
    const isDescending = edits.every(({ end }, index) => index === 0 || end <= edits[index - 1]!.start);
    if (isDescending) {
      return new EditBatch(edits.toReversed());
    }
    const batch: TextEdit[] = [];
    let shift = 0;
    for (const { start, end, text } of edits) {
      const edit = { start: start - shift, end: end - shift, text };
      if (edit.start < (batch.at(-1)?.end ?? 0)) {
        return undefined;
      }
      batch.push(edit);
      shift += text.length - (end - start);
    }
    return new EditBatch(batch);
  }

  /** Returns the indexes `[first, end)` of the edits that lie in a range or touch its ends. */
  at(range: { readonly start: number; readonly end: number }): { readonly first: number; readonly end: number } {
    const { edits } = this;
    let [low, high] = [0, edits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edits[middle]!.end >= range.start) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const first = low;
    high = edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edits[middle]!.start > range.end) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return { first, end: low };
  }

  /** Returns by how much the earlier edits move the text at an edit and behind it. */
  shiftBefore(index: number): number {
    return this.shifts[index]!;
  }

  /** Returns the text after all edits. */
  applyTo(text: string): string {
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, text: inserted } of this.edits) {
      parts.push(text.slice(at, start), inserted);
      at = end;
    }
    parts.push(text.slice(at));
    return parts.join('');
  }
}

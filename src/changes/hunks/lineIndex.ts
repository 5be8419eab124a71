/** Finds the line of an offset. Caches the lines of the newest text. */
export class LineIndex {
  private text: string | undefined;
  private starts: readonly number[] = [];

  /** Returns the lines `[first, end)` of a range, from 0. An empty range has none, and is before line `first`. */
  linesOf(
    text: string,
    { start, end }: { readonly start: number; readonly end: number },
  ): { readonly first: number; readonly end: number } {
    this.read(text);
    const first = this.lineAt(start);
    const last = start === end ? first : this.lineAt(end);
    return { first, end: start === end ? first : end > 0 && text[end - 1] === '\n' ? last : last + 1 };
  }

  private lineAt(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private read(text: string): void {
    if (this.text !== text) {
      const starts = [0];
      for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) {
        starts.push(feed + 1);
      }
      this.starts = starts;
      this.text = text;
    }
  }
}

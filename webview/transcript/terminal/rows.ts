/** The rows of a terminal's screen and their text. */
import { type Pen, PLAIN, type StyledRun, style } from './sgr';

/** The second half of a character that takes two cells. */
export const REST = '\u0000';

/** Columns that cursor moves and erasing can reach in an unlimited row; written text may be longer. */
export const FAR = 500;

/** A cell without a character is ''; its pen has the background with which it was erased. */
export class Row {
  readonly cells: string[] = [];
  readonly pens: Pen[] = [];
  /** True when the row continues the one before. */
  wrapped = false;

  /** @param to after the last column; Infinity in unlimited rows */
  erase(from: number, to: number, pen: Pen): void {
    const ground = groundOf(pen);
    if (to >= this.cells.length && (ground === PLAIN || to === Infinity)) {
      this.cutAt(from);
      return;
    }
    this.split(from);
    this.split(to);
    for (let x = from; x < to; x++) {
      this.put(x, '', ground);
    }
  }

  put(x: number, cell: string, pen: Pen): void {
    for (let at = this.cells.length; at < x; at++) {
      this.cells[at] = '';
      this.pens[at] = PLAIN;
    }
    this.cells[x] = cell;
    this.pens[x] = pen;
  }

  /** @param text of characters that take one cell each */
  write(x: number, text: string, pen: Pen): void {
    this.split(x);
    this.split(x + text.length);
    for (let at = 0; at < text.length; at++) {
      this.put(x + at, text[at]!, pen);
    }
  }

  /** Removes a wide character that lies across `x`. */
  split(x: number): void {
    if (this.cells[x] !== REST) {
      return;
    }
    this.cells[x] = '';
    if (x > 0) {
      this.cells[x - 1] = '';
    }
  }

  insert(x: number, count: number, columns: number, pen: Pen): void {
    this.split(x);
    if (x >= this.cells.length && groundOf(pen) === PLAIN) {
      return;
    }
    this.put(
      Math.max(x, this.cells.length - 1),
      this.cells[Math.max(x, this.cells.length - 1)] ?? '',
      this.pens[Math.max(x, this.cells.length - 1)] ?? PLAIN,
    );
    this.cells.splice(x, 0, ...new Array<string>(count).fill(''));
    this.pens.splice(x, 0, ...new Array<Pen>(count).fill(groundOf(pen)));
    this.split(columns);
    this.cutAt(columns);
  }

  remove(x: number, count: number, columns: number, pen: Pen): void {
    this.split(x);
    this.split(x + count);
    this.cells.splice(x, count);
    this.pens.splice(x, count);
    if (groundOf(pen) !== PLAIN && columns !== Infinity) {
      this.erase(columns - count, columns, pen);
    }
  }

  get isBlank(): boolean {
    return this.wordEnd === 0;
  }

  /** @param next the row that continues this one, so that blanks at this row's end are kept */
  runs(next: Row | undefined, columns: number): StyledRun[] {
    const runs: StyledRun[] = [];
    // A wide character that did not fit left an empty cell at the end.
    const full = next?.cells[1] === REST && !this.cells[columns - 1] ? columns - 1 : columns;
    if (next && this.cells.length < full) {
      this.put(full - 1, '', PLAIN);
    }
    const end = next ? full : this.wordEnd;
    for (let x = 0; x < end; ) {
      const pen = this.pens[x]!;
      let text = '';
      for (; x < end && this.pens[x] === pen; x++) {
        const cell = this.cells[x]!;
        if (cell !== REST) {
          text += cell || ' ';
        }
      }
      if (text) {
        runs.push({ text, ...style(pen) });
      }
    }
    return runs;
  }

  private cutAt(x: number): void {
    if (x >= this.cells.length) {
      return;
    }
    this.split(x);
    this.cells.length = this.pens.length = x;
  }

  /** The column after the last visible cell. */
  private get wordEnd(): number {
    let end = this.cells.length;
    while (end > 0 && this.cells[end - 1] === '' && this.pens[end - 1]!.bg === undefined) {
      end--;
    }
    return end;
  }
}

/** Erased cells keep only the background of the pen. */
function groundOf({ bg }: Pen): Pen {
  return bg === undefined ? PLAIN : { bg };
}

/** Concatenates the runs. Merges neighbours with the same style. */
export function joined(before: readonly StyledRun[], after: readonly StyledRun[]): StyledRun[] {
  const last = before.at(-1);
  const next = after[0];
  const same = last && next && last.classes === next.classes && last.foreground === next.foreground && last.background === next.background;
  return same ? [...before.slice(0, -1), { ...last, text: last.text + next.text }, ...after.slice(1)] : [...before, ...after];
}

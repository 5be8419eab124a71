/** One of a terminal's two screens: its rows, its cursor, and for the main screen the lines that have left it. */
import { TERMINAL_TAIL } from '../../../src/core/model/state';
import type { TerminalSize } from '../../../src/core/model/terminalSize';
import { type Pen, PLAIN, type StyledRun } from './sgr';
import { FAR, Row, joined } from './rows';

/** UTF-16 units of lines that have left the screen: the most output that the state keeps. */
const MAX_PAST = 2 * TERMINAL_TAIL;

interface PastRow {
  readonly runs: readonly StyledRun[];
  readonly wrapped: boolean;
  readonly length: number;
}

export class ScreenBuffer {
  /** May be one past the last column; the next character then begins another row. */
  x = 0;
  private y = 0;
  private rows: Row[] = [];
  private past: PastRow[] = [];
  private pastLength = 0;
  /** The number of rows that have left the screen. */
  private scrolled = 0;
  private top = 0;
  private bottom: number;
  private origin = false;
  private saved = { x: 0, y: 0, pen: PLAIN, draws: false };

  constructor(
    private readonly size: TerminalSize,
    private readonly keeps: boolean,
  ) {
    this.bottom = size.rows - 1;
    this.fill();
  }

  row(): Row {
    return this.rows[this.y]!;
  }

  lines(count: number): { lines: StyledRun[][]; cut: boolean } {
    let last = this.rows.length - 1;
    while (last >= 0 && this.rows[last]!.isBlank) {
      last--;
    }
    const lines: StyledRun[][] = [];
    let rest: StyledRun[] = [];
    const add = (runs: readonly StyledRun[], wrapped: boolean): void => {
      rest = joined(runs, rest);
      if (wrapped) {
        return;
      }
      lines.push(rest);
      rest = [];
    };
    for (let y = last; y >= 0 && lines.length < count; y--) {
      add(this.runsAt(y), this.rows[y]!.wrapped && y + this.past.length > 0);
    }
    let at = this.past.length - 1;
    for (; at >= 0 && lines.length < count; at--) {
      add(this.past[at]!.runs, this.past[at]!.wrapped && at > 0);
    }
    return { lines: lines.reverse(), cut: lines.length >= count && at >= 0 };
  }

  lineFeed(pen: Pen): void {
    this.down(pen, false);
    this.x = Math.min(this.x, this.size.columns - 1);
  }

  /** Moves to the next row because this one is full. */
  wrap(pen: Pen): void {
    if (this.x < this.size.columns) {
      this.row().erase(this.x, this.size.columns, pen);
    }
    this.x = 0;
    this.down(pen, true);
  }

  index(pen: Pen): void {
    this.clamp();
    this.down(pen, undefined);
    this.clamp();
  }

  reverseIndex(pen: Pen): void {
    this.clamp();
    if (this.y === this.top) {
      this.shift(this.top, this.bottom, 1, pen);
    } else {
      this.y = Math.max(0, this.y - 1);
    }
  }

  combine(character: string): void {
    const row = this.row();
    let x = Math.min(this.x, row.cells.length) - 1;
    if (x < 0 || x < this.x - 1) {
      return;
    }
    if (row.cells[x] === '\u0000') {
      x--;
    }
    if (row.cells[x]) {
      row.cells[x] += character;
    }
  }

  tab(width: number): void {
    if (this.x < this.size.columns) {
      this.x = Math.min(this.size.columns - 1, (Math.floor(this.x / width) + 1) * width);
    }
  }

  tabBack(width: number): void {
    if (this.x < this.size.columns) {
      this.x = Math.max(0, (Math.ceil(this.x / width) - 1) * width);
    }
  }

  moveBy(columns: number, rows: number): void {
    this.clamp();
    this.x += columns;
    this.y += rows;
    this.clamp();
  }

  /** Saves the cursor's position and the other state of the "save" sequence. */
  save(pen: Pen, draws: boolean): void {
    this.saved = { x: this.x, y: this.scrolled + this.y, pen, draws };
  }

  restore(): { readonly pen: Pen; readonly draws: boolean } {
    this.x = this.saved.x;
    this.y = Math.max(0, this.saved.y - this.scrolled);
    this.clamp();
    return this.saved;
  }

  setOrigin(on: boolean): void {
    this.origin = on;
    this.moveTo(0, 0);
  }

  takeCursor({ x, y }: ScreenBuffer): void {
    this.x = this.size.columns === Infinity ? Math.min(x, FAR) : x;
    this.y = y;
  }

  /** Empties all rows. */
  clear(pen: Pen): void {
    this.rows = [];
    this.fill();
    this.rows.forEach((row) => row.erase(0, this.size.columns, pen));
  }

  softReset(): void {
    this.top = 0;
    this.bottom = this.size.rows - 1;
    this.origin = false;
    this.saved = { x: 0, y: this.scrolled, pen: PLAIN, draws: false };
  }

  reset(): void {
    this.clear(PLAIN);
    this.forgetPast();
    this.x = this.y = this.scrolled = 0;
    this.softReset();
  }

  /** Runs `CSI first ; second final`. @param count `first`, at least 1 */
  act(final: string, first: number, second: number, count: number, pen: Pen): void {
    const { columns, rows } = this.size;
    switch (final) {
      case 'A':
      case 'F':
        this.moveBy(0, -Math.min(count, this.y >= this.top ? this.y - this.top : count));
        if (final === 'F') {
          this.x = 0;
        }
        break;
      case 'B':
      case 'E':
        this.moveBy(0, Math.min(count, this.y <= this.bottom ? this.bottom - this.y : count));
        if (final === 'E') {
          this.x = 0;
        }
        break;
      case 'e':
        this.moveBy(0, count);
        break;
      case 'C':
      case 'a':
        this.moveBy(count, 0);
        break;
      case 'D':
        this.moveBy(-count, 0);
        break;
      case 'G':
      case '`':
        this.moveTo(count - 1, this.y - (this.origin ? this.top : 0));
        break;
      case 'd':
        this.moveTo(this.x, count - 1);
        break;
      case 'H':
      case 'f':
        this.moveTo((second || 1) - 1, count - 1);
        break;
      case 'J':
        this.eraseScreen(first, pen);
        break;
      case 'K':
        this.eraseRow(first, pen);
        break;
      case 'L':
      case 'M':
        this.clamp();
        if (this.y < this.top || this.y > this.bottom) {
          break;
        }
        this.shift(this.y, this.bottom, final === 'L' ? count : -count, pen);
        this.x = 0;
        break;
      case 'S':
        this.shift(this.top, this.bottom, -count, pen);
        break;
      case 'T':
        this.shift(this.top, this.bottom, count, pen);
        break;
      case '@':
        this.clamp();
        this.row().insert(
          this.x,
          Math.min(count, columns === Infinity ? Math.max(0, FAR - this.row().cells.length) : columns - this.x),
          columns,
          pen,
        );
        break;
      case 'P':
        this.clamp();
        this.row().remove(this.x, Math.min(count, columns - this.x), columns, pen);
        break;
      case 'X':
        this.clamp();
        this.row().erase(this.x, Math.min(this.x + count, columns), pen);
        break;
      case 'r': {
        const bottom = second === 0 || second > rows ? rows : second;
        if (bottom <= count) {
          break;
        }
        this.top = count - 1;
        this.bottom = bottom - 1;
        this.moveTo(0, 0);
        break;
      }
    }
  }

  private moveTo(x: number, y: number): void {
    this.x = x;
    this.y = this.origin ? this.top + y : y;
    this.clamp();
  }

  private clamp(): void {
    const [top, bottom] = this.origin ? [this.top, this.bottom] : [0, this.size.rows - 1];
    this.y = Math.min(bottom, Math.max(top, this.y));
    // A cursor move must not extend an unlimited row: a few kilobytes of moves would fill the memory.
    const last = this.size.columns === Infinity ? Math.max(FAR, this.row().cells.length) : this.size.columns - 1;
    this.x = Math.min(last, Math.max(0, this.x));
  }

  /** @param wrapped true when the next row continues this one; undefined keeps its value */
  private down(pen: Pen, wrapped: boolean | undefined): void {
    if (this.y === this.bottom) {
      this.scroll(pen, wrapped ?? false);
    } else {
      this.y = Math.min(this.size.rows - 1, this.y + 1);
      if (wrapped !== undefined) {
        this.row().wrapped = wrapped;
      }
    }
  }

  private scroll(pen: Pen, wrapped: boolean): void {
    const row = this.blank(pen);
    row.wrapped = wrapped;
    // The new row is inserted first, because it may continue the one that leaves.
    this.rows.splice(this.bottom + 1, 0, row);
    if (this.top === 0 && this.keeps) {
      this.keep();
    }
    this.rows.splice(this.top, 1);
  }

  private keep(): void {
    const runs = this.runsAt(0);
    const length = runs.reduce((sum, { text }) => sum + text.length, 1);
    this.past.push({ runs, wrapped: this.rows[0]!.wrapped, length });
    this.scrolled++;
    this.pastLength += length;
    // Output without a terminal is kept whole.
    if (this.pastLength <= 2 * MAX_PAST || this.size.columns === Infinity) {
      return;
    }
    let count = 0;
    while (this.pastLength > MAX_PAST) {
      this.pastLength -= this.past[count++]!.length;
    }
    this.past.splice(0, count);
  }

  private runsAt(y: number): StyledRun[] {
    const next = this.rows[y + 1];
    return this.rows[y]!.runs(next?.wrapped ? next : undefined, this.size.columns);
  }

  private forgetPast(): void {
    this.past = [];
    this.pastLength = 0;
  }

  private eraseScreen(what: number, pen: Pen): void {
    const { columns, rows } = this.size;
    this.clampColumn();
    const clear = (from: number, to: number): void => {
      for (let y = from; y < to; y++) {
        this.rows[y] = this.blank(pen);
      }
    };
    if (what === 0) {
      this.eraseRow(0, pen);
      clear(this.y + 1, rows);
    } else if (what === 1) {
      this.row().erase(0, Math.min(columns, this.x + 1), pen);
      this.row().wrapped = false;
      if (this.x + 1 >= columns && this.rows[this.y + 1]) {
        this.rows[this.y + 1]!.wrapped = false;
      }
      clear(0, this.y);
    } else if (what === 2) {
      clear(0, rows);
    } else if (what === 3) {
      this.forgetPast();
    }
  }

  private eraseRow(what: number, pen: Pen): void {
    const { columns } = this.size;
    this.clampColumn();
    const row = this.row();
    if (what > 2) {
      return;
    }
    row.erase(what === 0 ? this.x : 0, what === 1 ? Math.min(columns, this.x + 1) : columns, pen);
    if (what === 2 || (what === 0 && this.x === 0)) {
      row.wrapped = false;
    }
  }

  /** Erasing does not move the cursor, even past the last column. */
  private clampColumn(): void {
    this.x = Math.min(this.size.columns, Math.max(0, this.x));
  }

  /** Moves the rows from `from` to `to` down by `count`, or up. */
  private shift(from: number, to: number, count: number, pen: Pen): void {
    for (let time = Math.min(Math.abs(count), to - from + 1); time > 0; time--) {
      this.rows.splice(count > 0 ? to : from, 1);
      this.rows.splice(count > 0 ? from : to, 0, this.blank(pen));
    }
  }

  private blank(pen: Pen): Row {
    const row = new Row();
    row.erase(0, this.size.columns, pen);
    return row;
  }

  private fill(): void {
    while (this.rows.length < this.size.rows) {
      this.rows.push(new Row());
    }
  }
}

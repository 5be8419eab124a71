/**
 * Interprets a terminal's output as lines of styled text: colours, overwriting, cursor moves, erasing, scrolling, the alternate screen. The result
 * matches xterm, which shows the output while it is live (a test compares the two). Lines that left the screen are kept as text.
 */
import { TERMINAL_SIZE, type TerminalSize } from '../../../src/core/model/terminalSize';
import { type AnsiEvents, AnsiScanner, type Extent } from '../../../src/text/ansi/scanner';
import { type ControlSequence, controlSequence, escapeSequence, innerControls } from '../../../src/text/ansi/sequences';
import { visibleOutput } from '../../../src/text/characters/textSafety';
import { widthOf } from '../../../src/text/characters/cellWidth';
import { type Pen, PLAIN, type StyledRun, select } from './sgr';
import { REST } from './rows';
import { ScreenBuffer } from './buffer';

export interface ScreenOptions extends TerminalSize {
  /** True when a line feed also returns to the first column, because no terminal has added the carriage return. */
  readonly convertEol: boolean;
}

/** DEC's line drawing, for ` to ~. */
const DRAWING = [...'◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·'];
/** Controls that are equivalent to an escape sequence. */
const C1: Readonly<Record<number, string>> = { 0x84: 'D', 0x85: 'E', 0x8d: 'M' };
const TAB = 8;
const PRINTABLE = /^[ -~]+$/;
/**
 * The UTF-16 units that "repeat" may write: an initial amount, and more for each unit of output. Programs need less, and a hostile output cannot
 * block the screen.
 */
const REPEATS = 100_000;
const REPEATS_EACH = 8;
/** The longest row in which inserting moves the other cells, because each insertion takes time in proportion to them. */
const MAX_MOVED = 10_000;

export class Screen implements AnsiEvents {
  private readonly scanner = new AnsiScanner();
  private readonly main: ScreenBuffer;
  private readonly other: ScreenBuffer;
  private buffer: ScreenBuffer;
  private pen: Pen = PLAIN;
  private wraps = true;
  private inserts = false;
  /** True while letters are line-drawing characters: at present, and in either of two character sets. */
  private draws = false;
  private readonly sets = [false, false];
  private set = 0;
  /** The last character, for "repeat". */
  private last = '';
  private repeatsLeft = REPEATS;

  constructor(private readonly options: ScreenOptions = { ...TERMINAL_SIZE, convertEol: true }) {
    this.main = new ScreenBuffer(options, true);
    this.other = new ScreenBuffer(options, false);
    this.buffer = this.main;
  }

  write(output: string): void {
    this.repeatsLeft += output.length * REPEATS_EACH;
    this.scanner.push(visibleOutput(output), this);
  }

  /** Returns the newest `count` lines. `cut` is true when there are others before them. */
  lines(count = Infinity): { readonly lines: StyledRun[][]; readonly cut: boolean } {
    return this.buffer.lines(count);
  }

  text(text: string): void {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) {
        this.putAll(text.slice(start, at));
        this.control(unit);
        start = at + 1;
      }
    }
    this.putAll(text.slice(start));
  }

  /** @param text without control characters */
  private putAll(text: string): void {
    if (text === '') {
      return;
    }
    const drawn = this.draws ? text.replace(/[`-~]/g, (character) => DRAWING[character.charCodeAt(0) - 0x60]!) : text;
    if (PRINTABLE.test(drawn) && this.wraps && !this.inserts) {
      this.printPlain(drawn);
    } else {
      for (const character of drawn) {
        this.print(character);
      }
    }
  }

  sequence(raw: string, extent: Extent): void {
    const { last } = this;
    this.last = '';
    if (extent !== 'whole') {
      return;
    }
    const sequence = controlSequence(raw);
    const escape = sequence ? undefined : escapeSequence(raw);
    if (sequence || escape) {
      innerControls(raw).forEach((code) => this.control(code));
    }
    if (sequence) {
      this.act(sequence, last);
    } else if (escape) {
      this.escape(escape.final, escape.intermediates);
    }
  }

  private control(code: number): void {
    const { buffer } = this;
    this.last = '';
    const escape = C1[code];
    if (escape !== undefined) {
      return this.escape(escape, '');
    }
    switch (code) {
      case 0x08:
        buffer.moveBy(-1, 0);
        break;
      case 0x09:
        buffer.tab(TAB);
        break;
      case 0x0a:
      case 0x0b:
      case 0x0c:
        if (this.options.convertEol) {
          buffer.x = 0;
        }
        buffer.lineFeed(this.pen);
        break;
      case 0x0d:
        buffer.x = 0;
        break;
      case 0x0e:
      case 0x0f:
        this.set = 0x0f - code;
        this.draws = this.sets[this.set]!;
        break;
    }
  }

  private escape(final: string, intermediates: string): void {
    const { buffer, pen } = this;
    if (intermediates === '(' || intermediates === ')') {
      this.sets[intermediates === '(' ? 0 : 1] = final === '0';
      this.draws = this.sets[this.set]!;
    }
    if (intermediates !== '') {
      return;
    }
    switch (final) {
      case '7':
        buffer.save(pen, this.draws);
        break;
      case '8':
        this.restore();
        break;
      case 'D':
        buffer.index(pen);
        break;
      case 'E':
        buffer.x = 0;
        buffer.index(pen);
        break;
      case 'M':
        buffer.reverseIndex(pen);
        break;
      case 'c':
        this.reset();
        break;
    }
  }

  private act({ final, parameters, prefix, intermediates }: ControlSequence, last: string): void {
    if (prefix === '?' && (final === 'h' || final === 'l')) {
      return numbers(parameters).forEach((mode) => this.setMode(mode, final === 'h'));
    }
    // Protection against selective erasing is not supported.
    if (prefix !== '' && !(prefix === '?' && (final === 'J' || final === 'K'))) {
      return;
    }
    if (intermediates !== '') {
      return void (intermediates === '!' && final === 'p' && this.softReset());
    }
    const { buffer, pen } = this;
    const [first = 0, second = 0] = numbers(parameters);
    const count = Math.min(first || 1, 10_000);
    switch (final) {
      case 'm':
        this.pen = select(pen, parameters);
        break;
      case 'h':
      case 'l':
        if (numbers(parameters).includes(4)) {
          this.inserts = final === 'h';
        }
        break;
      case 'b':
        for (let time = 0; last && time < count && this.repeatsLeft >= last.length; time++) {
          this.repeatsLeft -= last.length;
          for (const character of last) {
            this.print(character);
          }
        }
        this.last = '';
        break;
      case 's':
        buffer.save(pen, this.draws);
        break;
      case 'u':
        this.restore();
        break;
      case 'I':
        for (let time = 0; time < Math.min(count, 500); time++) {
          buffer.tab(TAB);
        }
        break;
      case 'Z':
        for (let time = 0; time < Math.min(count, 500); time++) {
          buffer.tabBack(TAB);
        }
        break;
      default:
        buffer.act(final, first, second, count, pen);
    }
  }

  private print(character: string): void {
    const { buffer, pen } = this;
    const { columns } = this.options;
    const width = widthOf(character.codePointAt(0)!);
    if (width === 0) {
      if (this.last) {
        this.last += character;
      }
      return buffer.combine(character);
    }
    this.last = character;
    if (buffer.x + width > columns) {
      if (this.wraps) {
        buffer.wrap(pen);
      } else {
        buffer.x = columns - 1;
        if (width === 2) {
          return;
        }
      }
    }
    const row = buffer.row();
    if (this.inserts && row.cells.length < MAX_MOVED) {
      row.insert(buffer.x, width, columns, pen);
    }
    row.split(buffer.x);
    row.split(buffer.x + width);
    row.put(buffer.x++, character, pen);
    if (width === 2) {
      row.put(buffer.x++, REST, pen);
    }
  }

  /** The common case: one cell per character. */
  private printPlain(text: string): void {
    const { buffer, pen } = this;
    const { columns } = this.options;
    for (let at = 0; at < text.length; ) {
      if (buffer.x >= columns) {
        buffer.wrap(pen);
      }
      const end = Math.min(text.length, at + columns - buffer.x);
      buffer.row().write(buffer.x, text.slice(at, end), pen);
      buffer.x += end - at;
      at = end;
    }
    this.last = text.at(-1)!;
  }

  private setMode(mode: number, on: boolean): void {
    const { buffer } = this;
    if (mode === 7) {
      this.wraps = on;
    } else if (mode === 6) {
      buffer.setOrigin(on);
    } else if (mode === 1048 && on) {
      buffer.save(this.pen, this.draws);
    } else if (mode === 1048) {
      this.restore();
    } else if (mode === 47 || mode === 1047 || mode === 1049) {
      if (on && mode === 1049) {
        buffer.save(this.pen, this.draws);
      }
      this.swap(on);
      if (!on && mode === 1049) {
        this.restore();
      }
    }
  }

  private swap(toOther: boolean): void {
    const next = toOther ? this.other : this.main;
    if (next === this.buffer) {
      return;
    }
    next.takeCursor(this.buffer);
    if (toOther) {
      next.clear(this.pen);
    }
    this.buffer = next;
  }

  private restore(): void {
    ({ pen: this.pen, draws: this.draws } = this.buffer.restore());
  }

  private softReset(): void {
    this.pen = PLAIN;
    this.wraps = true;
    this.inserts = false;
    this.set = 0;
    this.draws = false;
    this.sets.fill(false);
    this.buffer.softReset();
  }

  private reset(): void {
    this.softReset();
    this.main.reset();
    this.other.reset();
    this.buffer = this.main;
  }
}

/** The lines of an output without a terminal, in their full length. */
export function outputLines(output: string): StyledRun[][] {
  const screen = new Screen({ columns: Infinity, rows: TERMINAL_SIZE.rows, convertEol: true });
  screen.write(output);
  return screen.lines().lines;
}

/** An output's plain text. */
export function plainLines(lines: readonly (readonly StyledRun[])[]): string {
  return lines.map((runs) => runs.map((run) => run.text).join('')).join('\n');
}

function numbers(parameters: string): number[] {
  return parameters.split(';').map((number) => Math.min(Number.parseInt(number, 10) || 0, 100_000));
}

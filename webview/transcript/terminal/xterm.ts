/**
 * A real terminal for display, loaded when the first live command is on the screen. It sends no answers and takes no keys. Web addresses are links.
 * Links that programs define are not, because their text may name another address.
 */
import { type IDisposable, Terminal } from '@xterm/xterm';
import sheetText from 'style:@xterm/xterm/css/xterm.css';
import type { TerminalSize } from '../../../src/core/model/terminalSize';
import { widthOf } from '../../../src/text/characters/cellWidth';
import { TerminalLinks } from './terminalLinks';
import { terminalTheme, watchTheme } from './theme';

/** Lines above the screen. */
const SCROLLBACK = 1000;
const CELLS = 'cells';
/** Modes in which a program requests the mouse, the focus or pasted text. Here they would only disable the user's selection. */
const INPUT_MODES: ReadonlySet<number | number[]> = new Set([9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004]);

let sheet: CSSStyleSheet | undefined;

export interface LiveOptions {
  readonly size: TerminalSize;
  readonly convertEol: boolean;
  /** Reports the number of rows from the top that have text. The number never shrinks. */
  onRows(rows: number, rowHeight: number): void;
  /** Opens a web address that the user clicked. */
  openLink(address: string): void;
}

export class LiveTerminal {
  private readonly terminal: Terminal;
  private readonly disposables: IDisposable[] = [];
  private readonly unwatch: () => void;
  private rows = 1;

  /** @param element in the document, with the terminal's background and font */
  constructor(
    private readonly element: HTMLElement,
    private readonly options: LiveOptions,
  ) {
    adoptSheet();
    const { fontFamily, fontSize } = getComputedStyle(element);
    const { columns: cols, rows } = options.size;
    this.terminal = new Terminal({
      allowProposedApi: true,
      cols,
      rows,
      convertEol: options.convertEol,
      cursorBlink: false,
      cursorInactiveStyle: 'outline',
      disableStdin: true,
      fontFamily,
      fontSize: Number.parseFloat(fontSize) || 12,
      // As in the text view, output must be readable in every theme.
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK,
      theme: terminalTheme(element),
    });
    this.refuse();
    this.terminal.open(element);
    // The terminal is excluded from the Tab order and from screen readers, because its text is beside it.
    this.terminal.element!.setAttribute('aria-hidden', 'true');
    this.terminal.textarea!.tabIndex = -1;
    this.terminal.attachCustomKeyEventHandler(() => false);
    this.terminal.attachCustomWheelEventHandler(() => this.terminal.buffer.active.type === 'normal');
    this.disposables.push(
      this.terminal.onRender(() => this.measure()),
      this.terminal.registerLinkProvider(new TerminalLinks(this.terminal, options.openLink)),
    );
    this.unwatch = watchTheme(() => (this.terminal.options.theme = terminalTheme(element)));
  }

  /** Writes `text`. With `anew` it replaces all earlier output. */
  write(text: string, isReset: boolean): void {
    if (isReset) {
      this.terminal.reset();
    }
    this.terminal.write(text);
  }

  resize({ columns, rows }: TerminalSize): void {
    this.terminal.resize(columns, rows);
  }

  /** @param pages screens to scroll by; Infinity scrolls to the end */
  scroll(pages: number): void {
    if (Math.abs(pages) === Infinity) {
      this.terminal.scrollLines(Math.sign(pages) * 1e6);
    } else {
      this.terminal.scrollLines(Math.round(pages * (this.terminal.rows - 1)) || Math.sign(pages));
    }
  }

  /** The text on the screen. */
  text(): string {
    const { active } = this.terminal.buffer;
    const lines = Array.from({ length: this.terminal.rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }

  dispose(): void {
    this.unwatch();
    for (const each of this.disposables) {
      each.dispose();
    }
    this.terminal.dispose();
  }

  private measure(): void {
    const { buffer, rows } = this.terminal;
    const { active } = buffer;
    let used = rows;
    if (active.baseY === 0 && active.type === 'normal') {
      while (used > active.cursorY + 1 && !active.getLine(used - 1)?.translateToString(true)) {
        used--;
      }
    }
    this.rows = Math.max(this.rows, used);
    this.options.onRows(this.rows, this.element.querySelector('.xterm-screen')!.clientHeight / rows);
  }

  private refuse(): void {
    const { parser, unicode } = this.terminal;
    unicode.register({
      version: CELLS,
      wcwidth: widthOf,
      charProperties: (codePoint: number, preceding: number) => {
        const width = widthOf(codePoint);
        const joins = width === 0 && widthIn(preceding) > 0;
        return ((joins ? widthIn(preceding) : width) << 1) | (joins ? 1 : 0);
      },
    });
    unicode.activeVersion = CELLS;
    this.disposables.push(
      parser.registerOscHandler(8, () => true),
      parser.registerOscHandler(52, () => true),
      parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) => modes.every((mode) => INPUT_MODES.has(mode))),
      // xterm 6 fails to erase the whole screen when the cursor is at its very last cell.
      parser.registerCsiHandler({ final: 'J' }, ([what]) => {
        const { cursorX, cursorY } = this.terminal.buffer.active;
        return what === 1 && cursorY === this.terminal.rows - 1 && cursorX >= this.terminal.cols - 1;
      }),
    );
  }
}

/** The width, from xterm's properties of a character. */
function widthIn(properties: number): number {
  return (properties >> 1) & 3;
}

function adoptSheet(): void {
  if (sheet) {
    return;
  }
  sheet = new CSSStyleSheet();
  sheet.replaceSync(sheetText);
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
}

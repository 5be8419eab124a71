/** Makes web addresses on the screen of a live terminal links for the pointer. */
import type { IBufferRange, ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import { linkKind } from '../../../src/text/links/linkKind';
import { linkTitle } from '../../markdown/links';
import { addressesIn } from './outputLinks';

/** Rows of one line that are searched. */
const MAX_ROWS = 40;

/** A cell of the buffer, counted from 1. */
type Cell = IBufferRange['start'];

export class TerminalLinks implements ILinkProvider {
  constructor(
    private readonly terminal: Pick<Terminal, 'buffer' | 'cols' | 'element'>,
    private readonly open: (address: string) => void,
  ) {}

  /** @param row counted from 1 */
  provideLinks(row: number, callback: (links: ILink[] | undefined) => void): void {
    const { text, cells } = this.lineAt(row - 1);
    const links = addressesIn(text).flatMap(([start, end]): ILink[] => {
      const address = text.slice(start, end);
      const range = { start: cells[start]!, end: cells[end - 1]! };
      return linkKind(address) === 'web' ? [this.link(address, range)] : [];
    });
    callback(links);
  }

  private link(address: string, range: IBufferRange): ILink {
    const { element } = this.terminal;
    return {
      text: address,
      range,
      activate: (event) => event.button === 0 && this.open(address),
      hover: () => element?.setAttribute('title', linkTitle(address)),
      leave: () => element?.removeAttribute('title'),
    };
  }

  /** The whole line that contains a row, and the cell of each UTF-16 unit: an address may continue in the next row. */
  private lineAt(row: number): { readonly text: string; readonly cells: readonly Cell[] } {
    const { active } = this.terminal.buffer;
    let first = row;
    while (first > 0 && row - first < MAX_ROWS && active.getLine(first)?.isWrapped) {
      first--;
    }
    let text = '';
    const cells: Cell[] = [];
    for (let y = first; y < first + 2 * MAX_ROWS && (y === first || active.getLine(y)?.isWrapped); y++) {
      const line = active.getLine(y);
      for (let x = 0; x < this.terminal.cols; x++) {
        const cell = line?.getCell(x);
        // The second half of a wide character has no text.
        const chars = cell?.getWidth() === 0 ? '' : cell?.getChars() || ' ';
        text += chars;
        cells.push(...Array.from({ length: chars.length }, () => ({ x: x + 1, y: y + 1 })));
      }
    }
    return { text, cells };
  }
}

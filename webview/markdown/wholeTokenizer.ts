/**
 * Blocks as agents write them. What a row of a table has beyond the header's columns, mostly for a sign of "or" in code, is shown too: GFM would drop
 * it. A quote is only so long (see `bounds`), and a table that would be cells without words, mostly, is none.
 */
import { Tokenizer, type Tokens } from 'marked';
import { MAX_PART } from './bounds';

/** Cells that a table may have whatever they say, and how many for each bar or line break in it. */
const FREE_CELLS = 1000;
const CELLS_PER_BAR = 4;

export class WholeTokenizer extends Tokenizer {
  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (source.length <= MAX_PART || !/^ {0,3}>/.test(source)) return super.blockquote(source);
    const lineEnd = source.lastIndexOf('\n', MAX_PART - 1) + 1;
    const quote = super.blockquote(source.slice(0, lineEnd > 1 ? lineEnd : MAX_PART));
    return quote && quote.raw.length >= (lineEnd > 1 ? lineEnd : MAX_PART) - 1 ? ({ ...quote, cut: true } as Tokens.Blockquote) : quote;
  }

  override table(source: string): Tokens.Table | undefined {
    if (this.isEmpty(source)) return undefined;
    const table = super.table(source);
    if (!table) return undefined;
    const lines = table.raw.split('\n').slice(2);
    table.rows.forEach((row, index) => {
      const more = cellsOf(lines[index] ?? '').slice(row.length);
      for (const text of more) row.push({ text, tokens: this.lexer.inline(text), header: false, align: null });
    });
    return table;
  }

  private isEmpty(source: string): boolean {
    const [raw, header] = this.rules.block.table.exec(source) ?? [];
    if (raw === undefined || header === undefined) return false;
    const columns = header.split('|').length;
    const lines = raw.split('\n').length;
    return columns * lines > FREE_CELLS && columns * lines > CELLS_PER_BAR * (raw.split('|').length + lines);
  }
}

/** Parted by bars that have no backslash of their own. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === '|') {
      cells.push(line.slice(start, at));
      start = at + 1;
    }
  }
  cells.push(line.slice(start));
  if (cells[0]!.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

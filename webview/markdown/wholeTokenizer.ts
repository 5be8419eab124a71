/** Tables as agents write them: what a row has beyond the header's columns, mostly for a sign of "or" in code, is shown too. GFM would drop it. */
import { Tokenizer, type Tokens } from 'marked';

export class WholeTokenizer extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    const table = super.table(source);
    if (!table) return undefined;
    const lines = table.raw.split('\n').slice(2);
    table.rows.forEach((row, index) => {
      const more = cellsOf(lines[index] ?? '').slice(row.length);
      for (const text of more) row.push({ text, tokens: this.lexer.inline(text), header: false, align: null });
    });
    return table;
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

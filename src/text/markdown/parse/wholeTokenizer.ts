/**
 * Tokenizes blocks in the way agents write them. Cells of a row beyond the header's columns are shown, although GFM would drop them: mostly they come
 * from an "or" sign in code. Quotes have a maximum length (see `bounds`), and a table of mostly empty cells is not a table.
 */
import { type Token, Tokenizer, type Tokens } from 'marked';
import { CJK_PUNCTUATION } from '../../characters/cjk';
import { linkKind } from '../../links/linkKind';
import { MAX_HEADING, MAX_PART } from './bounds';
import { type NoteReference, type NoteToken, noteAt, noteTag, referenceAt } from './notes';
import { RunLexer } from './runLexer';
import { type DetailsToken, detailsAt, startsWithLineTag } from './tags';

/** The number of cells that a table may always have, and the number for each bar or line break in it. */
const FREE_CELLS = 1000;
const CELLS_PER_BAR = 4;

/** The most UTF-16 units of a link to a path with spaces. */
const MAX_SPACED = 1000;
const SPACED_LINK = /^\[((?:[^[\]\\\n]|\\.)+)\]\(([^()<>\n"]+(?:\([^()<>\n"]*\)[^()<>\n"]*)*)\)/;
/** A position in a file: `:12:3`, `:12-20`, `#L3-L5`, `(12,3)`. */
const PLACE_END =
  /(?::\d{1,9}(?::\d{1,9})?(?:-\d{1,9}(?::\d{1,9})?)?|#L\d{1,9}(?:C\d{1,9})?(?:-L?\d{1,9}(?:C\d{1,9})?)?|\(\d{1,9}(?:,\s?\d{1,9})?\))$/;
/** A file name with an extension, or a well-known one without. */
const FILE_END = /[^\s/\\.]\.[A-Za-z0-9]{1,10}$|[/\\](?:\.[A-Za-z][\w.-]*|[A-Z][a-z]+file|LICEN[CS]E|README|CHANGELOG)$/;

function isSpacedPath(href: string): boolean {
  return FILE_END.test(href.trim().replace(PLACE_END, '')) && linkKind(href) === 'path';
}

export class WholeTokenizer extends Tokenizer {
  /** The depth of nested calls. */
  private inside = 0;

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return /^ {0,3}>/.test(source) ? this.cut(source, MAX_PART, (text) => super.blockquote(text)) : undefined;
  }

  override list(source: string): Tokens.List | undefined {
    return this.cut(source, Infinity, (text) => super.list(text));
  }

  override heading(source: string): Tokens.Heading | undefined {
    return this.cut(source, Infinity, (text) => super.heading(text));
  }

  override lheading(source: string): Tokens.Heading | undefined {
    return super.lheading(upToLine(source, MAX_HEADING));
  }

  override html(source: string): Tokens.HTML | undefined {
    if (!/^ {0,3}</.test(source) || startsWithLineTag(source)) {
      return undefined;
    }
    return this.cut(source, Infinity, (text) => this.details(text)) ?? super.html(source);
  }

  private details(source: string): Tokens.HTML | undefined {
    const found = detailsAt(source);
    if (!found) {
      return undefined;
    }
    const { raw, open, summary, body } = found;
    const { state } = this.lexer;
    const { top } = state;
    state.top = true;
    const tokens = this.lexer.blockTokens(body, []);
    state.top = top;
    const token: DetailsToken = { type: 'details', raw, open, summary: summary ? this.lexer.inline(summary) : undefined, tokens };
    return token as unknown as Tokens.HTML;
  }

  override def(source: string): Tokens.Def | undefined {
    const note = noteAt(source);
    if (note) {
      const tag = noteTag(note.label);
      // A second note with the same label stays text, because its own text would be lost.
      if (this.lexer.tokens.links[tag]) {
        return undefined;
      }
      const token: NoteToken = {
        type: 'def',
        tag,
        raw: note.raw,
        href: '',
        title: '',
        note: note.label,
        tokens: this.lexer.inline(note.text),
      };
      return token;
    }
    return /^ {0,3}\[/.test(source) && source.slice(0, MAX_HEADING).includes(']:') ? super.def(source) : undefined;
  }

  /** Ends a bare address before Chinese, Japanese and Korean punctuation, which no address contains unescaped. */
  override url(source: string): Tokens.Link | undefined {
    const token = super.url(source);
    const end = token ? token.raw.search(CJK_PUNCTUATION) : -1;
    return end < 0 ? token : super.url(source.slice(0, end));
  }

  override reflink(source: string, links: Parameters<Tokenizer['reflink']>[1]): Tokens.Link | Tokens.Image | Tokens.Text | undefined {
    const label = referenceAt(source);
    if (label !== undefined && links[noteTag(label)]) {
      return { type: 'note', raw: `[^${label}]`, text: label } satisfies NoteReference as unknown as Tokens.Text;
    }
    return super.reflink(source, links);
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    return super.link(source) ?? this.spacedLink(source);
  }

  /** Returns a link to a file with spaces in its path. Agents often write it without the angle brackets that CommonMark requires. */
  private spacedLink(source: string): Tokens.Link | undefined {
    const [raw, text, href] = SPACED_LINK.exec(source.slice(0, MAX_SPACED)) ?? [];
    if (raw === undefined || text === undefined || href === undefined || !/\S\s+\S/.test(href) || !isSpacedPath(href)) {
      return undefined;
    }
    const { state } = this.lexer;
    const { inLink } = state;
    state.inLink = true;
    const tokens = this.lexer.inlineTokens(text);
    state.inLink = inLink;
    return { type: 'link', raw, href: href.trim(), title: null, text, tokens };
  }

  /** Applies `rule` to the beginning of `source` that it may read. */
  private cut<T extends Token>(source: string, most: number, rule: (text: string) => T | undefined): T | undefined {
    // A quote continues in its lists and quotes by calls of the same rules, with texts that are not the document's.
    const { length } = this.inside > 0 || !(this.lexer instanceof RunLexer) ? source : this.lexer.within(source);
    if (Math.min(most, length) >= source.length) {
      return this.nested(source, rule);
    }
    const last = Math.min(most, length);
    const lineEnd = source.lastIndexOf('\n', last - 1) + 1;
    const text = source.slice(0, lineEnd > 1 ? lineEnd : last);
    const token = this.nested(text, rule);
    return token && token.raw.length >= text.trimEnd().length ? { ...token, cut: true } : token;
  }

  private nested<T>(text: string, rule: (text: string) => T): T {
    this.inside++;
    try {
      return rule(text);
    } finally {
      this.inside--;
    }
  }
  override table(source: string): Tokens.Table | undefined {
    const table = this.cut(source, Infinity, (text) => (this.isEmpty(text) ? undefined : super.table(text)));
    if (!table) {
      return undefined;
    }
    const lines = table.raw.split('\n').slice(2);
    table.rows.forEach((row, index) => {
      const more = cellsOf(lines[index] ?? '').slice(row.length);
      for (const text of more) {
        row.push({ text, tokens: this.lexer.inline(text), header: false, align: null });
      }
    });
    return table;
  }

  private isEmpty(source: string): boolean {
    const [raw, header] = this.rules.block.table.exec(source) ?? [];
    if (raw === undefined || header === undefined) {
      return false;
    }
    const columns = header.split('|').length;
    const lines = raw.split('\n').length;
    return columns * lines > FREE_CELLS && columns * lines > CELLS_PER_BAR * (raw.split('|').length + lines);
  }
}

/** Returns the beginning of `text`, about `length` units, with whole lines. */
function upToLine(text: string, length: number): string {
  const end = text.length > length ? text.indexOf('\n', length) : -1;
  return end < 0 ? text : text.slice(0, end + 1);
}

/** Splits a line at bars that are not escaped. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') {
      at++;
    } else if (line[at] === '|') {
      cells.push(line.slice(start, at));
      start = at + 1;
    }
  }
  cells.push(line.slice(start));
  if (cells[0]!.trim() === '') {
    cells.shift();
  }
  if (cells.at(-1)?.trim() === '') {
    cells.pop();
  }
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/**
 * Reads markdown as plain text. Besides the page's components, which show the same leaves, this is the only reader of the lexer's tokens. Find, in
 * the host and in the page, and speech are writers for the same walk. Pure.
 */
import type { Token, Tokens } from 'marked';
import { escapeMisleading } from '../characters/textSafety';
import { EDGE } from './edge';
import { blockText, codeOrFormula, inlineText } from './leafTokens';
import { isInlineImage } from '../links/linkKind';
import type { MathToken } from './parse/mathLexer';
import { isNote } from './parse/notes';
import type { DetailsToken } from './parse/tags';
import { withoutReferences } from './references';

/** The construct whose beginning or end is an edge. Text never continues across an edge. */
export type Edge = 'block' | 'heading' | 'item' | 'row' | 'cell' | 'picture';

/** Receives the text of blocks, in order. All texts are safe to display. */
export interface TextWriter {
  text(words: string): void;
  /** A hard line break. */
  lineBreak(): void;
  /** Called before and after a construct. Several edges at one position count as one. */
  edge(of: Edge): void;
  /** A block of code. */
  code(text: string): void;
  /** @param source as written, with delimiters @param display true for a block */
  formula(source: string, display: boolean): void;
  /** A picture that is shown; its `name` is not. */
  picture(name: string): void;
}

/** Reads `blocks` with an edge around each. */
export function readBlocks(blocks: readonly Token[], writer: TextWriter): void {
  for (const block of blocks) {
    writer.edge('block');
    readBlock(block, writer);
    writer.edge('block');
  }
}

function readBlock(block: Token, writer: TextWriter): void {
  switch (block.type) {
    case 'paragraph':
    case 'part':
      return around('block', writer, () => readLine((block as Tokens.Paragraph).tokens, writer));
    case 'text': // The text of an item in a tight list.
      return block.tokens ? readLine(block.tokens, writer) : writer.text(blockText(block));
    case 'heading':
      return around('heading', writer, () => readLine((block as Tokens.Heading).tokens, writer));
    case 'code':
    case 'math': {
      const shown = codeOrFormula(block as Tokens.Code | MathToken);
      return shown.type === 'code' ? writer.code(escapeMisleading(shown.text)) : writer.formula(escapeMisleading(shown.source), true);
    }
    case 'details': {
      const { summary, tokens } = block as DetailsToken;
      around('block', writer, () => readLine(summary ?? [], writer));
      return around('block', writer, () => readAll(tokens, writer));
    }
    case 'blockquote':
      return around('block', writer, () => readAll((block as Tokens.Blockquote).tokens, writer));
    case 'list':
      return (block as Tokens.List).items.forEach((item) => around('item', writer, () => readAll(item.tokens, writer)));
    case 'table': {
      const { header, rows } = block as Tokens.Table;
      return [header, ...rows].forEach((row) =>
        around('row', writer, () => row.forEach((cell) => around('cell', writer, () => readLine(cell.tokens, writer)))),
      );
    }
    default: {
      return around('block', writer, () => {
        if (isNote(block)) {
          writer.text(`${escapeMisleading(block.note)} `);
          return readLine(block.tokens, writer);
        }
        writer.text(blockText(block));
      });
    }
  }
}

function readAll(blocks: readonly Token[], writer: TextWriter): void {
  for (const block of blocks) {
    readBlock(block, writer);
  }
}

function around(edge: Edge, writer: TextWriter, read: () => void): void {
  writer.edge(edge);
  read();
  writer.edge(edge);
}

/** Reads inline tokens. */
function readLine(tokens: readonly Token[], writer: TextWriter): void {
  for (const token of tokens) {
    switch (token.type) {
      case 'math': {
        const { raw, display } = token as MathToken;
        writer.formula(escapeMisleading(raw), display);
        break;
      }
      case 'br':
        writer.lineBreak();
        break;
      case 'image':
        if (isInlineImage(withoutReferences((token as Tokens.Image).href))) {
          writer.picture(inlineText(token));
        } else {
          writer.text(inlineText(token));
        }
        break;
      default: {
        const nested = isContainer(token) ? (token as Tokens.Generic).tokens : undefined;
        if (nested) {
          readLine(nested, writer);
        } else {
          writer.text(inlineText(token));
        }
      }
    }
  }
}

function isContainer({ type }: Token): boolean {
  return type === 'text' || type === 'strong' || type === 'em' || type === 'del' || type === 'link' || type === 'tag';
}

/** Returns the words of `blocks` as the page shows them, with two line breaks at each edge and formulas as written. */
export function plainText(blocks: readonly Token[]): string {
  const writer = new PlainTextWriter();
  readBlocks(blocks, writer);
  return writer.toString();
}

class PlainTextWriter implements TextWriter {
  private readonly parts: string[] = [];
  private isAtEdge = true;

  text(words: string): void {
    if (words !== '') {
      this.parts.push(words);
      this.isAtEdge = false;
    }
  }

  lineBreak(): void {
    this.text('\n');
  }

  edge(): void {
    if (!this.isAtEdge) {
      this.parts.push(EDGE);
      this.isAtEdge = true;
    }
  }

  code(text: string): void {
    this.edge();
    this.text(text);
    this.edge();
  }

  formula(source: string, display: boolean): void {
    if (display) {
      this.code(source);
    } else {
      this.text(source);
    }
  }

  picture(): void {
    this.edge();
  }

  toString(): string {
    return this.parts.join('');
  }
}

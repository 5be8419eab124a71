/** A fenced code block or a formula without its end. It grows without the lexer, so that a long one costs only its new pieces. */
import type { Token, Tokens } from 'marked';
import { isMath, type MathToken } from './mathLexer';

/** The longest fence that is handled this way. */
const MAX_FENCE = 100;

export class OpenFence {
  private constructor(
    private block: Tokens.Code | MathToken,
    /** Matches a line that may close it. */
    private readonly close: RegExp,
    /** The code or the TeX so far. */
    private body: string,
  ) {
    this.line = lastLine(body);
  }

  /** The last line of the body, which is still being written. */
  private line: string;

  /** Returns the open fence for `block`, when nothing closes it before the end of `tail`. */
  static of(block: Token | undefined, tail: string): OpenFence | undefined {
    if (!block || !tail.endsWith(block.raw)) {
      return undefined;
    }
    if (isMath(block)) {
      return ofMath(block);
    }
    if (block.type !== 'code') {
      return undefined;
    }
    // Only a fence at the margin: the lines of an indented one lose their indentation.
    const lineEnd = block.raw.indexOf('\n');
    // One expression for the whole line would backtrack through a long fence for each of its signs.
    const [fence = ''] = /^(?:`{3,}|~{3,})/.exec(block.raw) ?? [];
    if (lineEnd < 0 || fence === '' || fence.length > MAX_FENCE) {
      return undefined;
    }
    const close = new RegExp(`^ {0,3}${fence}[~\`]* *$`, 'm');
    const body = block.raw.slice(lineEnd + 1);
    return close.test(body) ? undefined : new OpenFence(block as Tokens.Code, close, body);

    function ofMath(math: MathToken): OpenFence | undefined {
      const end = math.raw.trimStart().startsWith('$$') ? /\$\$/ : /\\\]/;
      return math.open && math.text.includes('\n') && !end.test(math.text) ? new OpenFence(math, end, math.text) : undefined;
    }
  }

  /** Returns the block with `added` at its end; undefined when that may end it. */
  grow(added: string): Token | undefined {
    const lines = this.line + added;
    if (this.close.test(lines)) {
      return undefined;
    }
    this.line = lastLine(lines);
    this.body += added;
    const text = this.block.type === 'code' && added.endsWith('\n') ? this.body.slice(0, -1) : this.body;
    this.block = { ...this.block, raw: this.block.raw + added, text };
    return this.block;
  }
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

/** What passes between the page and the worker that tokenises its code. Each `text` is answered by one `lines`; nothing else is answered. */

/** A rule of a TextMate theme; of those that fit a token equally well the last one counts. */
export interface StyleRule {
  /** Absent: for everything. */
  readonly scope?: readonly string[];
  /** An index into the page's list of colours, from 1. */
  readonly colour?: number;
  /** Of `italic`, `bold`, `underline` and `strikethrough`, with spaces between; '' takes away what a wider rule gives. */
  readonly fontStyle?: string;
}

/** Colours a theme may have: what the tokeniser has room for. */
export const MAX_COLOURS = 500;

/**
 * The tokens of a line, flat: where one starts (UTF-16 units), its style, where the next one starts, and so on. Neighbours differ in style.
 * An empty line of tokens is plain.
 */
export type LineTokens = readonly number[];

/** A style is a number: the colour's index (0: the text's own), and above it the bits of the font's style. */
export const COLOUR_BITS = 12;
export const FONT = { italic: 1, bold: 2, underline: 4, strikethrough: 8 } as const;

export type ToWorker =
  /** Before anything else. All blocks are forgotten, since their states hold the old colours. */
  | { readonly type: 'theme'; readonly rules: readonly StyleRule[] }
  /** Before a block of it. Grammars are JSON, the language's own first, those that are injected into it last. */
  | { readonly type: 'language'; readonly language: string; readonly grammars: readonly string[]; readonly injected: number }
  /** More of a block; its first piece makes it. */
  | { readonly type: 'text'; readonly block: number; readonly language: string; readonly text: string }
  | { readonly type: 'close'; readonly block: number };

export interface FromWorker {
  readonly block: number;
  /** 0-based number of the first of `lines`. The last one is not at its end, and comes again with the next piece. */
  readonly from: number;
  readonly lines: readonly LineTokens[];
}

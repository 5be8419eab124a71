/** The messages between the page and the tokenizing worker. Each `text` is answered by one `lines`; no other message has an answer. */

/** A rule of a TextMate theme. Among rules that fit a token equally well the last one applies. */
export interface StyleRule {
  /** Absent for a rule that applies to everything. */
  readonly scope?: readonly string[];
  /** An index into the page's list of colours, from 1. */
  readonly colour?: number;
  /** A combination of `italic`, `bold`, `underline` and `strikethrough`, separated by spaces; '' removes the style of a more general rule. */
  readonly fontStyle?: string;
}

/** The most colours of a theme, limited by the tokenizer. */
export const MAX_COLOURS = 500;

/**
 * The tokens of a line as a flat array: the offset of a token (UTF-16 units), its style, the offset of the next one, and so on. Neighbours differ in
 * style. An empty array is a plain line.
 */
export type LineTokens = readonly number[];

/** A style is a number: the colour's index (0: the text's own), and in the higher bits the font style. */
export const COLOUR_BITS = 12;
export const FONT = { italic: 1, bold: 2, underline: 4, strikethrough: 8 } as const;

export type ToWorker =
  /** Sent before anything else. The worker forgets all blocks, because their states hold the old colours. */
  | { readonly type: 'theme'; readonly rules: readonly StyleRule[] }
  /** Sent before a block of the language. Grammars are JSON: the language's own first, the injected ones last. */
  | { readonly type: 'language'; readonly language: string; readonly grammars: readonly string[]; readonly injected: number }
  /** More text of a block. The first piece creates the block. */
  | { readonly type: 'text'; readonly block: number; readonly language: string; readonly text: string }
  | { readonly type: 'close'; readonly block: number };

export interface FromWorker {
  readonly block: number;
  /** 0-based number of the first of `lines`. The last line is unfinished and comes again with the next piece. */
  readonly from: number;
  readonly lines: readonly LineTokens[];
}

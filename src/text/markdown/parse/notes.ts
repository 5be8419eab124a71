/** Footnotes: `[^1]: text` on a line of its own, and `[^1]` in a text that has such a note. */
import type { Token, Tokens } from 'marked';

/** A note's text. It is a definition like that of a link, so that references before it are found in the same way. */
export interface NoteToken extends Tokens.Def {
  /** The label between `[^` and `]`. */
  readonly note: string;
  readonly tokens: Token[];
}

/** A reference to a note that exists. */
export interface NoteReference {
  readonly type: 'note';
  readonly raw: string;
  /** The note's label. */
  readonly text: string;
}

/** The most UTF-16 units of a note's lines. */
const MAX_NOTE = 16_384;
const NOTE = /^ {0,3}\[\^([^\][\s^]{1,60})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]*\S[^\n]*)*)(?:\n|$)/;
const REFERENCE = /^\[\^([^\][\s^]{1,60})\](?!:)/;

/** Returns the note at the start of `source`. */
export function noteAt(source: string): { readonly raw: string; readonly label: string; readonly text: string } | undefined {
  const [raw, label, text] = /^ {0,3}\[\^/.test(source) ? (NOTE.exec(source.slice(0, MAX_NOTE)) ?? []) : [];
  return raw === undefined || label === undefined || text === undefined
    ? undefined
    : { raw, label, text: text.replace(/\n[ \t]+/g, '\n').trim() };
}

/** Returns the label of the reference at the start of `source`. */
export function referenceAt(source: string): string | undefined {
  return source.startsWith('[^') ? REFERENCE.exec(source)?.[1] : undefined;
}

/** Returns the tag under which the definitions have a note. */
export function noteTag(label: string): string {
  return `^${label.toLowerCase()}`;
}

/** True for the definition of a note. */
export function isNote(token: Token): token is NoteToken {
  return token.type === 'def' && typeof (token as { note?: unknown }).note === 'string';
}

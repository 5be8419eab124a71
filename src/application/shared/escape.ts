/**
 * Makes untrusted text (from an agent, a command line, a path) safe for VS Code's own surfaces. The result is one line of limited length. It
 * contains nothing that VS Code would draw as an icon or turn into a link, that would reverse the reading order, or that is invisible.
 *
 * VS Code reads `$(name)` as an icon in labels. It reads `[label](command:…)` as a link in notifications, progress, input prompts and validation
 * messages. The expressions are in its `iconLabels` and `linkedText`, and are the same in 1.100 and 1.139. Both need a bracket directly after the
 * character before it. A word joiner between the two, which has no width and allows no line break, is therefore enough wherever the text is shown.
 */
import { columnsOf, numberOf, withoutLineBreaks, withoutUnseen, WORD_JOINER, ZERO_WIDTH_SPACE } from '../../text/characters/characters';
import type { InertText } from './inertText';
import type { Translate, TranslateVerbatim } from './translate';

export type { InertText };

/** The type of a string literal. Excludes `string` and template types that contain it, because these can be any key. */
type Literal<T extends string> = Record<never, never> extends Record<T, 1> ? never : T;

/** The maximum number of UTF-16 units of a sentence's value that the caller did not limit. */
const MAX_VALUE = 10_000;
/** Also matches at both ends, because the adjacent text is unknown. */
const BEFORE_BRACKET = /(?<=[\]$])(?=\(|$)|^(?=\()/g;
/** The joiners that {@link BEFORE_BRACKET} inserts, as opposed to joiners in the original text. */
const OWN_JOINER = new RegExp(`(?<=[\\]$])${WORD_JOINER}|${WORD_JOINER}(?=\\()`, 'g');

/**
 * Returns `text` as one visible, inert line of about `max` UTF-16 units. The middle of a longer text is left out and counted, because both ends
 * of a command matter. The text is cut first, so that escaping a huge text costs little. The escapes may then make it longer than `max`, but at
 * most 9 times.
 */
export function inertLine(text: string, max = Infinity): InertText {
  return withoutActions(visibleLine(cut(text, max).replace(OWN_JOINER, '')).trim());
}

/** Like {@link inertLine}, but keeps the spaces at both ends, for parts of a sentence. Leaves inert text unchanged. */
export function inert(text: string, max = Infinity): InertText {
  return withoutActions(visibleLine(cut(text, max).replace(OWN_JOINER, '')));
}

/** Returns `text` as one visible line, for a surface without icons and links. */
export function visibleLine(text: string): string {
  const line = withoutLineBreaks(text.toWellFormed(), '⏎').replace(/\t/g, ' ');
  return withoutUnseen(line, show);
}

/** Marks a literal text of our own that needs no translation. */
export function own<T extends string>(text: Literal<T>): InertText {
  return text as string as InertText;
}

/** Puts one of VS Code's codicons before `text`. */
export function withIcon<T extends string>(icon: Literal<T>, text: InertText): InertText {
  return `$(${icon}) ${text}` as InertText;
}

/** Joins inert texts. `separator` may contain line breaks if the surface has several lines. */
export function joined<T extends string>(texts: readonly InertText[], separator: Literal<T>): InertText {
  return texts.join(separator) as InertText;
}

/**
 * Prepares text for surfaces that truncate a word wider than their line and collapse spaces: adds a break opportunity every `columns`, and keeps
 * spaces.
 */
export function breakable(text: InertText, columns: number): InertText {
  let width = 0;
  return text
    .replace(/ {2,}/g, (spaces) => ` ${'\u00a0'.repeat(spaces.length - 1)}`)
    .replace(/./gu, (character) => {
      width = character === ' ' ? 0 : width + columnsOf(character);
      if (width < columns) {
        return character;
      }
      width = 0;
      return character + ZERO_WIDTH_SPACE;
    }) as InertText;
}

/** Returns a function that translates sentences of our own and makes their values inert. */
export function inertly(verbatim: TranslateVerbatim): Translate {
  const valueOf = (value: string | number): string | number => (typeof value === 'string' ? inert(value, MAX_VALUE) : value);
  return (message, args) =>
    verbatim(message, args && Object.fromEntries(Object.entries(args).map(([name, value]) => [name, valueOf(value)]))) as InertText;
}

function withoutActions(text: string): InertText {
  return text.replace(BEFORE_BRACKET, WORD_JOINER) as InertText;
}

/** The length of the sign for up to 99 missing UTF-16 units, in {@link cut}. */
const SIGN = ' …(+99)… '.length;

/**
 * Leaves out the middle of a `text` that is longer than `max` UTF-16 units. Never splits a character. A middle that is no longer than its sign
 * stays.
 */
export function cut(text: string, max: number): string {
  if (text.length <= max + SIGN) {
    return text;
  }
  const head = Math.ceil(max * 0.6);
  const start = text.slice(0, splitsPair(text, head) ? head - 1 : head);
  const tail = text.length - (max - head);
  const end = text.slice(splitsPair(text, tail) ? tail + 1 : tail);
  return `${start} …(+${text.length - start.length - end.length})… ${end}`;
}

/** True when a cut before `index` would split a surrogate pair. */
function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
}

/** Shows a control character as its picture, and any other character as its number. */
function show(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : `‹${numberOf(character)}›`;
}

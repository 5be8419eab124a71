/**
 * Text of somebody else (an agent, a command line, a path) made safe to show in VS Code's own surfaces: one line, bounded, with nothing in it
 * that VS Code would draw as an icon or make a link of, that would turn the reading order round, or that could not be seen.
 *
 * VS Code reads `$(name)` as an icon in labels, and `[label](command:…)` as a link in notifications, progress, input prompts and validation
 * messages (its `iconLabels` and `linkedText`; the same expressions in 1.100 and 1.139). Both need a bracket right behind the sign before it, so a
 * word joiner between the two, which has no width and allows no break, is enough wherever the text is shown.
 */
import { columnsOf, numberOf, withoutLineBreaks, withoutUnseen, WORD_JOINER, ZERO_WIDTH_SPACE } from '../../text/characters/characters';
import type { InertText } from './inertText';
import type { Translate, TranslateVerbatim } from './translate';

export type { InertText };

/** A text that stands whole in the source, as a type. `string` is none, and neither is a template with one in it: either may be any key. */
type Literal<T extends string> = Record<never, never> extends Record<T, 1> ? never : T;

/** UTF-16 units of a sentence's value that nobody has bounded. */
const MAX_VALUE = 10_000;
/** At the ends as well: what comes next to it is not known here. */
const BEFORE_BRACKET = /(?<=[\]$])(?=\(|$)|^(?=\()/g;
/** What {@link BEFORE_BRACKET} has been put into, so that it can be told from a joiner of somebody else's. */
const OWN_JOINER = new RegExp(`(?<=[\\]$])${WORD_JOINER}|${WORD_JOINER}(?=\\()`, 'g');

/**
 * `text` as one visible, inert line of at most `max` UTF-16 units. Too long: the middle is left out and counted, because both ends of a command
 * matter. Cut first, so that escaping a huge text costs little; the escapes may then make it longer than `max`, never more than 9 times.
 */
export function visible(text: string, max = Infinity): InertText {
  return withoutActions(visibleLine(cut(text, max).replace(OWN_JOINER, '')).trim());
}

/** As {@link visible}, keeping the space at its ends: for parts of a sentence. Inert text comes out as it went in. */
export function inert(text: string, max = Infinity): InertText {
  return withoutActions(visibleLine(cut(text, max).replace(OWN_JOINER, '')));
}

/** `text` as one visible line for a place that draws no icons and makes no links. */
export function visibleLine(text: string): string {
  const line = withoutLineBreaks(text.toWellFormed(), '⏎').replace(/\t/g, ' ');
  return withoutUnseen(line, show);
}

/** A text of our own that needs no translation. */
export function own<T extends string>(text: Literal<T>): InertText {
  return text as string as InertText;
}

/** An icon of our choice, by its name among VS Code's codicons, in front of `text`. */
export function withIcon<T extends string>(icon: Literal<T>, text: InertText): InertText {
  return `$(${icon}) ${text}` as InertText;
}

/** Inert texts in a row. `separator` may hold line breaks, where the surface has lines. */
export function joined<T extends string>(texts: readonly InertText[], separator: Literal<T>): InertText {
  return texts.join(separator) as InertText;
}

/**
 * For surfaces that cut off a word wider than their line and draw one space for several: words get places to break at every `columns`, and spaces
 * are kept.
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

/** Sentences of our own whose values are made inert. */
export function inertly(verbatim: TranslateVerbatim): Translate {
  const valueOf = (value: string | number): string | number => (typeof value === 'string' ? inert(value, MAX_VALUE) : value);
  return (message, args) =>
    verbatim(message, args && Object.fromEntries(Object.entries(args).map(([name, value]) => [name, valueOf(value)]))) as InertText;
}

function withoutActions(text: string): InertText {
  return text.replace(BEFORE_BRACKET, WORD_JOINER) as InertText;
}

/** `text` with its middle left out when it is longer than `max` UTF-16 units; never cut inside a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const head = Math.ceil(max * 0.6);
  const start = text.slice(0, splitsPair(text, head) ? head - 1 : head);
  const tail = text.length - (max - head);
  const end = text.slice(splitsPair(text, tail) ? tail + 1 : tail);
  return `${start} …(+${text.length - start.length - end.length})… ${end}`;
}

/** True when a cut before `index` would part a surrogate pair. */
function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
}

/** A control has a picture, everything else its number. */
function show(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : `‹${numberOf(character)}›`;
}

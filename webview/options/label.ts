/** How an option's value is called beside its name: agents name a value "Thinking: off" of an option "Thinking", and the name shall be read once. Pure. */

import type { ConfigOption } from '../../src/core/model/content';
import { oneLine } from '../../src/text/characters/textSafety';

/** UTF-16 units of a name that are shown. */
export const MAX_NAME = 80;
/** UTF-16 units of a name that are looked at before it is cut to what is shown. */
const MAX_READ = 200;

/** What these are for is plain from any of their values; "Off" of another kind says nothing without its name. */
const SELF_EXPLAINING: ReadonlySet<string | undefined> = new Set(['mode', 'model']);

/** Between a name and what it is set to. A hyphen counts with a space behind it: "Mode-less" is a word. */
const SEPARATOR = /^\s*(?:[:：=/·|–—]|-(?=\s))\s*/;

export interface NamedValue {
  /** To be written before the value; absent where the value is clear without it. */
  readonly name?: string;
  readonly value: string;
}

/** The option's name, where it is needed, and the value's without it. */
export function namedValue({ name, category }: { name: string; category?: string | undefined }, valueName: string): NamedValue {
  const value = withoutName(name, valueName);
  return SELF_EXPLAINING.has(category) || hasWords(value, bare(name)) ? { value } : { name, value };
}

/** What a choice is called in its option's list; one without a name, by its value. */
export function choiceLabel({ name }: Pick<ConfigOption, 'name'>, choice: { value: string; name: string }): string {
  const label = withoutName(oneLine(name, MAX_NAME), oneLine(choice.name, MAX_READ)) || oneLine(choice.value, MAX_READ);
  return oneLine(label, MAX_NAME);
}

/** `valueName` without the option's name and a separator before it ("Thinking: off"); whole, when nothing would be left. "Model 3" stays: 3 alone says nothing. */
export function withoutName(name: string, valueName: string): string {
  const wanted = bare(name);
  const value = valueName.trim();
  if (wanted === '') {
    return value;
  }
  const prefix = new RegExp(`^${wordsPattern(wanted)}`, 'iu').exec(value)?.[0];
  if (prefix === undefined) {
    return value;
  }
  const behind = value.slice(prefix.length);
  const bracketed = /^\s*[([](.*)[)\]]$/su.exec(behind)?.[1];
  const rest = bracketed ?? (SEPARATOR.test(behind) ? behind.replace(SEPARATOR, '') : '');
  return rest.trim() === '' ? value : withoutName(name, rest);
}

/** A name without the colon that some write behind it. */
function bare(name: string): string {
  return name.trim().replace(/[\s:：=]+$/u, '');
}

function hasWords(text: string, words: string): boolean {
  return words !== '' && new RegExp(`(?<![\\p{L}\\p{N}])${wordsPattern(words)}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** These words, with any white space between them. */
function wordsPattern(words: string): string {
  return words
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('\\s+');
}

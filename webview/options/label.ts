/**
 * The label of an option's value beside the option's name. Agents call a value "Thinking: off" in an option "Thinking", and the name must appear only
 * once. Pure.
 */

import type { ConfigOption } from '../../src/core/model/content';
import { oneLine } from '../../src/text/characters/textSafety';

/** The longest shown name, in UTF-16 units. */
export const MAX_NAME = 80;
/** UTF-16 units of a name that are processed before it is cut. */
const MAX_READ = 200;

/**
 * Categories whose values need no name. "Off" in another category is unclear without it. A mode alone reads like ACP Host's own permission mode, which
 * is beside it.
 */
const SELF_EXPLAINING: ReadonlySet<string | undefined> = new Set(['model']);

/** The separator between a name and its value. A hyphen needs a space after it: "Mode-less" is a word. */
const SEPARATOR = /^\s*(?:[:：=/·|–—]|-(?=\s))\s*/;

export interface NamedValue {
  /** The name to show before the value; absent when the value is clear without it. */
  readonly name?: string;
  readonly value: string;
}

/** Returns the option's name, if needed, and the value's label without it. */
export function namedValue({ name, category }: { name: string; category?: string | undefined }, valueName: string): NamedValue {
  const value = withoutName(name, valueName);
  return SELF_EXPLAINING.has(category) || hasWords(value, bare(name)) ? { value } : { name, value };
}

/** The label of a choice in its option's list; the value for a choice without a name. */
export function choiceLabel({ name }: Pick<ConfigOption, 'name'>, choice: { value: string; name: string }): string {
  const label = withoutName(oneLine(name, MAX_NAME), oneLine(choice.name, MAX_READ)) || oneLine(choice.value, MAX_READ);
  return oneLine(label, MAX_NAME);
}

/**
 * Removes the option's name and a separator from the start of `valueName` ("Thinking: off"), unless nothing would be left. "Model 3" stays, because
 * "3" alone is unclear.
 */
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

/** The name without a colon at its end. */
function bare(name: string): string {
  return name.trim().replace(/[\s:：=]+$/u, '');
}

function hasWords(text: string, words: string): boolean {
  return words !== '' && new RegExp(`(?<![\\p{L}\\p{N}])${wordsPattern(words)}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** A pattern for these words, with any white space between them. */
function wordsPattern(words: string): string {
  return words
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('\\s+');
}

/**
 * Finds the secret values of an agent's environment and removes them from texts. A launch's `env` comes from the user's settings. Ordinary values (a
 * folder, an address, the name of a model) are not redacted, because that would only damage texts.
 */
import { isSecretVariable } from './secretNames';

/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** UTF-16 units from which a value counts as a secret whatever its name, and is also found inside words. */
const LONG_VALUE = 8;

/** Returns the secret values of a launch's environment, longest first, including their forms in addresses and in JSON. */
export function secretValues(env: Readonly<Record<string, string>>): string[] {
  return spellings(Object.entries(env).flatMap(([name, value]) => (isSecretValue(name, value) ? [value] : [])));
}

/** Returns the same for values that the user typed to sign in. All of them are secrets, except values that occur in any text. */
export function typedValues(env: Readonly<Record<string, string>>): string[] {
  return spellings(Object.values(env).filter((value) => value.trim().length >= SHORTEST_TYPED && !TRIVIAL.test(value)));
}

const SHORTEST_TYPED = 4;

/** A failure quotes an agent's error as JSON, in which the agent may quote JSON of its provider, which quotes the request. */
const MAX_JSON_DEPTH = 3;

function spellings(values: readonly string[]): string[] {
  const all = new Set<string>();
  for (const value of values) {
    all.add(value);
    all.add(encodeURIComponent(value.toWellFormed()));
    let json = value;
    for (let depth = 0; depth < MAX_JSON_DEPTH; depth++) {
      json = JSON.stringify(json).slice(1, -1);
      all.add(json);
    }
    // A key with several lines may also be printed line by line.
    value.split(/\r?\n/).forEach((line) => line.length >= LONG_VALUE && all.add(line));
    // A command line shows the value without surrounding blanks, and so does an input box.
    all.add(value.trim());
  }
  return longestFirst(all);
}

/** Sorts by length, because one value may be part of another. */
export function longestFirst(values: Iterable<string>): string[] {
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/** True when the value of a variable of `acpHost.agents.*.env` is a secret. A short value is one only if its name says so. */
export function isSecretValue(name: string, value: string): boolean {
  if (value.trim() === '' || TRIVIAL.test(value)) {
    return false;
  }
  return isSecretVariable(name) || (value.length >= LONG_VALUE && !isOrdinary(name, value));
}

const TRIVIAL = /^\s*(?:true|false|yes|no|on|off|none|null|auto|default|enabled?|disabled?|always|never|[\d.,:+-]{1,3})\s*$/i;
/** Variables with public values: the model, the place, the log level. */
const ORDINARY_NAME =
  /(?:^|_)(?:MODELS?|REGION|LOCATION|ZONE|LANG|LANGUAGE|LC_[A-Z]+|LOG|LOGS|LEVEL|VERBOSITY|DEBUG|MODE|ENV|ENVIRONMENT|DIR|FOLDER|PATH|HOME|HOST|HOSTNAME|PORT|TZ|TERM|PROVIDER|VERSION|PROJECT|PROFILE|THEME|EDITOR|SHELL)$/i;
const ORDINARY_WORD = /^[\w.:/@*,=+-]{1,80}$/;
/** An address without user and query. */
const ADDRESS = /^[a-z][a-z+.-]{1,20}:\/\/[^\s@?#]{1,400}$/i;
const FOLDERS = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\0\r\n]{0,4000}$/;
const NUMBERS = /^[\d.,:+\s-]{1,20}$/;

function isOrdinary(name: string, value: string): boolean {
  return (
    (NUMBERS.test(value) && value.length < 12) ||
    (((ORDINARY_NAME.test(name) && ORDINARY_WORD.test(value)) || ADDRESS.test(value) || FOLDERS.test(value)) && !looksRandom(value))
  );
}

/** True for a value with a part that looks generated: long, with digits and letters in both cases, or a long hexadecimal number. */
function looksRandom(value: string): boolean {
  return value
    .split(/[\\/:;,@.\s]/)
    .some((part) => part.length >= 20 && /\d/.test(part) && ((/[a-z]/.test(part) && /[A-Z]/.test(part)) || /^[0-9a-f]{32,}$/i.test(part)));
}

/** Returns `text` without `values`. A short value is removed only as a separate word, because it may be part of many words. */
export function withoutValues(text: string, values: readonly string[]): string {
  let result = text;
  for (const value of values) {
    result = withoutValue(result, value);
  }
  return result;
}

function withoutValue(text: string, value: string): string {
  if (!text.includes(value)) {
    return text;
  }
  if (value.length >= LONG_VALUE) {
    return text.replaceAll(value, REDACTED);
  }
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    if (!isWordUnit(text, at - 1) && !isWordUnit(text, at + value.length)) {
      parts.push(text.slice(start, at), REDACTED);
      start = at + value.length;
    }
  }
  return parts.join('') + text.slice(start);
}

function isWordUnit(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at));
}

/** Returns the beginning of a text that was cut, without the beginning of a value at its end. */
export function withoutCutValue(text: string, values: readonly string[]): string {
  const length = cutValueLength(text, values, SHORTEST_TAIL);
  return length === 0 ? text : text.slice(0, -length) + REDACTED;
}

const SHORTEST_TAIL = 4;

/** The number of UTF-16 units at the end of `text` that are the incomplete beginning of a value; 0 for none. @param least fewer do not count */
export function cutValueLength(text: string, values: readonly string[], least = 1): number {
  let longest = 0;
  for (const value of values) {
    const first = value.charAt(0);
    const from = Math.max(0, text.length - value.length + 1);
    for (let at = text.indexOf(first, from); at >= 0 && text.length - at > longest; at = text.indexOf(first, at + 1)) {
      if (text.length - at >= least && value.startsWith(text.slice(at))) {
        longest = text.length - at;
      }
    }
  }
  return longest;
}

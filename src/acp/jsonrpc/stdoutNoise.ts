/** Detects text on an agent's stdout that is not a message. Distinguishes it from broken messages, and from messages between invisible characters. */
import { BYTE_ORDER_MARK } from '../../text/characters/characters';
import { ESC } from '../../text/ansi/machine';
import { sequenceEnd } from '../../text/ansi/sequences';

/**
 * A message is an object; an array would be a batch. A string, a number or a literal is valid JSON, too, and gets the error for an invalid request.
 */
const JSON_START = /^\s*(?:[{[]|"[\s\S]*"\s*$|-?\d[\d.eE+-]{0,400}\s*$|(?:null|true|false)\s*$)/;

/** Checked before parsing: an exception for every line of a talkative agent would cost more than all its messages. */
export function mayBeJson(text: string): boolean {
  return JSON_START.test(text);
}

/** Objects in the notation of `console.log` and Python: `{`, `{ level: 'info' }`, `{'a': 1}`. */
const PRINTED = /^\s*\{\s*(?:$|'|[\w$]+\s*:)/;

/** True for a text that is not valid JSON but was meant as a message or a batch. False for `[INFO] ready` and for printed objects. */
export function isBrokenMessage(text: string): boolean {
  return /^\s*(?:\[\s*)?\{/.test(text) && (text.includes('jsonrpc') || !PRINTED.test(text));
}

/** UTF-16 units at the end of a line that are searched. */
const END = 256;

/**
 * Returns `text` without invisible characters at its ends, which a command-line program that sets a title or hides the cursor writes around its
 * messages. `undefined` when there are none, or no message between them.
 */
export function messageWithin(text: string): string | undefined {
  const first = unseenEnd(text, 0);
  if (text.charCodeAt(first) !== 123) {
    return undefined;
  }
  const tail = text.slice(Math.max(first, text.length - END));
  let at = 0;
  while (unseenEnd(tail, at) < tail.length) {
    at++;
  }
  const last = tail.length - at;
  return first + last > 0 ? text.slice(first, text.length - last) : undefined;
}

/**
 * Returns the end of the invisible characters from `at` on: control characters, spaces and terminal sequences (window titles, colours, the cursor).
 */
function unseenEnd(text: string, at: number): number {
  let index = at;
  for (;;) {
    const unit = text.charCodeAt(index);
    if (unit === ESC) {
      const end = sequenceEnd(text, index);
      if (end === undefined || end === index + 1) {
        return index;
      }
      index = end;
    } else if (unit <= 0x20 || unit === 0x7f || text[index] === BYTE_ORDER_MARK) {
      index++;
    } else {
      return index;
    }
  }
}

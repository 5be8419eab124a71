/** What stands on an agent's stdout that is no message: told from messages that are broken, and from those behind characters nobody sees. */
import { BYTE_ORDER_MARK } from '../../text/characters/characters';
import { ESC } from '../../text/ansi/machine';
import { sequenceEnd } from '../../text/ansi/sequences';

/** A message is an object, an array would be a batch; a text, a number or a word is JSON too, and so a request that is none. */
const JSON_START = /^\s*(?:[{[]|"[\s\S]*"\s*$|-?\d[\d.eE+-]{0,400}\s*$|(?:null|true|false)\s*$)/;

/** Said before parsing: a throw per line of a chatty agent would cost more than all its messages. */
export function mayBeJson(text: string): boolean {
  return JSON_START.test(text);
}

/** Objects as `console.log` and Python print them: `{`, `{ level: 'info' }`, `{'a': 1}`. */
const PRINTED = /^\s*\{\s*(?:$|'|[\w$]+\s*:)/;

/** True for a text that is no JSON and was meant as a message or a batch of them: not `[INFO] ready`, and no object printed for people. */
export function isBrokenMessage(text: string): boolean {
  return /^\s*(?:\[\s*)?\{/.test(text) && (text.includes('jsonrpc') || !PRINTED.test(text));
}

/** UTF-16 units at the end of a line that are searched. */
const END = 256;

/**
 * `text` without the unseen characters at its ends, where a command-line program that sets a title or hides the cursor puts them around its
 * messages; `undefined` when there are none, or no message between them.
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

/** Where what nobody sees from `at` on ends: control characters, spaces, and what terminals take as commands (window titles, colours, the cursor). */
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

/** Texts of messages without white space, because agents trim, join and wrap texts when they replay them. */
import { isForAgent } from '../model/audience';
import type { ContentBlock } from '../model/content';

/** Returns `text` without white space. */
export function lettersOf(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Returns the part of `text` from letter `from` up to, but not including, letter `to`, with the white space in between. */
export function lettersSlice(text: string, from: number, to: number): string {
  let seen = 0;
  let start = from === 0 ? 0 : text.length;
  let end = text.length;
  for (let index = 0; index < text.length; index++) {
    if (!/\s/.test(text[index]!)) {
      seen++;
      if (seen === from) {
        start = index + 1;
      }
      if (seen === to) {
        end = index + 1;
        break;
      }
    }
  }
  return text.slice(start, end);
}

/** Returns the text blocks of a message, joined. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/**
 * Returns the letters that identify a message, the most complete first: of all text blocks, and of those that the user can read. A message without
 * text is identified by its blocks. Empty when there is nothing to identify it.
 */
export function spellingsOf(content: readonly ContentBlock[]): readonly string[] {
  const whole = lettersOf(textOf(content));
  if (whole === '') {
    return content.every(({ type }) => type === 'text') ? [] : [`\u0000${JSON.stringify(content)}`];
  }
  const readable = lettersOf(textOf(content.filter((block) => !isForAgent(block))));
  return readable === '' || readable === whole ? [whole] : [whole, readable];
}

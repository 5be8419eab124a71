/** Texts of messages without white space: agents trim, join and wrap texts when they replay them. */
import { isForAgent } from '../model/audience';
import type { ContentBlock } from '../model/content';

/** `text` without white space. */
export function lettersOf(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The part of `text` from letter `from` up to, but not with, letter `to`. White space between the two belongs to it. */
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

/** The text blocks of a message, joined. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/**
 * The letters by which a message is recognized, the most complete first: of all text blocks, and of those that the user can read. A message without
 * text is recognized by its blocks. Empty when there is nothing to recognize.
 */
export function spellingsOf(content: readonly ContentBlock[]): readonly string[] {
  const whole = lettersOf(textOf(content));
  if (whole === '') {
    return content.every(({ type }) => type === 'text') ? [] : [`\u0000${JSON.stringify(content)}`];
  }
  const readable = lettersOf(textOf(content.filter((block) => !isForAgent(block))));
  return readable === '' || readable === whole ? [whole] : [whole, readable];
}

/**
 * Text of others, made safe to look at: characters that reorder or hide what surrounds them are shown by their number instead
 * (a command that reads differently from what runs is an attack; see Unicode TR 36, "Trojan Source").
 */
 
const TRICKY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** Several lines: line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(TRICKY, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** One line of at most `limit` UTF-16 units, for titles and names. */
export function oneLine(text: string, limit = 400): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.length > limit ? line.slice(0, limit - 1) + '…' : line;
}

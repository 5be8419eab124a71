/**
 * Text of others, made safe to look at: characters that reorder or hide what surrounds them are shown by their number instead
 * (a command that reads differently from what runs is an attack; see Unicode TR 36, "Trojan Source").
 */
 
const TRICKY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * What has no width, and no business in a name or a command; prose may hold it. The same as in VS Code's own surfaces (`workbench/escape.ts`),
 * where a permission is asked for in the same words.
 */
const HIDDEN =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0080}-\u{e0fff}]|(?<!(?!\p{ASCII})[\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]/gu;

/** Several lines: line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(TRICKY, numbered);
}

/** {@link visible}, and what has no width is shown as well: for what will run. */
export function allVisible(text: string): string {
  return visible(text.replace(HIDDEN, numbered));
}

/** One line of at most `limit` UTF-16 units, for titles and names. */
export function oneLine(text: string, limit = 400): string {
  // More than could be shown is not looked at: each character may become eight, none becomes less than nothing but white space.
  const line = allVisible(text.slice(0, limit * 8).replace(/\s+/g, ' ').trim());
  return line.length > limit || text.length > limit * 8 ? line.slice(0, limit - 1) + '…' : line;
}

function numbered(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

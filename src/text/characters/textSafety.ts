/**
 * Text of others, made safe to look at: characters that reorder or hide what surrounds them are shown by their number instead
 * (a command that reads differently from what runs is an attack; see Unicode TR 36, "Trojan Source").
 */
import { numberOf, withoutLineBreaks, withoutReordering, withoutMisleading, withoutUnseen } from './characters';

/** Several lines: line breaks and tabs stay. */
export function visible(text: string): string {
  return withoutMisleading(text, numbered);
}

/** What a program wrote: only what turns the reading order round is shown; a terminal obeys the rest. */
export function visibleOutput(output: string): string {
  return withoutReordering(output, numbered);
}

/** {@link visible}, and what has no width is shown as well: for what will run. */
export function allVisible(text: string): string {
  return withoutUnseen(text, numbered);
}

/** {@link allVisible} on one line: line breaks are shown as signs, and nothing is left out. */
export function visibleInLine(text: string): string {
  return allVisible(withoutLineBreaks(text, '⏎'));
}

/** One line of at most `limit` UTF-16 units, for titles and names. */
export function oneLine(text: string, limit = 400): string {
  // More than could be shown is not looked at: each character may become eight, none becomes less than nothing but white space.
  const line = allVisible(
    text
      .slice(0, limit * 8)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return line.length > limit || text.length > limit * 8 ? line.slice(0, limit - 1) + '…' : line;
}

function numbered(character: string): string {
  return `⟨${numberOf(character)}⟩`;
}

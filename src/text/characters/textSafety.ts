/**
 * Makes untrusted text safe to display: characters that reorder or hide their surroundings are replaced by their code point. A command that reads
 * differently from what runs is an attack; see Unicode TR 36, "Trojan Source".
 */
import { numberOf, withoutLineBreaks, withoutReordering, withoutMisleading, withoutUnseen } from './characters';

/** Makes a text of several lines safe. Line breaks and tabs stay. */
export function escapeMisleading(text: string): string {
  return withoutMisleading(text, numbered);
}

/** Makes a program's output safe. Replaces only characters that change the reading order; a terminal executes the other controls. */
export function visibleOutput(output: string): string {
  return withoutReordering(output, numbered);
}

/** Makes a command safe: replaces the characters of {@link escapeMisleading} and those without width. */
export function escapeInvisible(text: string): string {
  return withoutUnseen(text, numbered);
}

/** Returns {@link escapeInvisible} on one line, with signs for line breaks. Nothing is removed. */
export function visibleInLine(text: string): string {
  return escapeInvisible(withoutLineBreaks(text, '⏎'));
}

/** Returns one line of at most `limit` UTF-16 units, for titles and names. */
export function oneLine(text: string, limit = 400): string {
  // Longer text cannot be shown: a character becomes at most eight, and only white space becomes shorter.
  const line = escapeInvisible(
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

/** The dearest texts that `markdownFuzz` met, before the lexer had its bounds or since; each of any length. */
import type { Recipe } from './markdownFuzz';

const times = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const again = (name: string, piece: string): Recipe => ({ name, make: (length) => times(piece, length) });

export const WORST: readonly Recipe[] = [
  { name: 'letters, then signs of addresses', make: (length) => times('a', length / 2) + times('@', length / 2) },
  again('emphasis in words', '_a*b'),
  { name: 'processing instructions in a quote', make: (length) => `>${times(';<?', length - 1)}` },
  { name: 'long lines of addresses with stars', make: (length) => times(`${'mailto:(<*mailto:'.repeat(20)}a_\n`, length) },
  { name: 'strong words in an item', make: (length) => `- ${times('**a', length - 2)}` },
  again('links without an end', '[a](b'),
  again('words with a bracket and a star', '(*a b c '),
  again('declarations', '~~b<![CDATA[ '),
  again('brackets of formulas', '\\[===a**a@b.c'),
  again('tags without an end', '<a b="'),
];

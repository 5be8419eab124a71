/** The most expensive texts that `markdownFuzz` found, before the lexer had its limits or since; each of any length. */
import type { Recipe } from './markdownFuzz';

const times = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const again = (name: string, piece: string): Recipe => ({ name, make: (length) => times(piece, length) });

/** Long lines of `piece`, each ending with `end`. */
const lines = (name: string, piece: string, end: string): Recipe => again(name, `${piece.repeat(300)}${end}\n`);

export const WORST: readonly Recipe[] = [
  { name: 'letters, then signs of addresses', make: (length) => times('a', length / 2) + times('@', length / 2) },
  again('emphasis in words', '_a*b'),
  lines('underscores, then code without an end', '_b', '```www.é'),
  again('quotes and items in turn', '>x\n\n- a'),
  again('tasks with formulas', '~~\n  - $$- [ ] \n'),
  { name: 'brackets of formulas between words', make: (length) => `${times('\\)    a b', length - 3)}<!A` },
  again('addresses with tildes', '^mailto:~a# '),
  again('tags without an end', '<a b=":~~~'),
  again('words with a bracket and a star', '(*a b c '),
  again('brackets of formulas', '\\[===a**a@b.c'),
  again('items of a letter', '- a\n'),
  { name: 'cells of a number', make: (length) => times(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(Math.ceil(length / 10))}`, length) },
];

/**
 * Texts that could slow down their readers: random compositions of Markdown signs, from a seed, at growing lengths. `fuzz.ts` runs them.
 */
import { markdownText } from './markdownText';

/** The signs of Markdown, links, formulas, HTML and escapes. */
const SIGNS = [
  ...'*_~`[]()<>!#+-=|\\:@./$&;"\'^{}%,?',
  'a',
  'b',
  'x',
  '1',
  '9',
  ' ',
  '  ',
  '    ',
  '\n',
  '\n\n',
  '\t',
  'é',
  '😀',
  '**',
  '__',
  '~~',
  '``',
  '```',
  '~~~',
  '$$',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\\\\',
  '\\$',
  '](',
  '][',
  '![',
  '[x]',
  '[x]:',
  '[x]: y',
  '[^1]',
  '(<',
  '<a ',
  '<a b="',
  "<a b='",
  '</a>',
  '<!--',
  '-->',
  '<?',
  '<![CDATA[',
  '<!A',
  '<pre>',
  '<div>',
  '</',
  '/>',
  'http://',
  'https://a.b/',
  'www.',
  'www.a',
  'ftp://',
  'a@b',
  'a@b.c',
  'mailto:',
  '@a.',
  '&amp',
  '&amp;',
  '&#1',
  '&#x41;',
  '|-|',
  '|a',
  '|-',
  '| a |\n|---|\n',
  '1. ',
  '- ',
  '* ',
  '> ',
  '>',
  '# ',
  '---',
  '===',
  '- [ ] ',
  'a_b',
  '_a',
  'a_',
  '*a',
  'a*',
  '_a*b',
  '**a',
  'a**',
  '~a',
  'a~',
  '[a](b',
  '[a][',
  '[a]',
  '(a',
  '"a',
  '\\a',
  'a.b',
  '-a',
  'a b',
  '\n> ',
  '\n- ',
  '\n  - ',
  '\n    ',
  '\n|',
  '\na',
  '\n```\n',
  '\n\n> ',
  '\n\n- ',
  '\n\n[x]: y',
  '\n[x]: y',
  '  \n',
  '\\\n',
];

/** A generator of numbers below 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/** A kind of text of any length. */
export interface Recipe {
  readonly name: string;
  /** @param length the approximate length in UTF-16 units */
  make(length: number): string;
}

const repeated = (piece: string, length: number): string => piece.repeat(Math.max(1, Math.floor(length / piece.length)));
const shown = (piece: string): string => JSON.stringify(piece);

/** A random recipe: a repeated piece, alone or before, after or around another one. */
export function randomRecipe(random: () => number): Recipe {
  const piece = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => SIGNS[Math.floor(random() * SIGNS.length)]!).join('');
  const p = piece(4);
  const q = piece(3);
  const shape = Math.floor(random() * 8);
  switch (shape) {
    case 0:
    case 1:
      return { name: `${shown(p)} × n`, make: (length) => repeated(p, length) };
    case 2:
      return { name: `${shown(q)} + ${shown(p)} × n`, make: (length) => q + repeated(p, length) };
    case 3:
      return { name: `${shown(p)} × n + ${shown(q)}`, make: (length) => repeated(p, length) + q };
    case 4:
      return { name: `${shown(p)} × n + ${shown(q)} × n`, make: (length) => repeated(p, length / 2) + repeated(q, length / 2) };
    case 5:
      return { name: `lines of ${shown(p)}`, make: (length) => repeated(`${p}\n`, length) };
    case 6:
      return { name: `paragraphs of ${shown(p)}, ${shown(q)}`, make: (length) => repeated(`${p} ${q}\n\n`, length) };
    default:
      return { name: `long lines of ${shown(p)} and ${shown(q)}`, make: (length) => repeated(`${repeated(p, 300)}${q}\n`, length) };
  }
}

/** The baseline: a typical answer of an agent. */
const PROSE: Recipe = { name: 'prose', make: markdownText };

export interface Finding {
  readonly name: string;
  readonly reader: string;
  /** The cost of a KB in ms. */
  readonly cost: number;
  /** The ratio of `cost` to that of prose of the same length. */
  readonly ratio: number;
  /** The growth of the cost per KB when the length grows fourfold; 1: none. */
  readonly growth: number;
}

/** A function that reads a whole text. */
export type Reader = (text: string) => unknown;

const SIZES = [2_500, 10_000, 40_000, 160_000];
/** The time in ms after which no longer text is tried. */
const ENOUGH = 400;

const perKb = (read: Reader, text: string): number => {
  const start = performance.now();
  read(text);
  return (performance.now() - start) / (text.length / 1024);
};

/** Measures `recipe` with growing lengths. */
export function measure(recipe: Recipe, reader: string, read: Reader, prose: ReadonlyMap<number, number>): Finding {
  let cost = 0;
  let ratio = 0;
  let growth = 1;
  for (const size of SIZES) {
    const text = recipe.make(size);
    let now = perKb(read, text);
    // A second run excludes outliers.
    if (now > 2 * prose.get(size)!) {
      now = Math.min(now, perKb(read, text));
    }
    growth = cost === 0 ? 1 : now / cost;
    cost = now;
    ratio = now / prose.get(size)!;
    if (now * (size / 1024) > ENOUGH) {
      break;
    }
  }
  return { name: recipe.name, reader, cost, ratio, growth };
}

/** The cost of a KB of prose, by length. */
export function proseCost(read: Reader): Map<number, number> {
  return new Map(
    SIZES.map((size) => {
      const text = PROSE.make(size);
      for (let round = 0; round < 3; round++) {
        read(text);
      }
      return [size, Math.min(...Array.from({ length: 5 }, () => perKb(read, text)))];
    }),
  );
}

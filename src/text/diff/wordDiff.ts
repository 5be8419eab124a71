/** Finds the words that differ in changed lines. A removed and an added line that belong together are paired and compared word by word. */
import { ZERO_WIDTH_JOINER } from '../characters/characters';
import { matchesOf } from './sequences';

export interface WordSpan {
  readonly text: string;
  /** True when the part differs from its counterpart. */
  readonly changed: boolean;
}

/** The most words of a line, edits of a line, and lines of a block that are compared. */
const MAX_WORDS = 300;
const MAX_EDITS = 60;
const MAX_BLOCK = 60;
/** The most lines of a side for which blocks of unequal sides are paired. */
const MAX_UNEQUAL = 20;
/** The part of the longer line that two lines must share. Marks all over an unrelated line only make it harder to read. */
const MIN_SIMILARITY = 1 / 3;

/** Words as users see them. A combined character is one word, and so is each character of the scripts that write without spaces. */
const WORD = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|[\p{L}\p{N}_](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_])*|\s+|\p{RI}{2}|\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*(?:${ZERO_WIDTH_JOINER}\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)*|[^]\p{M}*`,
  'gu',
);

/** Returns the parts of each of these lines. The `removed` lines were replaced by the `added` ones. */
export function wordsOf(
  removed: readonly string[],
  added: readonly string[],
): { readonly removed: readonly (readonly WordSpan[])[]; readonly added: readonly (readonly WordSpan[])[] } {
  const result = { removed: removed.map(whole), added: added.map(whole) };
  if (removed.length > MAX_BLOCK || added.length > MAX_BLOCK) {
    return result;
  }
  for (const [index, other] of pairs(removed, added)) {
    const parts = compare(removed[index]!, added[other]!);
    if (parts) {
      [result.removed[index], result.added[other]] = parts;
    }
  }
  return result;
}

function whole(text: string): readonly WordSpan[] {
  return [{ text, changed: false }];
}

function compare(before: string, after: string): [readonly WordSpan[], readonly WordSpan[]] | undefined {
  const one = wordsIn(before);
  const other = wordsIn(after);
  if (!one || !other) {
    return undefined;
  }
  const matches = matchesOf(one, other, MAX_EDITS);
  const kept = [new Array<boolean>(one.length).fill(false), new Array<boolean>(other.length).fill(false)] as const;
  let common = 0;
  matches.forEach((place, index) => {
    if (place < 0) {
      return;
    }
    kept[0][index] = kept[1][place] = true;
    common += one[index]!.trim().length;
  });
  if (common < Math.max(lengthOf(one), lengthOf(other)) * MIN_SIMILARITY) {
    return undefined;
  }
  return [partsOf(one, kept[0]), partsOf(other, kept[1])];
}

/** Returns the UTF-16 units of the words without the spaces between them. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.trim().length, 0);
}

/** Returns the words of a line; undefined when there are too many. */
function wordsIn(line: string): readonly string[] | undefined {
  const words = line.length > MAX_WORDS * 20 ? undefined : (line.match(WORD) ?? []);
  return words && words.length <= MAX_WORDS ? words : undefined;
}

/** Merges neighbours of the same kind. The space between two changed words counts as changed. */
function partsOf(words: readonly string[], kept: readonly boolean[]): readonly WordSpan[] {
  const parts: { text: string; changed: boolean }[] = [];
  words.forEach((text, index) => {
    const between = kept[index] && text.trim() === '' && kept[index - 1] === false && kept[index + 1] === false;
    const changed = !kept[index] || Boolean(between);
    const last = parts.at(-1);
    if (last?.changed === changed) {
      last.text += text;
    } else {
      parts.push({ text, changed });
    }
  });
  return parts.length === 0 ? whole('') : parts;
}

/** Returns the pairs of lines that belong together, in order. Sides of equal length are paired line by line. */
function pairs(removed: readonly string[], added: readonly string[]): readonly (readonly [number, number])[] {
  if (removed.length === added.length) {
    return removed.map((_, index) => [index, index]);
  }
  if (removed.length > MAX_UNEQUAL || added.length > MAX_UNEQUAL) {
    return [];
  }
  const [bags, otherBags] = [removed.map(bagOf), added.map(bagOf)];
  // The pairs with the highest total similarity.
  const best = Array.from({ length: removed.length + 1 }, () => new Float64Array(added.length + 1));
  const score = (index: number, other: number): number => likeness(bags[index]!, otherBags[other]!);
  for (let index = removed.length - 1; index >= 0; index--) {
    for (let other = added.length - 1; other >= 0; other--) {
      best[index]![other] = Math.max(
        best[index + 1]![other]!,
        best[index]![other + 1]!,
        best[index + 1]![other + 1]! + score(index, other),
      );
    }
  }
  const chosen: [number, number][] = [];
  for (let index = 0, other = 0; index < removed.length && other < added.length; ) {
    if (best[index]![other] === best[index + 1]![other]) {
      index++;
    } else if (best[index]![other] === best[index]![other + 1]) {
      other++;
    } else {
      chosen.push([index++, other++]);
    }
  }
  return chosen;
}

interface Bag {
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

function bagOf(line: string): Bag {
  const words = new Map<string, number>();
  let length = 0;
  for (const word of wordsIn(line) ?? []) {
    if (word.trim() === '') {
      continue;
    }
    words.set(word, (words.get(word) ?? 0) + 1);
    length += word.length;
  }
  return { words, length };
}

/** Returns 0 for lines that have too little in common, and 1 for lines with the same words. */
function likeness(one: Bag, other: Bag): number {
  let common = 0;
  for (const [word, count] of one.words) {
    common += Math.min(count, other.words.get(word) ?? 0) * word.length;
  }
  const share = common / Math.max(one.length, other.length, 1);
  return share < MIN_SIMILARITY ? 0 : share;
}

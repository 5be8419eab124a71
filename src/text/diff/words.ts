/** Which words of changed lines differ: lines that became each other are paired, and compared word by word. */
import { ZERO_WIDTH_JOINER } from '../characters/characters';
import { matchesOf } from './sequences';

export interface WordSpan {
  readonly text: string;
  /** It differs from its counterpart. */
  readonly changed: boolean;
}

/** Words of a line, edits of a line, and lines of a block, up to which they are compared. */
const MAX_WORDS = 300;
const MAX_EDITS = 60;
const MAX_BLOCK = 60;
/** Lines of a side up to which blocks of unequal sides are paired. */
const MAX_UNEQUAL = 20;
/** The part of the longer line that two lines must share: marks all over a line that is simply another line only make it harder to read. */
const ALIKE = 1 / 3;

/** Words as people see them: signs that are drawn as one, and each sign of the scripts that write without spaces. */
const WORD = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|[\p{L}\p{N}_](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_])*|\s+|\p{RI}{2}|\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*(?:${ZERO_WIDTH_JOINER}\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)*|[^]\p{M}*`,
  'gu',
);

/** The parts of each of these lines, of which the first were replaced by the second. */
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
  if (common < Math.max(lengthOf(one), lengthOf(other)) * ALIKE) {
    return undefined;
  }
  return [partsOf(one, kept[0]), partsOf(other, kept[1])];
}

/** UTF-16 units without the space between the words. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.trim().length, 0);
}

/** Undefined for a line of too many. */
function wordsIn(line: string): readonly string[] | undefined {
  const words = line.length > MAX_WORDS * 20 ? undefined : (line.match(WORD) ?? []);
  return words && words.length <= MAX_WORDS ? words : undefined;
}

/** Neighbours of a kind are one part, and the space between two changed words is changed with them. */
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

/** Which line became which, in order. Where as many came as went, each became the one in its place. */
function pairs(removed: readonly string[], added: readonly string[]): readonly (readonly [number, number])[] {
  if (removed.length === added.length) {
    return removed.map((_, index) => [index, index]);
  }
  if (removed.length > MAX_UNEQUAL || added.length > MAX_UNEQUAL) {
    return [];
  }
  const [bags, otherBags] = [removed.map(bagOf), added.map(bagOf)];
  // The pairs that are, all together, the most alike.
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

/** 0 for lines that have too little in common, 1 for those of the same words. */
function likeness(one: Bag, other: Bag): number {
  let common = 0;
  for (const [word, count] of one.words) {
    common += Math.min(count, other.words.get(word) ?? 0) * word.length;
  }
  const share = common / Math.max(one.length, other.length, 1);
  return share < ALIKE ? 0 : share;
}

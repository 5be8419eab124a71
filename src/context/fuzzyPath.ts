/**
 * Scores how well a path matches the typed text, as in familiar pickers. The name counts before its folders, a whole before a part, the beginning
 * of a word before its middle, and adjacent letters before scattered ones. Pure. All texts are in lower case except the path itself.
 */

/** Scores of the kinds of match. Within a kind, less than {@link STEP} is added or subtracted. */
const STEP = 100;
const EXACT_NAME = 10 * STEP;
/** The name up to one of its dots. */
const WHOLE_STEM = 9 * STEP;
const NAME_BEGINS = 8 * STEP;
const NAME_WORD = 7 * STEP;
const NAME_HOLDS = 6 * STEP;
const PATH_PART = 5 * STEP;
const PATH_HOLDS = 4 * STEP;
const NAME_STREWN = 2 * STEP;
const PATH_STREWN = STEP;
/** Added for each letter that begins a word or directly follows the previous one. */
const GOOD_LETTER = 6;
const MAX_LETTERS = 15;

/** A path, prepared for many searches. */
export interface PreparedPath {
  readonly path: string;
  readonly lower: string;
  /** Offset of the name in `lower`. A folder's name includes its trailing "/". */
  readonly name: number;
  /** A bit set of the letters in the path. */
  readonly letters: number;
}

export function prepare(path: string): PreparedPath {
  const caseFolded = path.toLowerCase();
  // A few letters have another length in lower case, and offsets would not fit.
  const lower = caseFolded.length === path.length ? caseFolded : path;
  return { path, lower, name: lower.lastIndexOf('/', lower.length - 2) + 1, letters: lettersOf(lower) };
}

/** Returns a bit for each letter from a to z, and one each for digits, ASCII signs and all other characters. */
export function lettersOf(lower: string): number {
  let letters = 0;
  for (let index = 0; index < lower.length; index++) {
    const code = lower.charCodeAt(index);
    letters |= 1 << (code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 : code < 128 ? 27 : 28);
  }
  return letters;
}

/**
 * Returns -1 when the path does not match, and 0 when its score cannot exceed `atLeast`.
 * @param typed in lower case, with "/" between folders, not empty
 */
export function scorePath({ path, lower, name }: PreparedPath, typed: string, atLeast = 0): number {
  const length = Math.min(60, lower.length / 4);
  const inName = lower.indexOf(typed, name);
  if (inName >= 0) {
    const end = lower.endsWith('/') ? lower.length - 1 : lower.length;
    if (inName === name) {
      const behind = inName + typed.length;
      return (behind >= end ? EXACT_NAME : lower[behind] === '.' ? WHOLE_STEM : NAME_BEGINS) - length;
    }
    if (NAME_WORD - length <= atLeast) {
      return 0;
    }
    return (beginsWord(path, inName) || wordAgain(path, lower, typed, inName) ? NAME_WORD : NAME_HOLDS) - length;
  }
  const inPath = lower.indexOf(typed);
  if (inPath >= 0) {
    const atPart = inPath === 0 || lower[inPath - 1] === '/' || lower.includes(`/${typed}`);
    return (atPart ? PATH_PART : PATH_HOLDS) - length;
  }
  const letters = Math.min(typed.length, MAX_LETTERS) * GOOD_LETTER - length / 2;
  if (NAME_STREWN + letters <= atLeast) {
    return 0;
  }
  const isName = hasInOrder(lower, typed, name);
  if (!isName && !hasInOrder(lower, typed, 0)) {
    return -1;
  }
  const kind = isName ? NAME_STREWN : PATH_STREWN;
  if (kind + letters <= atLeast) {
    return 0;
  }
  return kind + Math.min(strewn(path, lower, typed, isName ? name : 0), MAX_LETTERS) * GOOD_LETTER - length / 2;
}

function hasInOrder(lower: string, typed: string, from: number): boolean {
  let at = from - 1;
  for (let index = 0; index < typed.length; index++) {
    at = lower.indexOf(typed[index]!, at + 1);
    if (at < 0) {
      return false;
    }
  }
  return true;
}

/** True when `typed` occurs again, at the beginning of a word. */
function wordAgain(path: string, lower: string, typed: string, from: number): boolean {
  for (let at = lower.indexOf(typed, from + 1); at >= 0; at = lower.indexOf(typed, at + 1)) {
    if (beginsWord(path, at)) {
      return true;
    }
  }
  return false;
}

function beginsWord(path: string, at: number): boolean {
  if (at === 0) {
    return true;
  }
  const before = path.charCodeAt(at - 1);
  const isLetter = (before >= 97 && before <= 122) || (before >= 65 && before <= 90) || (before >= 48 && before <= 57) || before > 127;
  const code = path.charCodeAt(at);
  // An upper case letter after a lower case one.
  return !isLetter || (code >= 65 && code <= 90 && !(before >= 65 && before <= 90));
}

/** Counts the letters that begin a word or follow the previous one. All of them occur in this order from `from` on. */
function strewn(path: string, lower: string, typed: string, from: number): number {
  const best = walk(path, lower, typed, from, true);
  return best >= 0 ? best : walk(path, lower, typed, from, false);
}

/** @param words each letter is searched at the beginning of a word first */
function walk(path: string, lower: string, typed: string, from: number, words: boolean): number {
  let at = from - 1;
  let good = 0;
  for (let index = 0; index < typed.length; index++) {
    const letter = typed[index]!;
    let next = lower.indexOf(letter, at + 1);
    if (next < 0) {
      return -1;
    }
    if (next === at + 1 && index > 0) {
      good++;
    } else if (words) {
      const first = next;
      while (next >= 0 && !beginsWord(path, next)) {
        next = lower.indexOf(letter, next + 1);
      }
      good += next >= 0 ? 1 : 0;
      next = next >= 0 ? next : first;
    } else if (beginsWord(path, next)) {
      good++;
    }
    at = next;
  }
  return good;
}

/** Models pending changes character by character: slow, and simple enough to be verified by reading. */
import type { Hunk, TextEdit } from '../../../src/core/fileChanges/hunks';

interface Letter {
  readonly letter: string;
  /** old: only the baseline has the character. new: only the present text has it. */
  side: 'both' | 'old' | 'new';
  hunkId: number | undefined;
}

export class HunkModel {
  private letters: Letter[] = [];

  /** Imports hunks that were found by comparing texts. */
  constructor(text: string, hunks: readonly Hunk[]) {
    let at = 0;
    const push = (part: string, side: Letter['side'], hunkId?: number): void => {
      this.letters.push(...part.split('').map((letter): Letter => ({ letter, side, hunkId })));
    };
    for (const { hunkId, start, end, oldText } of hunks) {
      push(text.slice(at, start), 'both');
      push(oldText, 'old', hunkId);
      push(text.slice(start, end), 'new', hunkId);
      at = end;
    }
    push(text.slice(at), 'both');
  }

  get text(): string {
    return this.textOf('old');
  }

  get baseline(): string {
    return this.textOf('new');
  }

  /** The ids of all changes of which a character is left, old or new. */
  get hunkIds(): ReadonlySet<number> {
    return new Set(this.letters.flatMap(({ hunkId }) => hunkId ?? []));
  }

  keep(hunkId: number): void {
    this.letters = this.letters.filter((each) => each.hunkId !== hunkId || each.side === 'new');
    this.release(hunkId);
  }

  undo(hunkId: number): void {
    this.letters = this.letters.filter((each) => each.hunkId !== hunkId || each.side === 'old');
    this.release(hunkId);
  }

  /** The user deletes text inside a hunk, outside all hunks, or across their ends. */
  deleteRange(start: number, end: number): void {
    const shown = this.shown();
    const gone = new Set(shown.slice(start, end));
    const outside = [...gone].some(({ side }) => side === 'both');
    const alone = [...gone].every(({ hunkId }) => hunkId !== undefined && hunkId === [...gone][0]!.hunkId);
    const left = new Set(shown.filter((each) => !gone.has(each)).map(({ hunkId }) => hunkId));
    const first = this.letters.indexOf(shown[start]!);
    const last = this.letters.indexOf(shown[end - 1]!);
    const within = new Set(this.letters.slice(first, last + 1).flatMap(({ hunkId }) => hunkId ?? []));
    this.letters = this.letters.filter((each) => {
      if (gone.has(each)) {
        return false;
      }
      // A hunk that was deleted together with its surroundings cannot be undone.
      const isLost = each.side === 'old' && within.has(each.hunkId!) && !left.has(each.hunkId) && (outside || !alone);
      return !isLost;
    });
  }

  /** The user types. */
  insert(at: number, text: string): void {
    const shown = this.shown();
    const [before, after] = [shown[at - 1], shown[at]];
    const hunkId = claimant(before, after, text);
    const letters = text.split('').map((letter): Letter => ({ letter, side: hunkId === undefined ? 'both' : 'new', hunkId }));
    let index = after ? this.letters.indexOf(after) : this.letters.length;
    if (hunkId !== undefined && before?.hunkId === hunkId) {
      index = this.letters.indexOf(before) + 1;
    } else if (hunkId === undefined && after?.side === 'new') {
      // The position before the whole hunk that begins here, including the text that it replaced.
      while (this.letters[index - 1]?.side === 'old' && this.letters[index - 1]!.hunkId === after.hunkId) {
        index--;
      }
    }
    this.letters.splice(index, 0, ...letters);
  }

  private shown(): Letter[] {
    return this.letters.filter(({ side }) => side !== 'old');
  }

  private textOf(without: Letter['side']): string {
    return this.letters
      .filter(({ side }) => side !== without)
      .map(({ letter }) => letter)
      .join('');
  }

  private release(hunkId: number): void {
    this.letters.filter((each) => each.hunkId === hunkId).forEach((each) => Object.assign(each, { side: 'both', hunkId: undefined }));
  }
}

/** The hunk that receives text typed between two letters. */
function claimant(before: Letter | undefined, after: Letter | undefined, text: string): number | undefined {
  if (before?.side === 'new' && after?.side === 'new' && before.hunkId === after.hunkId) {
    return before.hunkId;
  }
  const goesOn = before?.side === 'new' && before.letter !== '\n' && (!after || after.letter === '\n' || after.letter === '\r');
  if (goesOn && !/^\r?\n/.test(text)) {
    return before.hunkId;
  }
  const beginsLine = after?.side === 'new' && (!before || before.letter === '\n');
  return beginsLine && !text.endsWith('\n') ? after.hunkId : undefined;
}

/** The characters of the user, each unique. */
export function* userLetters(): Generator<string, never> {
  for (let code = 0xe000; ; code = code === 0xf8ff ? 0xe000 : code + 1) {
    yield String.fromCharCode(code);
  }
}

export function isUserLetter(letter: string): boolean {
  return letter >= '\ue000' && letter <= '\uf8ff';
}

export function spliced(text: string, { start, end, text: inserted }: TextEdit): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

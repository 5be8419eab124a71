/**
 * Random sequences of edits by agent, user and other programs, compared with a model that knows the author of each character. A fixed share runs with
 * every gate; ACP_HOST_ALL_SEQUENCES=1 runs all, and ACP_HOST_SEED=n runs other ones.
 */
import assert from 'node:assert/strict';
import type { Hunk, TextEdit } from '../../../src/core/fileChanges/hunks';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { storedHunks } from '../../../src/changes/hunks/storedHunks';
import { HunkModel, isUserLetter, spliced, userLetters } from './hunkModel';

const ALL = 20_000;
const SHARE = 500;
const STEPS = 24;

/** Returns a whole number from 0 to `below` - 1, the same for the same seed. */
type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The lines that texts consist of: few different ones, so that they often recur. */
interface Kind {
  readonly lines: readonly string[];
  readonly ends: readonly string[];
  readonly mark?: string;
}

const LF: Kind = { lines: ['a', 'b', 'c'], ends: ['\n'] };
const KINDS: Readonly<Record<string, Kind>> = {
  'lines that end with \\n': LF,
  'lines that end with \\r\\n': { ...LF, ends: ['\r\n'] },
  'lines that end with either': { ...LF, ends: ['\n', '\r\n'] },
  'pairs of surrogates': { ...LF, lines: ['😀', '😁', '🐀a'] },
  'a byte order mark': { ...LF, mark: '\ufeff' },
};

class Run {
  private hunks: LiveHunks;
  private model: HunkModel;
  private text: string;
  /** The characters that the user typed and did not delete. */
  private readonly alive = new Set<string>();
  private readonly letters = userLetters();
  private turns = 0;
  private readonly earlier: string[] = [];
  /** The text of each hunk in each earlier text. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly random: Random,
    private readonly kind: Kind,
  ) {
    this.text = (kind.mark ?? '') + this.someText(12);
    this.hunks = LiveHunks.of(this.text);
    this.model = new HunkModel(this.text, []);
  }

  step(): void {
    const { random } = this;
    switch (random(13)) {
      case 0:
      case 1:
      case 2:
        this.agentWrites();
        break;
      case 3:
      case 4:
        this.userTypes();
        break;
      case 5:
        this.userDeletes();
        break;
      case 6:
        this.userReplaces();
        break;
      case 7:
        this.keeps();
        break;
      case 8:
        this.undoes();
        break;
      case 9:
        this.undoesAndTakesThatBack();
        break;
      case 10:
        this.reloads();
        break;
      case 11:
        this.userTypesInSeveralPlaces();
        break;
      default:
        this.somebodyWrites();
    }
    this.check();
  }

  private check(): void {
    const { hunks, text } = this;
    assert.equal(hunks.text, text);
    let at = 0;
    for (const [index, { start, end, oldText }] of hunks.hunks.entries()) {
      assert.ok(at < start || index === 0, 'what touches is one');
      assert.ok(start <= end && end <= text.length, 'hunks are in order and in the text');
      assert.notEqual(text.slice(start, end), oldText, 'a hunk changes something');
      at = end;
    }
    hunks.hunks.forEach(({ hunkId, start, end }) => this.seen.add(JSON.stringify([text, hunkId, text.slice(start, end)])));
    const ids = [...hunks.hunks, ...hunks.setAside].map(({ hunkId }) => hunkId);
    assert.equal(new Set(ids).size, ids.length, 'each is pending or set aside, once');
    const somewhere = new Set(
      [text, ...hunks.hunks.map(({ oldText }) => oldText), ...hunks.setAside.flatMap((each) => [each.oldText, each.newText])].join(''),
    );
    this.alive.forEach((letter) => assert.ok(somewhere.has(letter), `${letter.charCodeAt(0).toString(16)} is lost`));
    this.model = new HunkModel(text, hunks.hunks);
    assert.equal(this.model.baseline, hunks.baseline);
    assert.equal(this.model.text, text);
  }

  private someText(lines: number): string {
    const { random, kind } = this;
    const one = (from: readonly string[]): string => from[from.length === 1 ? 0 : random(from.length)]!;
    const text = Array.from({ length: random(lines + 1) }, () => one(kind.lines) + one(kind.ends)).join('');
    return random(6) === 0 ? text.replace(/\r?\n$/, '') : text;
  }

  /** The line end of a typed line. */
  private get eol(): string {
    return this.kind.ends[0]!;
  }

  /** A position in the text. Editors have none inside a line end or a surrogate pair. */
  private place(at: number): number {
    return isWhole(this.text, at) ? at : at - 1;
  }

  private agentWrites(): void {
    const { random, hunks } = this;
    const baseline = hunks.baseline;
    const by = `turn-${++this.turns}`;
    if (random(2) === 0) {
      const lines = this.text.split(/(?<=\n)/);
      const first = random(lines.length + 1);
      lines.splice(first, random(4), this.someText(3));
      this.text = lines.join('');
      hunks.replace(this.text, { type: 'agent', by });
    } else {
      const start = this.place(random(this.text.length + 1));
      const end = this.place(Math.min(this.text.length, start + random(6)));
      const edit = { start, end, text: this.someText(2).replace(random(3) === 0 ? /^[^\r\n]+/ : '', '') };
      this.text = spliced(this.text, edit);
      hunks.edit([edit], { type: 'agent', by });
    }
    assert.equal(withoutReturns(hunks.baseline), withoutReturns(baseline), 'what an agent does is pending');
  }

  private userTypes(): void {
    const { random, hunks } = this;
    const letter = this.letters.next().value;
    const text = ['', this.eol, 'x'][random(3)]! + letter + ['', this.eol, `y${this.eol}`][random(3)]!;
    const at = this.place(random(this.text.length + 1));
    this.alive.add(letter);
    this.model.insert(at, text);
    this.byUser({ start: at, end: at, text });
    assert.equal(hunks.baseline, this.model.baseline);
  }

  /** One event with several cursors. Editors report the last position first. */
  private userTypesInSeveralPlaces(): void {
    const { random, hunks } = this;
    const places = new Set(Array.from({ length: 2 + random(4) }, () => this.place(random(this.text.length + 1))));
    const edits = [...places]
      .sort((one, other) => other - one)
      .map((at): TextEdit => ({ start: at, end: at, text: this.letters.next().value + ['', this.eol][random(2)]! }));
    for (const edit of edits) {
      this.alive.add(edit.text[0]!);
      this.model.insert(edit.start, edit.text);
      this.text = spliced(this.text, edit);
    }
    hunks.edit(edits, { type: 'user' });
    assert.equal(hunks.baseline, this.model.baseline);
  }

  private userDeletes(): void {
    const { random } = this;
    const start = this.place(random(this.text.length + 1));
    const end = this.place(Math.min(this.text.length, start + 1 + random(8)));
    if (start === end) {
      return;
    }
    this.model.deleteRange(start, end);
    const { baseline, hunks: pending } = this.hunks;
    const deleted = spliced(this.text, { start, end, text: '' });
    const isUndo = pending.some((hunk) => spliced(this.text, { start: hunk.start, end: hunk.end, text: hunk.oldText }) === deleted);
    const before = this.hunks.setAside.map(({ hunkId }) => hunkId);
    this.byUser({ start, end, text: '' });
    // A change that is pending again removes its text from the baseline. It may have been set aside before, or by this very edit: the text may be one
    // in which the deleted change fitted.
    const after = new Set(this.hunks.setAside.map(({ hunkId }) => hunkId));
    const isRevived = this.hunks.hunks.some(({ hunkId }) => !this.model.hunkIds.has(hunkId));
    if (!isRevived && before.every((hunkId) => after.has(hunkId))) {
      // The undo of a change is one wherever the deletion was: its text may be repeated beside it.
      assert.equal(this.hunks.baseline, isUndo ? baseline : this.model.baseline);
    }
  }

  /** Replaces text, also across the ends of hunks, as a formatter does. */
  private userReplaces(): void {
    const { random } = this;
    const start = this.place(random(this.text.length + 1));
    const letter = this.letters.next().value;
    this.alive.add(letter);
    const kept = this.text.slice(start, this.place(Math.min(this.text.length, start + random(6))));
    const outside = this.outside();
    const end = this.place(Math.min(this.text.length, start + random(20)));
    this.byUser({ start, end: Math.max(start, end), text: `${random(2) === 0 ? kept : ''}${letter}${this.eol}` });
    outside.forEach((each) => !this.text.includes(each) && this.alive.delete(each));
  }

  private byUser(edit: TextEdit): void {
    [...this.text.slice(edit.start, edit.end)]
      .filter(isUserLetter)
      .forEach((letter) => edit.text.includes(letter) || this.alive.delete(letter));
    this.text = spliced(this.text, edit);
    this.hunks.edit([edit], { type: 'user' });
  }

  /** The user's characters that belong to no change. */
  private outside(): string[] {
    const { hunks } = this;
    return this.text
      .split('')
      .filter((letter, at) => isUserLetter(letter) && !hunks.hunks.some(({ start, end }) => start <= at && at < end));
  }

  private some(): readonly Hunk[] {
    return this.hunks.hunks.filter(() => this.random(3) === 0);
  }

  private keeps(): void {
    const some = this.some();
    some.forEach(({ hunkId }) => this.model.keep(hunkId));
    this.hunks.keep(some.map(({ hunkId }) => hunkId));
    // The user agreed that the agent removed them. Where it inserted them elsewhere, they are the agent's.
    some.forEach(({ oldText }) => [...oldText].forEach((letter) => this.alive.delete(letter)));
    assert.equal(this.hunks.baseline, this.model.baseline);
  }

  private undoes(): readonly TextEdit[] {
    const some = this.some();
    const { baseline } = this.hunks;
    const outside = this.outside();
    const others = this.hunks.hunks.filter((hunk) => !some.includes(hunk)).map(({ hunkId }) => hunkId);
    some.forEach(({ hunkId }) => this.model.undo(hunkId));
    const edits = this.hunks.undoEdits(some.map(({ hunkId }) => hunkId));
    edits.forEach((edit) => (this.text = spliced(this.text, edit)));
    this.hunks.edit(edits, { type: 'user' });
    assert.equal(this.text, this.model.text);
    assert.equal(this.hunks.baseline, baseline, 'the baseline has it already');
    assert.deepEqual(
      this.hunks.hunks.map(({ hunkId }) => hunkId),
      others,
    );
    outside.forEach((letter) => assert.ok(this.text.includes(letter), 'what was typed elsewhere stays'));
    return edits;
  }

  private undoesAndTakesThatBack(): void {
    const { text } = this;
    const { hunks: pending, baseline } = this.hunks;
    const edits = this.undoes();
    // The inverse of each edit, the last first, like the editor's own undo.
    const inverse: TextEdit[] = [];
    let at = text;
    for (const edit of edits) {
      inverse.unshift({ start: edit.start, end: edit.start + edit.text.length, text: at.slice(edit.start, edit.end) });
      at = spliced(at, edit);
    }
    this.hunks.edit(inverse, { type: 'user' });
    this.text = text;
    assert.equal(this.hunks.baseline, baseline, 'pending again');
    assert.deepEqual(this.hunks.hunks, pending);
  }

  private reloads(): void {
    const { stored } = this.hunks;
    const read = storedHunks(JSON.parse(JSON.stringify(stored)), this.text.length);
    assert.deepEqual(read, stored);
    this.hunks = LiveHunks.from(read!, this.text);
  }

  /** Another program writes: a checkout, a stash, a formatter on the command line. */
  private somebodyWrites(): void {
    const { random, hunks } = this;
    const aside = hunks.setAside.length;
    const choices = [hunks.baseline, ...this.earlier, this.someText(12), this.text.replaceAll('a', 'b')];
    this.earlier.push(this.text);
    const pending = new Map(hunks.hunks.map((hunk) => [hunk.hunkId, this.text.slice(hunk.start, hunk.end)]));
    this.text = choices[random(choices.length)]!;
    hunks.replace(this.text, { type: 'external' });
    for (const { hunkId, start, end } of hunks.hunks) {
      const before = pending.get(hunkId);
      const now = this.text.slice(start, end);
      const isBack = this.seen.has(JSON.stringify([this.text, hunkId, now]));
      // Changes that became adjacent to it have joined it.
      assert.ok(
        before === undefined || withoutReturns(now).startsWith(withoutReturns(before)) || isBack,
        'only what still fits is pending',
      );
    }
    assert.ok(hunks.hunks.length > 0 || pending.size === 0 || hunks.setAside.length >= aside);
    this.alive.forEach((letter) => !this.text.includes(letter) && this.alive.delete(letter));
  }
}

/** False within a line's end, and within a pair of surrogates. */
function isWhole(text: string, at: number): boolean {
  const isInEnd = text[at - 1] === '\r' && text[at] === '\n';
  return !isInEnd && !(/[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? ''));
}

/** Removes carriage returns: a file that only gets other line ends has no change to review. */
function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

describe('live hunks, at random', () => {
  const kinds = Object.entries(KINDS);
  const count = (process.env['ACP_HOST_ALL_SEQUENCES'] ? ALL : SHARE) / kinds.length;
  const first = Number(process.env['ACP_HOST_SEED'] ?? 1);

  for (const [name, kind] of kinds) {
    it(`match the model in ${count} sequences over ${name}, and lose nothing of the user's`, function () {
      this.timeout(600_000);
      for (let seed = first; seed < first + count; seed++) {
        const run = new Run(randomOf(seed), kind);
        for (let step = 1; step <= STEPS; step++) {
          try {
            run.step();
          } catch (error) {
            throw new Error(`seed ${seed}, step ${step}: ${(error as Error).message}`, { cause: error });
          }
        }
      }
    });
  }
});

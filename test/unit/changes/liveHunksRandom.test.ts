/**
 * Random sequences of what agent, user and others do to a text, against a model that knows of each character whose it is. A fixed share runs with every
 * gate; ACP_HOST_ALL_SEQUENCES=1 runs all.
 */
import assert from 'node:assert/strict';
import type { Hunk, TextEdit } from '../../../src/core/fileChanges/hunks';
import { LiveHunks, type StoredHunks } from '../../../src/changes/hunks/liveHunks';
import { HunkModel, isUserLetter, spliced, userLetters } from './hunkModel';

const ALL = 20_000;
const SHARE = 1_000;
const STEPS = 24;

/** Numbers from 0 to before `below`, the same for the same seed. */
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

/** Few different lines, so that they often come back. */
function someText(random: Random, lines: number): string {
  const text = Array.from({ length: random(lines + 1) }, () => 'abc'.slice(random(3)) + '\n').join('');
  return random(6) === 0 ? text.slice(0, -1) : text;
}

class Run {
  private hunks: LiveHunks;
  private model: HunkModel;
  private text: string;
  /** What the user typed and did not delete. */
  private readonly alive = new Set<string>();
  private readonly letters = userLetters();
  private turns = 0;
  private readonly earlier: string[] = [];
  /** How each hunk read in each text there was. */
  private readonly seen = new Set<string>();

  constructor(private readonly random: Random) {
    this.text = someText(random, 12);
    this.hunks = LiveHunks.of(this.text);
    this.model = new HunkModel(this.text, []);
  }

  step(): void {
    const { random } = this;
    switch (random(12)) {
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

  private agentWrites(): void {
    const { random, hunks } = this;
    const baseline = hunks.baseline;
    const by = `turn-${++this.turns}`;
    if (random(2) === 0) {
      const lines = this.text.split(/(?<=\n)/);
      const first = random(lines.length + 1);
      lines.splice(first, random(4), someText(random, 3));
      this.text = lines.join('');
      hunks.replace(this.text, { type: 'agent', by });
    } else {
      const start = random(this.text.length + 1);
      const edit = { start, end: Math.min(this.text.length, start + random(6)), text: someText(random, 2).slice(random(3)) };
      this.text = spliced(this.text, edit);
      hunks.edit([edit], { type: 'agent', by });
    }
    assert.equal(hunks.baseline, baseline, 'what an agent does is pending');
  }

  private userTypes(): void {
    const { random, hunks } = this;
    const letter = this.letters.next().value;
    const text = ['', '\n', 'x'][random(3)]! + letter + ['', '\n', 'y\n'][random(3)]!;
    const at = random(this.text.length + 1);
    this.alive.add(letter);
    this.model.insert(at, text);
    this.byUser({ start: at, end: at, text });
    assert.equal(hunks.baseline, this.model.baseline);
  }

  private userDeletes(): void {
    const { random } = this;
    const start = random(this.text.length + 1);
    const end = Math.min(this.text.length, start + 1 + random(8));
    if (start === end) {
      return;
    }
    this.model.deleteRange(start, end);
    const before = this.hunks.setAside.length;
    this.byUser({ start, end, text: '' });
    // An undone change that is there again takes its text out of the baseline.
    if (this.hunks.setAside.length >= before) {
      assert.equal(this.hunks.baseline, this.model.baseline);
    }
  }

  /** Also over the ends of hunks, as a formatter does. */
  private userReplaces(): void {
    const { random } = this;
    const start = random(this.text.length + 1);
    const letter = this.letters.next().value;
    this.alive.add(letter);
    const kept = this.text.slice(start, start + random(6));
    const outside = this.outside();
    this.byUser({ start, end: Math.min(this.text.length, start + random(20)), text: `${kept.slice(random(2))}${letter}\n` });
    outside.forEach((each) => !this.text.includes(each) && this.alive.delete(each));
  }

  private byUser(edit: TextEdit): void {
    [...this.text.slice(edit.start, edit.end)]
      .filter(isUserLetter)
      .forEach((letter) => edit.text.includes(letter) || this.alive.delete(letter));
    this.text = spliced(this.text, edit);
    this.hunks.edit([edit], { type: 'user' });
  }

  /** Letters of the user's that belong to no change. */
  private outside(): string[] {
    const { hunks } = this;
    return [...this.text].filter((letter, at) => isUserLetter(letter) && !hunks.hunks.some(({ start, end }) => start <= at && at < end));
  }

  private some(): readonly Hunk[] {
    return this.hunks.hunks.filter(() => this.random(3) === 0);
  }

  private keeps(): void {
    const some = this.some();
    some.forEach(({ hunkId }) => this.model.keep(hunkId));
    this.hunks.keep(some.map(({ hunkId }) => hunkId));
    // The user agreed that the agent took them out; where it put them in elsewhere, that is the agent's.
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
    // As the editor's own undo does it: the inverse of each, the last first.
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
    this.hunks = LiveHunks.from(JSON.parse(JSON.stringify(this.hunks.stored)) as StoredHunks, this.text);
  }

  /** A checkout, a stash, a formatter on the command line. */
  private somebodyWrites(): void {
    const { random, hunks } = this;
    const aside = hunks.setAside.length;
    const choices = [hunks.baseline, ...this.earlier, someText(random, 12), this.text.replaceAll('a', 'b')];
    this.earlier.push(this.text);
    const pending = new Map(hunks.hunks.map((hunk) => [hunk.hunkId, this.text.slice(hunk.start, hunk.end)]));
    this.text = choices[random(choices.length)]!;
    hunks.replace(this.text, { type: 'external' });
    for (const { hunkId, start, end } of hunks.hunks) {
      const before = pending.get(hunkId);
      const now = this.text.slice(start, end);
      const isBack = this.seen.has(JSON.stringify([this.text, hunkId, now]));
      // What came to touch it has joined it.
      assert.ok(before === undefined || now.startsWith(before) || isBack, 'only what still fits is pending');
    }
    assert.ok(hunks.hunks.length > 0 || pending.size === 0 || hunks.setAside.length >= aside);
    this.alive.forEach((letter) => !this.text.includes(letter) && this.alive.delete(letter));
  }
}

describe('live hunks, at random', () => {
  const count = process.env['ACP_HOST_ALL_SEQUENCES'] ? ALL : SHARE;

  it(`${count} sequences are what the model says, and nothing of the user's is lost`, function () {
    this.timeout(600_000);
    for (let seed = 1; seed <= count; seed++) {
      const run = new Run(randomOf(seed));
      for (let step = 1; step <= STEPS; step++) {
        try {
          run.step();
        } catch (error) {
          throw new Error(`seed ${seed}, step ${step}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
  });
});

/** Pending changes of large texts: the limits up to which they are followed. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import type { TextEdit } from '../../../src/core/fileChanges/hunks';

const USER = { type: 'user' } as const;
const EXTERNAL = { type: 'external' } as const;
const AGENT = { type: 'agent', by: 'turn-1' } as const;

function text(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

const same = (index: number): string => `line ${index}`;

describe('live hunks of a large text', function () {
  this.timeout(10_000);

  it('become a single hunk when an agent changes each of 16,000 lines', () => {
    const [before, after] = [text(16_000, same), text(16_000, (index) => `  line ${index}`)];
    const hunks = LiveHunks.of(before);
    const started = performance.now();
    assert.equal(hunks.replace(after, AGENT), true);
    assert.ok(performance.now() - started < 1000);
    assert.deepEqual([hunks.hunks.length, hunks.text, hunks.baseline], [1, after, before]);
  });

  it('follow every author in milliseconds with 500 hunks', () => {
    const change = (name: string) => text(8000, (index) => (index % 16 === 0 ? `${name} ${index}` : same(index)));
    const before = text(8000, same);
    const started = performance.now();
    const hunks = LiveHunks.of(before);
    hunks.replace(change('first'), AGENT);
    hunks.replace(change('second'), { type: 'agent', by: 'turn-2' });
    assert.deepEqual([hunks.hunks.length, hunks.baseline], [500, before]);
    assert.deepEqual(hunks.hunks[499]!.by, ['turn-1', 'turn-2']);
    // A formatter replaces the whole document with one edit.
    const formatted = hunks.text.replace(/^/gm, '  ').slice(0, -2);
    hunks.edit([{ start: 0, end: hunks.text.length, text: formatted }], USER);
    assert.deepEqual([hunks.hunks.length, hunks.text], [500, formatted]);
    assert.equal(
      hunks.baseline,
      text(8000, (index) => (index % 16 === 0 ? same(index) : `  ${same(index)}`)),
    );
    const { baseline } = hunks;
    hunks.edit(hunks.undoEdits(hunks.hunks.map(({ hunkId }) => hunkId)), USER);
    assert.deepEqual([hunks.hunks, hunks.text, hunks.setAside.length], [[], baseline, 500]);
    assert.ok(performance.now() - started < 2000);
  });

  it('become pending again when the editor reverts the undo of as many as are followed', () => {
    const change = (every: number): string => text(4000, (index) => (index % every === 0 ? `agents ${index}` : same(index)));
    const before = text(4000, same);
    let followed = 0;
    for (const every of [2, 4, 5, 8]) {
      const hunks = LiveHunks.of(before);
      if (!hunks.replace(change(every), AGENT)) {
        continue;
      }
      followed++;
      const [pending, { text: present }] = [hunks.hunks, hunks];
      const undo = hunks.undoEdits(pending.map(({ hunkId }) => hunkId));
      hunks.edit(undo, USER);
      assert.deepEqual([hunks.hunks, hunks.text], [[], before]);
      // The editor's own undo: the inverse edits in ascending order.
      const inverse = undo.toReversed().map(({ start, text: old }, index): TextEdit => {
        const hunk = pending[index]!;
        return { start, end: start + old.length, text: present.slice(hunk.start, hunk.end) };
      });
      assert.equal(hunks.edit(inverse, USER), true);
      assert.deepEqual([hunks.text, hunks.baseline === before, hunks.hunks], [present, true, pending], `each ${every}th line`);
    }
    assert.ok(followed > 0);
  });

  it('follow 10,000 edits of one event in either order', () => {
    const before = text(10_000, same);
    const after = text(10_000, (index) => (index % 50 === 0 ? `agents ${index}` : same(index)));
    const inserted = text(10_000, (index) => (index % 50 === 0 ? `agents ${index}!` : `${same(index)}!`));
    const places: number[] = [];
    for (let feed = after.indexOf('\n'); feed >= 0; feed = after.indexOf('\n', feed + 1)) {
      places.push(feed);
    }
    const descending = places.map((at): TextEdit => ({ start: at, end: at, text: '!' })).reverse();
    const ascending = places.map((at, index): TextEdit => ({ start: at + index, end: at + index, text: '!' }));
    for (const edits of [descending, ascending]) {
      const hunks = LiveHunks.of(before);
      hunks.replace(after, AGENT);
      assert.equal(hunks.edit(edits, USER), true);
      assert.deepEqual([hunks.text, hunks.hunks.length], [inserted, 200]);
      assert.equal(
        hunks.baseline,
        text(10_000, (index) => (index % 50 === 0 ? same(index) : `${same(index)}!`)),
      );
    }
  });

  it('are refused, and unchanged, when there would be more than a user can review', () => {
    const before = text(6000, same);
    const hunks = LiveHunks.of(before);
    hunks.replace(before.replace('line 7\n', 'seven\n'), AGENT);
    const [{ text: present }, stored] = [hunks, hunks.stored];
    assert.equal(
      hunks.replace(
        text(6000, (index) => (index % 2 === 0 ? `agents ${index}` : same(index))),
        AGENT,
      ),
      false,
    );
    assert.equal(
      hunks.replace(
        text(100_000, (index) => `agents ${index}`),
        AGENT,
      ),
      false,
    );
    assert.equal(hunks.replace('x'.repeat(2 * 1024 * 1024 + 1), EXTERNAL), false);
    assert.deepEqual([hunks.text, hunks.stored], [present, stored]);
  });
});

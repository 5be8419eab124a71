/** The text that the hunks of a file belong to while its document has unsaved changes. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import type { Review } from '../../../src/changes/review/review';
import { FollowedTexts } from '../../../src/changes/undo/followedTexts';
import type { TextEdit } from '../../../src/core/fileChanges/hunks';

const BEFORE = 'one\ntwo\nthree\n';
const AFTER = 'one\n2\nthree\n';

describe('the hunks of a file', () => {
  let hunks: LiveHunks;
  let review: Review;
  let reads: number;

  beforeEach(() => {
    hunks = LiveHunks.of(BEFORE);
    hunks.replace(AFTER, { type: 'agent', by: 'turn-1' });
    reads = 0;
    review = {
      file: () => ({ hunks }),
      documentChanged: (_: string, edits: readonly TextEdit[]) => hunks.edit(edits, { type: 'user' }),
      documentIs: (_: string, text: string) => hunks.replace(text, { type: 'user' }),
    } as unknown as Review;
  });

  const document = (text: string, edits: readonly TextEdit[], onDisk = '', eol = '\n') => ({
    eol,
    edits,
    text: () => {
      reads++;
      return text;
    },
    wasOnDisk: (each: string) => each === onDisk,
  });
  const insert = (start: number, text: string): TextEdit => ({ start, end: start, text });
  const pending = (): readonly string[] => hunks.hunks.map(({ start, end, oldText }) => `${oldText}>${hunks.text.slice(start, end)}`);

  it('follow a document that shows the agent’s change, and read it once', () => {
    const followed = new FollowedTexts();
    assert.equal(followed.typed(review, 'a', document('mine\none\n2\nthree\n', [insert(0, 'mine\n')])), true);
    assert.equal(followed.typed(review, 'a', document('', [insert(0, 'more\n')])), true);
    assert.equal(reads, 1);
    assert.equal(hunks.text, 'more\nmine\none\n2\nthree\n');
    assert.deepEqual(pending(), ['two\n>2\n']);
  });

  it('follow the disk while the document has typing from before the agent’s write', () => {
    const followed = new FollowedTexts();
    assert.equal(followed.typed(review, 'a', document('mine\none\ntwo\nthree\n', [insert(3, 'e')], BEFORE)), false);
    assert.equal(followed.typed(review, 'a', document('mine!\none\ntwo\nthree\n', [insert(4, '!')], BEFORE)), false);
    assert.equal(hunks.text, AFTER);
    assert.deepEqual(pending(), ['two\n>2\n']);
  });

  it('follow the document again when it adopts the text on disk', () => {
    const followed = new FollowedTexts();
    followed.typed(review, 'a', document('mine\none\ntwo\nthree\n', [insert(3, 'e')], BEFORE));
    assert.equal(followed.typed(review, 'a', document(AFTER, [{ start: 0, end: 19, text: AFTER }])), true);
    assert.equal(followed.typed(review, 'a', document('', [insert(0, 'x')])), true);
    assert.equal(hunks.text, `x${AFTER}`);
  });

  it('follow the document when its typing is based on the text on disk', () => {
    const followed = new FollowedTexts();
    assert.equal(followed.typed(review, 'a', document('m\none\n2\nthree\nab', [insert(15, 'b')], AFTER)), true);
    assert.equal(hunks.text, 'm\none\n2\nthree\nab');
  });

  it('follow the document when its line ends change', () => {
    const followed = new FollowedTexts();
    followed.same(review, 'a', '\n');
    const text = 'one\r\n2\r\nthree\r\nx';
    assert.equal(followed.typed(review, 'a', document(text, [insert(15, 'x')], '', '\r\n')), true);
    assert.equal(hunks.text, text);
  });
});

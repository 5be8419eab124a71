import assert from 'node:assert/strict';
import { marksText, parseMarks, patchedMarks } from '../../../../src/session/journal/sessionMarks';

describe('marks of a session', () => {
  it('are restored as they were written, except malformed ones', () => {
    const marks = { name: 'Mine', pinned: true, archived: true, seenAt: 7 };
    assert.deepEqual(parseMarks(marksText(marks)), marks);
    assert.deepEqual(parseMarks('{"name":7,"pinned":true,"more":1}'), { pinned: true });
    for (const broken of [undefined, '', '{', 'null', '[]', '7']) {
      assert.deepEqual(parseMarks(broken), {}, broken);
    }
  });

  it('are patched one by one', () => {
    const marks = { name: 'Mine', pinned: true, seenAt: 7 };
    assert.deepEqual(patchedMarks(marks, { archived: true }), { ...marks, archived: true });
    assert.deepEqual(patchedMarks(marks, { name: undefined }), { pinned: true, seenAt: 7 });
    assert.deepEqual(patchedMarks(marks, { name: '' }), { pinned: true, seenAt: 7 });
    assert.deepEqual(patchedMarks(marks, { pinned: false }), { name: 'Mine', seenAt: 7 });
    assert.deepEqual(patchedMarks(marks, { seenAt: 3 }).seenAt, 7, 'what was seen stays seen');
    assert.equal(marksText(patchedMarks(marks, { name: undefined, pinned: undefined, seenAt: undefined })), undefined);
  });
});

/** The editor reverts a block by an edit that has the same result as the undo of the change, but another place. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../src/changes/hunks/liveHunks';
import { reportItems } from '../../../src/changes/review/reportItems';

const BEFORE = 'one\n\nthree\nfour\nfive\n';
const INSERTED = 'one\nnew\n\nthree\nfour\nfive\n';
const DELETED = 'one\n\nthree\nfive\n';

describe('an edit that undoes a change from another place', () => {
  const after = (text: string): LiveHunks => {
    const live = LiveHunks.of(BEFORE);
    live.replace(text, { type: 'agent', by: 'turn' });
    return live;
  };
  const edit = (live: LiveHunks, start: number, end: number, text: string): void => {
    assert.ok(live.edit([{ start, end, text }], { type: 'user' }));
  };
  const told = (live: LiveHunks): readonly string[] => reportItems(live, new Map()).map(({ what }) => what);

  it('undoes an inserted line, with the line break before it, and brings it back', () => {
    const live = after(INSERTED);
    edit(live, 3, 7, '');
    assert.equal(live.text, BEFORE);
    assert.deepEqual([live.hunks.length, told(live)], [0, ['undone']]);
    edit(live, 3, 3, '\nnew');
    assert.equal(live.text, INSERTED);
    assert.deepEqual([live.hunks.length, live.baseline, told(live)], [1, BEFORE, []]);
  });

  it('undoes a removed line, with the line break before it, and removes it again', () => {
    const live = after(DELETED);
    edit(live, 10, 10, '\nfour');
    assert.equal(live.text, BEFORE);
    assert.deepEqual([live.hunks.length, told(live)], [0, ['undone']]);
    edit(live, 10, 15, '');
    assert.equal(live.text, DELETED);
    assert.deepEqual([live.hunks.length, live.baseline, told(live)], [1, BEFORE, []]);
  });

  it('undoes one of two equal blocks that the editor marks some lines later', () => {
    const live = LiveHunks.of('a() {\n}\n\nb() {\n}\n');
    live.edit([{ start: 9, end: 9, text: 'c() {\n}\n\n' }], { type: 'agent', by: 'turn' });
    edit(live, 6, 15, '');
    assert.equal(live.text, 'a() {\n}\n\nb() {\n}\n');
    assert.deepEqual([live.hunks.length, told(live)], [0, ['undone']]);
  });

  it('leaves an edit with another result where it is', () => {
    const live = after(INSERTED);
    edit(live, 3, 6, '');
    assert.equal(live.text, 'onew\n\nthree\nfour\nfive\n');
    assert.deepEqual(told(live), ['changed']);
  });
});

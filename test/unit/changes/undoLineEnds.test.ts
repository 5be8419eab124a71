/** Undo of line ends that an agent replaced while the file is open. A document gives its own line ends to each edit. */
import assert from 'node:assert/strict';
import { isPending } from '../../../src/changes/review/review';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace } from '../../support/changes/workspace';

describe('an undo of other line ends', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let bench: Undoing;

  beforeEach(async () => {
    workspace = new Workspace(true);
    workspace.write('crlf.txt', 'one\r\ntwo\r\nthree\r\n');
    workspace.write('lf.txt', 'one\ntwo\nthree\n');
    workspace.commit();
    await workspace.settle();
    bench = undoing(workspace, workspace.session());
    await bench.turn(() => {
      workspace.write('crlf.txt', 'one\n2\nthree\n');
      workspace.write('lf.txt', 'one\r\n2\r\nthree\r\n');
    });
  });

  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  it('restores them in an open document', async () => {
    ['crlf.txt', 'lf.txt'].forEach((name) => bench.editor.open(workspace.at(name)));
    const { left } = await bench.undoFiles();
    assert.deepEqual(left, []);
    assert.deepEqual([workspace.read('crlf.txt'), workspace.read('lf.txt')], ['one\r\ntwo\r\nthree\r\n', 'one\ntwo\nthree\n']);
  });

  it('leaves a document with unsaved changes, which would keep its line ends', async () => {
    const document = bench.editor.open(workspace.at('crlf.txt'));
    document.dirty = true;
    const { left } = await bench.undoFiles(['crlf.txt']);
    assert.deepEqual(
      left.map(({ reason }) => reason),
      ['unsaved'],
    );
    assert.equal(document.text, 'one\n2\nthree\n');
  });

  it('edits an open document whose line ends are those of the earlier text', async () => {
    await bench.undoFiles();
    await workspace.settle();
    await bench.turn(() => workspace.write('crlf.txt', 'one\r\n2\r\nthree\r\n'));
    const document = bench.editor.open(workspace.at('crlf.txt'));
    await bench.undoFiles();
    assert.equal(document.text, 'one\r\ntwo\r\nthree\r\n');
  });

  for (const isOpen of [true, false]) {
    it(`restores them when nothing else has changed, in ${isOpen ? 'an open' : 'a closed'} document`, async () => {
      workspace.write('other.txt', 'one\r\ntwo\r\nthree\r\n');
      await workspace.settle();
      await bench.turn(() => workspace.write('other.txt', 'one\ntwo\nthree\n'));
      void (isOpen && bench.editor.open(workspace.at('other.txt')));
      assert.ok(isPending(bench.review.file(workspace.at('other.txt'))!));
      assert.deepEqual(await bench.undoFiles(['other.txt']), { done: [workspace.at('other.txt')], left: [] });
      assert.equal(workspace.read('other.txt'), 'one\r\ntwo\r\nthree\r\n');
    });
  }
});

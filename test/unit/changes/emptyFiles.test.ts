/** Files without content that a turn creates, fills or deletes. No hunk shows them, but they wait for the user. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pendingSummary } from '../../../src/changes/review/pendingSummary';
import { isPending } from '../../../src/changes/review/review';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace } from '../../support/changes/workspace';

describe('an empty file', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let bench: Undoing;

  const at = (name: string): string => workspace.at(name);
  const pending = (): string[] => bench.review.files.filter(isPending).map((file) => path.basename(file.path));
  const summary = () => pendingSummary(bench.review.files, { nameOf: (name) => path.basename(name), deletedLines: () => 0 })?.files;

  beforeEach(async () => {
    workspace = new Workspace(true);
    workspace.write('there.txt', '');
    workspace.commit();
    await workspace.settle();
    bench = undoing(workspace, workspace.session());
  });

  afterEach(() => {
    bench.dispose();
    workspace.dispose();
  });

  it('waits as a new file, and an undo deletes it', async () => {
    await bench.turn(() => workspace.write('ran.txt', ''));
    assert.deepEqual(summary(), [{ path: 'ran.txt', operation: 'add', added: 0, removed: 0 }]);
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(existsSync(at('ran.txt')), false);
    assert.deepEqual(pending(), []);
  });

  it('waits no longer once it is kept, or is in a commit', async () => {
    await bench.turn(() => {
      workspace.write('one.txt', '');
      workspace.write('two.txt', '');
    });
    bench.review.keep(at('one.txt'));
    assert.deepEqual(pending(), ['two.txt']);
    bench.review.committed(at('two.txt'), '');
    assert.deepEqual(bench.review.files, []);
  });

  it('is left by an undo once it has content', async () => {
    await bench.turn(() => workspace.write('ran.txt', ''));
    const file = bench.review.file(at('ran.txt'))!;
    workspace.write('ran.txt', 'written by the user\n');
    const plans = await bench.undo.plan([{ file }]);
    await bench.undo.perform(plans);
    assert.equal(workspace.read('ran.txt'), 'written by the user\n');
    await bench.review.fileChanged(at('ran.txt'));
    assert.deepEqual(pending(), []);
  });

  it('is deleted by an undo after a later turn has filled it', async () => {
    await bench.turn(() => workspace.write('ran.txt', ''));
    await bench.turn(() => workspace.write('ran.txt', 'filled\n'));
    assert.deepEqual(summary(), [{ path: 'ran.txt', operation: 'add', added: 1, removed: 0 }]);
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(existsSync(at('ran.txt')), false);
  });

  it('waits when it was deleted, and an undo brings it back', async () => {
    await bench.turn(() => workspace.remove('there.txt'));
    assert.deepEqual(summary(), [{ path: 'there.txt', operation: 'delete', added: 0, removed: 0 }]);
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(workspace.read('there.txt'), '');
    assert.deepEqual(pending(), []);
  });
});

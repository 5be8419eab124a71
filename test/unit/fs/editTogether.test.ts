/** Edits of several files, made by the editor for an agent. */
import assert from 'node:assert/strict';
import { fault } from '../../../src/core/model/failure';
import type { AllowedEdit, FileOperation } from '../../../src/fs/fileService';
import { FakeBuffers } from '../../support/fakeBuffers';
import { codeOf, fileService } from '../../support/fakeFileService';

const [A, B] = ['/w/a.txt', '/w/b.txt'];
const edits = [B, A].map((path) => ({ path, before: 'old\n', after: `new ${path}\n` }));

describe('an edit of several files', () => {
  const apply = (made: (readonly AllowedEdit[])[]) => async (allowed: readonly AllowedEdit[]) => void made.push(allowed);

  it('is made once every file is allowed', async () => {
    const asked: FileOperation[] = [];
    const service = fileService(new FakeBuffers(), undefined, undefined, async (operation) => {
      asked.push(operation);
      return false;
    });
    const made: (readonly AllowedEdit[])[] = [];
    await service.editTogether(edits, apply(made));
    assert.deepEqual(made, [edits.map((edit) => ({ ...edit, real: edit.path }))]);
    assert.deepEqual(
      asked.map(({ access, path, content }) => [access, path, content]),
      edits.map(({ path, after }) => ['write', path, after]),
    );
    assert.equal(await asked[0]!.present(), 'old\n');
  });

  it('is not made when one file is protected, outside of the folders, or rejected', async () => {
    const made: (readonly AllowedEdit[])[] = [];
    const guarded = fileService(new FakeBuffers(), undefined, undefined, async ({ path }) => {
      if (path === A) {
        throw fault('fs.protected', { path, rule: '*.txt' });
      }
      return false;
    });
    assert.equal(await codeOf(guarded.editTogether(edits, apply(made))), 'fs.protected');
    const outside = [...edits, { path: '/else/c.txt', before: '', after: 'x' }];
    assert.equal(await codeOf(fileService(new FakeBuffers()).editTogether(outside, apply(made))), 'fs.outside_roots');
    const reviewed = fileService(new FakeBuffers(), undefined, async ({ path }) => {
      throw fault('fs.rejected', { path });
    });
    assert.equal(await codeOf(reviewed.editTogether(edits, apply(made))), 'fs.rejected');
    const aborted = fileService(new FakeBuffers()).editTogether(edits, apply(made), AbortSignal.abort());
    assert.equal(await codeOf(aborted), 'request.cancelled');
    assert.deepEqual(made, []);
  });

  it('gets the text that the user put in its place', async () => {
    const service = fileService(new FakeBuffers(), undefined, async ({ path, before, after }) => {
      assert.equal(before, 'old\n');
      return path === A ? 'by the user\n' : after;
    });
    const made: (readonly AllowedEdit[])[] = [];
    await service.editTogether(edits, apply(made));
    assert.deepEqual(
      made[0]!.map(({ reviewed }) => reviewed),
      [undefined, 'by the user\n'],
    );
  });

  it('is not reviewed where the user was asked already', async () => {
    const service = fileService(
      new FakeBuffers(),
      undefined,
      async () => assert.fail('reviewed'),
      async () => true,
    );
    const made: (readonly AllowedEdit[])[] = [];
    await service.editTogether(edits, apply(made));
    assert.equal(made.length, 1);
  });

  it('waits for other writes of its files, and they for it', async () => {
    const buffers = new FakeBuffers();
    await buffers.store(A, 'old\n');
    await buffers.store(B, 'old\n');
    const service = fileService(buffers);
    let running = 0;
    let count = 0;
    const slow = async () => {
      count++;
      assert.equal(++running, 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
    };
    const write = async (content: string) => {
      await service.write({ path: A, content });
      assert.equal(running, 0);
    };
    await Promise.all([
      service.editTogether(edits, slow),
      service.editTogether(edits.toReversed(), slow),
      new Promise((resolve) => setTimeout(resolve, 5)).then(() => write('later\n')),
    ]);
    assert.equal(count, 2);
  });
});

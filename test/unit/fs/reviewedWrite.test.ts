/** Writes that wait for the user's review. */
import assert from 'node:assert/strict';
import { fault } from '../../../src/core/model/failure';
import type { FileOperation, FileService, ProposedWrite } from '../../../src/fs/fileService';
import { FakeBuffers } from '../../support/fakeBuffers';
import { codeOf, fileService } from '../../support/fakeFileService';

const path = '/w/file.txt';

describe('a write that the user reviews first', () => {
  let buffers: FakeBuffers;
  let service: FileService;
  let seen: ProposedWrite[];
  let look: (write: ProposedWrite) => string | undefined | Promise<string | undefined>;

  beforeEach(() => {
    buffers = new FakeBuffers();
    seen = [];
    look = ({ after }) => after;
    service = fileService(buffers, undefined, async (write) => {
      seen.push(write);
      return look(write);
    });
  });

  it("is shown as its result in the file, together with the user's typing", async () => {
    await buffers.store(path, 'one\ntwo\nthree\n');
    const document = await buffers.open(path);
    await service.read({ path });
    document.type(0, 0, 'typed\n');
    await service.write({ path, content: 'one\ntwo\nTHREE\n' });
    assert.deepEqual(
      seen.map(({ before, after }) => [before, after]),
      [['typed\none\ntwo\nthree\n', 'typed\none\ntwo\nTHREE\n']],
    );
    assert.equal(await buffers.storedText(path), 'typed\none\ntwo\nTHREE\n');
    // The agent has not seen the typed line, and does not remove it.
    await service.write({ path, content: 'ONE\ntwo\nTHREE\n' });
    assert.equal(await buffers.storedText(path), 'typed\nONE\ntwo\nTHREE\n');
  });

  it("writes the user's version, and the agent's next write does not revert it", async () => {
    await buffers.store(path, 'one\ntwo\nthree\n');
    look = ({ after }) => after.replace('TWO', 'Two, as the user has it');
    await service.write({ path, content: 'one\nTWO\nthree\n' });
    assert.equal(await buffers.storedText(path), 'one\nTwo, as the user has it\nthree\n');
    look = ({ after }) => after;
    await service.write({ path, content: 'one\nTWO\nthree\nfour\n' });
    assert.equal(await buffers.storedText(path), 'one\nTwo, as the user has it\nthree\nfour\n');
  });

  it('does not replace a file that appeared after the check that a new one needs no question', async () => {
    const guard = async ({ present }: FileOperation): Promise<boolean> => (await present()) !== null;
    const guarded = fileService(
      buffers,
      undefined,
      async ({ after }) => {
        await buffers.store(path, 'KEY=of the user\n');
        return after;
      },
      guard,
    );
    assert.equal(await codeOf(guarded.write({ path, content: 'KEY=planted\n' })), 'fs.edit_refused');
    assert.equal(await buffers.storedText(path), 'KEY=of the user\n');
  });

  it('is merged with text that the user types while it waits', async () => {
    await buffers.store(path, 'one\ntwo\nthree\n');
    const document = await buffers.open(path);
    look = ({ after }) => {
      document.type(0, 0, 'typed meanwhile\n');
      return after;
    };
    await service.read({ path });
    await service.write({ path, content: 'one\ntwo\nTHREE\n' });
    assert.equal(await buffers.storedText(path), 'typed meanwhile\none\ntwo\nTHREE\n');
  });

  it('writes nothing when it is rejected, and reports that to the agent', async () => {
    await buffers.store(path, 'one\n');
    look = () => Promise.reject(fault('fs.rejected', { path }));
    assert.equal(await codeOf(service.write({ path, content: 'two\n' })), 'fs.rejected');
    assert.equal(await buffers.storedText(path), 'one\n');
    assert.equal(await codeOf(service.write({ path: '/w/new.txt', content: 'new\n' })), 'fs.rejected');
    assert.equal(buffers.disk.files.has('/w/new.txt'), false);
  });

  it('shows a new file if there was none', async () => {
    await service.write({ path, content: 'new\n' });
    assert.deepEqual([seen[0]!.before, seen[0]!.after], [null, 'new\n']);
    assert.equal(await buffers.storedText(path), 'new\n');
  });

  it('is not shown when it would change nothing, or cannot be written', async () => {
    await buffers.store(path, 'one\n');
    await service.write({ path, content: 'one\n' });
    const document = await buffers.open(path);
    document.type(0, 0, 'unsaved\n');
    const other = fileService(buffers, undefined, async (write) => void seen.push(write) as undefined);
    assert.equal(await codeOf(other.write({ path, content: 'two\n' })), 'fs.conflict');
    assert.deepEqual(seen, []);
  });

  it('is not made unseen when the file changes after the check', async () => {
    await buffers.store(path, 'one\n');
    const document = await buffers.open(path);
    document.type(0, 0, 'unsaved\n');
    const find = buffers.find.bind(buffers);
    let count = 0;
    buffers.find = async (each) => {
      // The user saves, and the write no longer conflicts with unsaved text.
      await (++count === 2 && document.save());
      return find(each);
    };
    assert.equal(await codeOf(service.write({ path, content: 'two\n' })), 'fs.edit_refused');
    assert.equal(await buffers.storedText(path), 'unsaved\none\n');
    await buffers.store('/w/same.txt', 'same\n');
    count = 2;
    const gone = service.write({ path: '/w/same.txt', content: 'same\n' });
    buffers.find = async () => (++count === 4 && buffers.disk.files.delete('/w/same.txt'), undefined);
    assert.equal(await codeOf(gone), 'fs.edit_refused');
    assert.deepEqual([seen, buffers.disk.files.has('/w/same.txt')], [[], false]);
  });

  it('does not block other writes to the same file', async () => {
    await buffers.store(path, 'one\n');
    let release!: (text: string) => void;
    look = () => new Promise((resolve) => (release = resolve));
    const write = service.write({ path, content: 'two\n' });
    while (seen.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await fileService(buffers).read({ path }), 'one\n');
    release('two\n');
    await write;
    assert.equal(await buffers.storedText(path), 'two\n');
  });
});

import { strict as assert } from 'node:assert';
import type { FileService } from '../../../src/fs/fileService';
import { FakeBuffers } from '../../support/fakeBuffers';
import { codeOf, faultOf, fileService } from '../../support/fakeFileService';

const path = '/w/file.txt';

let buffers: FakeBuffers;
let room: FileService;

describe('FileRoom.read', () => {
  beforeEach(() => {
    buffers = new FakeBuffers();
    room = fileService(buffers);
  });

  it('returns the unsaved text of an open document, or else the file', async () => {
    await buffers.store(path, 'on disk\n');
    assert.equal(await room.read({ path }), 'on disk\n');
    const document = await buffers.open(path);
    document.type(0, 2, 'typed');
    assert.equal(await room.read({ path }), 'typed disk\n');
  });

  it('returns lines with their line ends, counted from 1', async () => {
    await buffers.store(path, 'a\r\nb\nc\n');
    assert.equal(await room.read({ path, line: 2, limit: 1 }), 'b\n');
    assert.equal(await room.read({ path, line: 1, limit: 2 }), 'a\r\nb\n');
    assert.equal(await room.read({ path, line: 2 }), 'b\nc\n');
    assert.equal(await room.read({ path, limit: 1 }), 'a\r\n');
    assert.equal(await room.read({ path, line: 3, limit: 100 }), 'c\n');
    assert.equal(await room.read({ path, line: 0, limit: 1 }), 'a\r\n');
    assert.equal(await room.read({ path, line: null, limit: null }), 'a\r\nb\nc\n');
    assert.equal(await room.read({ path, line: 4 }), '');
    const fault = await faultOf(room.read({ path, line: 5 }));
    assert.deepEqual(
      [fault.failure.code, fault.rpcCode, fault.message],
      ['params.invalid', -32602, `Line 5 is past the end: ${path} has 4 lines.`],
    );
  });

  it('returns writes that were requested before it, however long their paths take to resolve', async () => {
    await buffers.store(path, 'old\n');
    // Each lookup takes less time than the one before.
    let pause = 8;
    room = fileService(buffers, async (name) => {
      for (let turns = name === path ? pause-- : 0; turns > 0; turns--) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const asked = [
      room.write({ path, content: 'one\n' }),
      room.read({ path }),
      room.write({ path, content: 'two\n' }),
      room.read({ path }),
    ];
    assert.deepEqual(
      (await Promise.all(asked)).filter((each) => typeof each === 'string'),
      ['one\n', 'two\n'],
    );
  });

  it('reports why a file cannot be read', async () => {
    buffers.disk.directories.add('/w/folder');
    buffers.disk.pipes.add('/w/pipe');
    buffers.disk.files.set('/w/image', Uint8Array.of(1, 0, 2));
    await buffers.store('/w/large', 'x'.repeat(1001));
    await buffers.store('/w/locked', 'x');
    buffers.disk.failing.set('/w/locked', 'EACCES');
    const missing = await faultOf(room.read({ path }));
    assert.deepEqual([missing.failure, missing.rpcCode], [{ code: 'fs.not_found', params: { path } }, -32002]);
    assert.equal(await codeOf(room.read({ path: '/w/folder' })), 'fs.is_directory');
    assert.equal(await codeOf(room.read({ path: '/w/image' })), 'fs.binary');
    assert.equal(await codeOf(room.read({ path: '/w/pipe' })), 'fs.unreadable');
    assert.equal(await codeOf(room.read({ path: '/w/locked' })), 'fs.unreadable');
    assert.deepEqual((await faultOf(room.read({ path: '/w/large' }))).failure, {
      code: 'fs.too_large',
      params: { path: '/w/large', bytes: 1001, maxBytes: 1000 },
    });
    assert.equal(await codeOf(room.read({ path: '/etc/passwd' })), 'fs.outside_roots');
    assert.equal(await codeOf(room.read({ path: 'file.txt' })), 'fs.not_absolute');
  });

  it('counts bytes, not characters, of an open document too', async () => {
    await buffers.store(path, 'é'.repeat(500));
    const document = await buffers.open(path);
    assert.equal((await room.read({ path })).length, 500);
    document.type(0, 0, '!');
    assert.equal(await codeOf(room.read({ path })), 'fs.too_large');
  });

  it('does not start after it was cancelled', async () => {
    await buffers.store(path, 'a');
    const fault = await faultOf(room.read({ path }, AbortSignal.abort()));
    assert.deepEqual([fault.failure.code, fault.rpcCode], ['request.cancelled', -32800]);
    assert.equal(await codeOf(room.write({ path, content: 'b' }, AbortSignal.abort())), 'request.cancelled');
    assert.equal(await buffers.storedText(path), 'a');
  });
});

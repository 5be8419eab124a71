import { strict as assert } from 'node:assert';
import type { FileService } from '../../../src/fs/fileService';
import { FakeBuffers } from '../../support/fakeBuffers';
import { codeOf, faultOf, fileService } from '../../support/fakeFileService';

const path = '/w/file.txt';

let buffers: FakeBuffers;
let room: FileService;

describe('FileRoom.write to a file that is not open', () => {
  beforeEach(() => {
    buffers = new FakeBuffers();
    room = fileService(buffers);
  });

  it('creates it with its folders, as sent', async () => {
    await room.write({ path: '/w/new/deep/file.txt', content: 'a\r\nb\n' });
    assert.equal(await buffers.storedText('/w/new/deep/file.txt'), 'a\r\nb\n');
    assert.ok(buffers.disk.directories.has('/w/new/deep'));
    assert.equal(buffers.documents.size, 0);
  });

  it('keeps a byte order mark that an agent sends for a new file, and never doubles one', async () => {
    await room.write({ path, content: '\uFEFFa' });
    assert.deepEqual([...buffers.disk.files.get(path)!], [0xef, 0xbb, 0xbf, 0x61]);
    await room.write({ path, content: '\uFEFFb' });
    assert.deepEqual([...buffers.disk.files.get(path)!], [0xef, 0xbb, 0xbf, 0x62]);
  });

  it("merges changes on disk since the agent's last access, or names the conflicting lines", async () => {
    await buffers.store(path, 'a\nb\nc\n');
    await room.read({ path });
    await buffers.store(path, 'A\nb\nc\n');
    await room.write({ path, content: 'a\nb\nC\n' });
    assert.equal(await buffers.storedText(path), 'A\nb\nC\n');
    await buffers.store(path, 'A\nb\nother\n');
    assert.deepEqual((await faultOf(room.write({ path, content: 'a\nb\nCC\n' }))).failure, {
      code: 'fs.conflict',
      params: { path, lines: '3' },
    });
    assert.equal(await buffers.storedText(path), 'A\nb\nother\n');
  });

  it('creates a file again that was deleted in between', async () => {
    await buffers.store(path, 'a\n');
    await room.read({ path });
    buffers.disk.files.delete(path);
    await room.write({ path, content: 'b\n' });
    assert.equal(await buffers.storedText(path), 'b\n');
  });

  it('merges again when the file changes between reading and writing', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    await room.read({ path });
    const rewrite = buffers.rewrite.bind(buffers);
    buffers.rewrite = async (...args) => {
      buffers.rewrite = rewrite;
      await buffers.store(path, 'A\nb\nc\n');
      return rewrite(...args);
    };
    await room.write({ path, content: 'a\nb\nC\n' });
    assert.equal(await buffers.storedText(path), 'A\nb\nC\n');
  });

  it('reports why a file cannot be written', async () => {
    buffers.disk.directories.add('/w/folder');
    buffers.disk.files.set('/w/image', Uint8Array.of(1, 0, 2));
    await buffers.store(path, 'a');
    buffers.disk.readOnly.add(path);
    assert.equal(await codeOf(room.write({ path, content: 'b' })), 'fs.read_only');
    assert.equal(await codeOf(room.write({ path: '/w/folder', content: 'b' })), 'fs.is_directory');
    assert.equal(await codeOf(room.write({ path: '/w/image', content: 'b' })), 'fs.binary');
    assert.equal(await codeOf(room.write({ path: '/outside', content: 'b' })), 'fs.outside_roots');
    buffers.disk.failing.set('/w/new', 'ENOSPC');
    assert.deepEqual((await faultOf(room.write({ path: '/w/new', content: 'b' }))).failure, {
      code: 'fs.write_failed',
      params: { path: '/w/new' },
      detail: 'ENOSPC: /w/new',
    });
  });
});

import { strict as assert } from 'node:assert';
import { posix } from 'node:path';
import { Fault } from '../../../src/core/failure';
import { FileRoom } from '../../../src/fs/room';
import type { PathSystem } from '../../../src/util/realPath';
import { RootCheck } from '../../../src/util/roots';
import { FakeBuffers } from '../../support/fakeBuffers';

const path = '/w/file.txt';

/** Every path is real; `/w` is the only root. */
const system: PathSystem = {
  path: posix,
  realpath: async (name) => posix.normalize(name),
  linkOf: async () => null,
  inodeOf: async (name) => ({ dev: 1n, ino: name === '/w' ? 1n : 2n }),
};

let buffers: FakeBuffers;
let room: FileRoom;

beforeEach(() => {
  buffers = new FakeBuffers();
  room = newRoom();
});

function newRoom(maxBytes = 1000): FileRoom {
  return new FileRoom(buffers, new RootCheck({ cwd: '/w', additionalDirectories: [] }, system), { maxBytes });
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

const codeOf = async (promise: Promise<unknown>) => (await faultOf(promise)).failure.code;

describe('FileRoom.read', () => {
  it('gives the unsaved text of an open document, and the file where none is open', async () => {
    await buffers.store(path, 'on disk\n');
    assert.equal(await room.read({ path }), 'on disk\n');
    const document = await buffers.open(path);
    document.type(0, 2, 'typed');
    assert.equal(await room.read({ path }), 'typed disk\n');
  });

  it('gives lines with their line ends, counted from 1', async () => {
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
    assert.deepEqual([fault.failure.code, fault.rpcCode, fault.message], ['params.invalid', -32602, `Line 5 is past the end: ${path} has 4 lines.`]);
  });

  it('says why a file cannot be read', async () => {
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

  it('does not start once it was cancelled', async () => {
    await buffers.store(path, 'a');
    const fault = await faultOf(room.read({ path }, AbortSignal.abort()));
    assert.deepEqual([fault.failure.code, fault.rpcCode], ['request.cancelled', -32800]);
    assert.equal(await codeOf(room.write({ path, content: 'b' }, AbortSignal.abort())), 'request.cancelled');
    assert.equal(await buffers.storedText(path), 'a');
  });
});

describe('FileRoom.write to an open document', () => {
  it('keeps what the user typed since the agent read, and one undo takes back only the edit', async () => {
    await buffers.store(path, 'one\ntwo\nthree\n');
    const document = await buffers.open(path);
    document.type(0, 0, '// unsaved\n');
    const read = await room.read({ path, line: 2, limit: 1 });
    assert.equal(read, 'one\n');
    document.type(document.text.length, document.text.length, 'typed\n');
    await room.write({ path, content: '// unsaved\none\nTWO\nthree\n' });
    assert.equal(document.text, '// unsaved\none\nTWO\nthree\ntyped\n');
    assert.equal(await buffers.storedText(path), document.text);
    assert.deepEqual(document.edits, [[{ start: 15, end: 18, text: 'TWO' }]]);
    document.undo();
    assert.equal(document.text, '// unsaved\none\ntwo\nthree\ntyped\n');
  });

  it('refuses lines both changed, names them, and changes nothing', async () => {
    await buffers.store(path, 'one\ntwo\nthree\n');
    const document = await buffers.open(path);
    await room.read({ path });
    document.type(4, 7, 'typed');
    const fault = await faultOf(room.write({ path, content: 'one\nTWO\nthree\n' }));
    assert.deepEqual(fault.failure, { code: 'fs.conflict', params: { path, lines: '2' } });
    assert.match(fault.message, /line 2 .*Read it again/);
    assert.equal(document.text, 'one\ntyped\nthree\n');
    assert.equal(await buffers.storedText(path), 'one\ntwo\nthree\n');
    assert.equal(document.edits.length, 0);
    await room.read({ path });
    await room.write({ path, content: 'one\nTWO\nthree\n' });
    assert.equal(await buffers.storedText(path), 'one\nTWO\nthree\n');
  });

  it('does not take out what the user typed before an earlier write of an agent that never saw it', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    const document = await buffers.open(path);
    await room.read({ path });
    document.type(0, 0, 'typed\n');
    await room.write({ path, content: 'a\nb\nC\n' });
    await room.write({ path, content: 'a\nb\nC\nd\n' });
    assert.equal(await buffers.storedText(path), 'typed\na\nb\nC\nd\n');
    await room.read({ path });
    await room.write({ path, content: 'a\nb\nC\nd\n' });
    assert.equal(await buffers.storedText(path), 'a\nb\nC\nd\n');
  });

  it('takes a clean document it never read as it is, and refuses a dirty one', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    const document = await buffers.open(path);
    await room.write({ path, content: 'a\nB\nc\n' });
    assert.equal(document.text, 'a\nB\nc\n');
    document.type(0, 1, 'typed');
    const fault = await faultOf(newRoom().write({ path, content: 'x' }));
    assert.deepEqual(fault.failure, { code: 'fs.conflict', params: { path, lines: '1' } });
    assert.match(fault.message, /have not read/);
    assert.equal(document.text, 'typed\nB\nc\n');
    await newRoom().write({ path, content: document.text });
    assert.equal(await buffers.storedText(path), 'typed\nB\nc\n');
  });

  it('computes the edit anew when typing came before it', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    document.beforeEdit = () => document.type(0, 0, 'typed\n');
    await room.read({ path });
    await room.write({ path, content: 'a\nB\n' });
    assert.equal(document.text, 'typed\na\nB\n');
  });

  it('gives up when the text never stands still', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    await room.read({ path });
    const type = () => {
      document.type(0, 0, 'typed\n');
      document.beforeEdit = type;
    };
    document.beforeEdit = type;
    assert.equal(await codeOf(room.write({ path, content: 'a\nB\n' })), 'fs.edit_refused');
    assert.ok(!document.text.includes('B'));
  });

  it('goes on with the file when the document is closed meanwhile', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    await room.read({ path });
    document.beforeEdit = () => buffers.close(path);
    await room.write({ path, content: 'a\nB\n' });
    assert.equal(await buffers.storedText(path), 'a\nB\n');
  });

  it('leaves the edit to be undone when saving fails', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    for (const saves of ['fail', 'throw'] as const) {
      document.saves = saves;
      await room.read({ path });
      const { failure } = await faultOf(room.write({ path, content: 'a\nB\n' }));
      assert.equal(failure.code, 'fs.save_failed');
      assert.equal(failure.detail, saves === 'throw' ? 'disk full' : undefined);
      assert.equal(document.text, 'a\nB\n');
      document.undo();
      assert.equal(document.text, 'a\nb\n');
    }
  });

  it('leaves the edit to be undone, and the file alone, when another program wrote the file under unsaved changes', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    document.type(0, 0, 'typed\n');
    await room.read({ path });
    await buffers.store(path, 'other\n');
    assert.equal(await codeOf(room.write({ path, content: 'typed\na\nB\n' })), 'fs.stale_on_disk');
    assert.equal(await buffers.storedText(path), 'other\n');
    assert.equal(document.text, 'typed\na\nB\n');
    document.undo();
    assert.equal(document.text, 'typed\na\nb\n');
  });

  it('saves a document whose file is gone', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    document.type(0, 0, 'typed\n');
    await room.read({ path });
    buffers.disk.files.delete(path);
    await room.write({ path, content: 'typed\na\nB\n' });
    assert.equal(await buffers.storedText(path), 'typed\na\nB\n');
  });

  it('merges with a clean document that was reloaded since the read', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    await buffers.open(path);
    await room.read({ path });
    await buffers.store(path, 'A\nb\nc\n');
    await room.write({ path, content: 'a\nb\nC\n' });
    assert.equal(await buffers.storedText(path), 'A\nb\nC\n');
  });

  it('knows what saving made of its text, and may change those lines again', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    document.participant = (text) => text.replaceAll('x=1', 'x = 1').replaceAll('y=1', 'y = 1');
    await room.read({ path });
    document.type(0, 0, 'typed\n');
    await room.write({ path, content: 'a\nx=1\ny=1\n' });
    assert.equal(document.text, 'typed\na\nx = 1\ny = 1\n');
    // It goes on from its own text …
    await room.write({ path, content: 'a\nx=1;\ny=1\n' });
    assert.equal(document.text, 'typed\na\nx = 1;\ny = 1\n');
    // … but the user's later typing on such a line is still the user's.
    document.type(document.text.length - 1, document.text.length - 1, '// mine');
    assert.equal(await codeOf(room.write({ path, content: 'a\nx=1;\ny=2\n' })), 'fs.conflict');
  });

  it('does not count as known what the user types while it saves', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    await room.read({ path });
    document.duringSave = () => document.type(0, 0, 'typed\n');
    await room.write({ path, content: 'a\nB\n' });
    assert.equal(document.text, 'typed\na\nB\n');
    await room.write({ path, content: 'a\nB\nc\n' });
    assert.equal(document.text, 'typed\na\nB\nc\n');
  });

  it('keeps CRLF when the agent sends LF', async () => {
    await buffers.store(path, 'a\r\nb\r\n');
    const document = await buffers.open(path);
    assert.equal(await room.read({ path }), 'a\r\nb\r\n');
    document.type(0, 0, 'typed\n');
    await room.write({ path, content: 'a\nB\nc\n' });
    assert.equal(document.text, 'typed\r\na\r\nB\r\nc\r\n');
    await room.write({ path, content: 'a\r\nB\r\nc\r\nd\r\n' });
    assert.equal(document.text, 'typed\r\na\r\nB\r\nc\r\nd\r\n');
  });

  it('refuses characters the encoding does not have', async () => {
    await buffers.store(path, 'é\n', 'iso88591');
    const document = await buffers.open(path, 'iso88591');
    await room.read({ path });
    assert.equal(await codeOf(room.write({ path, content: 'é → ü\n' })), 'fs.write_failed');
    assert.equal(document.text, 'é\n');
    await room.write({ path, content: 'é ü\n' });
    assert.deepEqual([...buffers.disk.files.get(path)!], [0xe9, 0x20, 0xfc, 0x0a]);
  });

  it('refuses read-only documents and notebooks with unsaved changes', async () => {
    await buffers.store(path, 'a');
    (await buffers.open(path)).readOnly = true;
    assert.equal(await codeOf(room.write({ path, content: 'b' })), 'fs.read_only');
    const notebook = '/w/book.ipynb';
    await buffers.store(notebook, '{}');
    buffers.dirtyNotebooks.add(notebook);
    assert.equal(await codeOf(room.write({ path: notebook, content: '{ }' })), 'fs.notebook_dirty');
    buffers.dirtyNotebooks.clear();
    await room.write({ path: notebook, content: '{ }' });
    const asText = await buffers.open(notebook);
    asText.type(0, 0, ' ');
    await room.read({ path: notebook });
    assert.equal(await codeOf(room.write({ path: notebook, content: '{}' })), 'fs.notebook_dirty');
  });

  it('writes one after the other, from two sessions too', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    const document = await buffers.open(path);
    const other = newRoom();
    await Promise.all([room.read({ path }), other.read({ path })]);
    await Promise.all([
      room.write({ path, content: 'A\nb\nc\n' }),
      other.write({ path, content: 'a\nb\nC\n' }),
      room.write({ path, content: 'A\nB\nc\n' }),
      room.read({ path }).then((text) => assert.equal(text, 'A\nB\nC\n')),
    ]);
    assert.equal(document.text, 'A\nB\nC\n');
    assert.equal(await buffers.storedText(path), 'A\nB\nC\n');
  });
});

describe('FileRoom.write to a file that is not open', () => {
  it('creates it with its folders, as sent', async () => {
    await room.write({ path: '/w/new/deep/file.txt', content: 'a\r\nb\n' });
    assert.equal(await buffers.storedText('/w/new/deep/file.txt'), 'a\r\nb\n');
    assert.ok(buffers.disk.directories.has('/w/new/deep'));
    assert.equal(buffers.documents.size, 0);
  });

  it('keeps a byte order mark an agent sends for a new file, and never doubles one', async () => {
    await room.write({ path, content: '\uFEFFa' });
    assert.deepEqual([...buffers.disk.files.get(path)!], [0xef, 0xbb, 0xbf, 0x61]);
    await room.write({ path, content: '\uFEFFb' });
    assert.deepEqual([...buffers.disk.files.get(path)!], [0xef, 0xbb, 0xbf, 0x62]);
  });

  it('merges what changed on disk since the agent knew it, or names the lines', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    await room.read({ path });
    await buffers.store(path, 'A\nb\nc\n');
    await room.write({ path, content: 'a\nb\nC\n' });
    assert.equal(await buffers.storedText(path), 'A\nb\nC\n');
    await buffers.store(path, 'A\nb\nother\n');
    assert.deepEqual((await faultOf(room.write({ path, content: 'a\nb\nCC\n' }))).failure, { code: 'fs.conflict', params: { path, lines: '3' } });
    assert.equal(await buffers.storedText(path), 'A\nb\nother\n');
  });

  it('makes a file again that was deleted in between', async () => {
    await buffers.store(path, 'a\n');
    await room.read({ path });
    buffers.disk.files.delete(path);
    await room.write({ path, content: 'b\n' });
    assert.equal(await buffers.storedText(path), 'b\n');
  });

  it('merges anew when the file changes between reading and writing it', async () => {
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

  it('says why a file cannot be written', async () => {
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

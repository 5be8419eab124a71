import { strict as assert } from 'node:assert';
import type { FileService } from '../../../src/fs/fileService';
import { FakeBuffers } from '../../support/fakeBuffers';
import { codeOf, faultOf, fileService } from '../../support/fakeFileService';

const path = '/w/file.txt';

let buffers: FakeBuffers;
let room: FileService;

describe('FileRoom.write and saving', () => {
  beforeEach(() => {
    buffers = new FakeBuffers();
    room = fileService(buffers);
  });

  it('leaves the edit undoable when saving fails', async () => {
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

  it('leaves the edit undoable, and the file unchanged, when another program wrote the file under unsaved changes', async () => {
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

  it('saves a document whose file was deleted', async () => {
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

  it('knows the text after save participants ran, and may change those lines again', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    document.participant = (text) => text.replaceAll('x=1', 'x = 1').replaceAll('y=1', 'y = 1');
    await room.read({ path });
    document.type(0, 0, 'typed\n');
    await room.write({ path, content: 'a\nx=1\ny=1\n' });
    assert.equal(document.text, 'typed\na\nx = 1\ny = 1\n');
    // The agent continues from its own text …
    await room.write({ path, content: 'a\nx=1;\ny=1\n' });
    assert.equal(document.text, 'typed\na\nx = 1;\ny = 1\n');
    // … but the user's later typing on such a line remains the user's.
    const lastLineEnd = 'typed\na\nx = 1;\ny = 1'.length;
    document.type(lastLineEnd, lastLineEnd, '// mine');
    assert.equal(await codeOf(room.write({ path, content: 'a\nx=1;\ny=2\n' })), 'fs.conflict');
  });

  it('does not count text that the user types during the save as known', async () => {
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

  it('refuses characters that the encoding lacks', async () => {
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

  it('runs one at a time, for two sessions too', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    const document = await buffers.open(path);
    const other = fileService(buffers);
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

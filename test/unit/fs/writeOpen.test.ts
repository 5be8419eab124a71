import { strict as assert } from 'node:assert';
import type { FileService } from '../../../src/fs/fileService';
import { FakeBuffers } from '../../support/fakeBuffers';
import { codeOf, faultOf, fileService } from '../../support/fakeFileService';

const path = '/w/file.txt';

let buffers: FakeBuffers;
let room: FileService;

describe('FileRoom.write to an open document', () => {
  beforeEach(() => {
    buffers = new FakeBuffers();
    room = fileService(buffers);
  });

  it('keeps text that the user typed since the agent read, and one undo reverts only the edit', async () => {
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

  it('refuses lines that both changed, names them, and changes nothing', async () => {
    await buffers.store(path, 'one\ntwo\nthree\n');
    const document = await buffers.open(path);
    await room.read({ path });
    document.type(4, 7, 'typed');
    const fault = await faultOf(room.write({ path, content: 'one\nTWO\nthree\n' }));
    assert.deepEqual(fault.failure, { code: 'fs.conflict', params: { path, lines: '2' } });
    assert.match(fault.message, /line 2 .*Read it again/);
    assert.doesNotMatch(JSON.stringify(fault.failure) + fault.message, /typed|three/, 'a conflict quotes nothing of the file');
    assert.equal(document.text, 'one\ntyped\nthree\n');
    assert.equal(await buffers.storedText(path), 'one\ntwo\nthree\n');
    assert.equal(document.edits.length, 0);
    await room.read({ path });
    await room.write({ path, content: 'one\nTWO\nthree\n' });
    assert.equal(await buffers.storedText(path), 'one\nTWO\nthree\n');
  });

  it('keeps text that the user typed before an earlier write and that the agent never saw', async () => {
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

  it('writes a clean document that it never read, and refuses a dirty one', async () => {
    await buffers.store(path, 'a\nb\nc\n');
    const document = await buffers.open(path);
    await room.write({ path, content: 'a\nB\nc\n' });
    assert.equal(document.text, 'a\nB\nc\n');
    document.type(0, 1, 'typed');
    const fault = await faultOf(fileService(buffers).write({ path, content: 'x' }));
    assert.deepEqual(fault.failure, { code: 'fs.conflict', params: { path, lines: '1' } });
    assert.match(fault.message, /have not read/);
    assert.equal(document.text, 'typed\nB\nc\n');
    await fileService(buffers).write({ path, content: document.text });
    assert.equal(await buffers.storedText(path), 'typed\nB\nc\n');
  });

  it('computes the edit again when typing came before it', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    document.beforeEdit = () => document.type(0, 0, 'typed\n');
    await room.read({ path });
    await room.write({ path, content: 'a\nB\n' });
    assert.equal(document.text, 'typed\na\nB\n');
  });

  it('gives up when the text never stops changing', async () => {
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

  it('writes the file when the document is closed meanwhile', async () => {
    await buffers.store(path, 'a\nb\n');
    const document = await buffers.open(path);
    await room.read({ path });
    document.beforeEdit = () => buffers.close(path);
    await room.write({ path, content: 'a\nB\n' });
    assert.equal(await buffers.storedText(path), 'a\nB\n');
  });
});

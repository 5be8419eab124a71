import { strict as assert } from 'node:assert';
import { failureOf } from '../../../src/core/model/failure';
import { FakeBuffers } from '../../support/fakeBuffers';

const path = '/w/file.txt';

/** Replaces `from` with `to` in the closed file and returns its bytes. */
async function replaced(buffers: FakeBuffers, from: string, to: string): Promise<Uint8Array> {
  const file = await buffers.read(path, 1000);
  const start = file.text.indexOf(from);
  assert.ok(start >= 0, file.text);
  assert.equal(await buffers.rewrite(path, file, [{ start, end: start + from.length, text: to }]), true);
  return buffers.disk.files.get(path)!;
}

describe('files that are not open', () => {
  let buffers: FakeBuffers;
  beforeEach(() => {
    buffers = new FakeBuffers();
  });

  for (const encoding of ['utf8', 'utf8bom', 'utf16le', 'utf16be']) {
    it(`keep ${encoding} with its byte order mark`, async () => {
      await buffers.store(path, 'grün\r\nb\r\n', encoding);
      assert.equal((await buffers.read(path, 1000)).text, 'grün\r\nb\r\n');
      assert.deepEqual(await replaced(buffers, 'b', '→'), await buffers.codec.encode('grün\r\n→\r\n', path, encoding));
    });
  }

  it('keep UTF-16 without a byte order mark', async () => {
    buffers.codec.configured = 'utf16le';
    buffers.disk.files.set(path, Buffer.from('grün', 'utf16le'));
    assert.deepEqual(Buffer.from(await replaced(buffers, 'ü', 'ö')), Buffer.from('grön', 'utf16le'));
  });

  it('keep UTF-8 without a mark when the setting has one', async () => {
    buffers.codec.configured = 'utf8bom';
    await buffers.store(path, 'a b');
    assert.deepEqual(Buffer.from(await replaced(buffers, 'b', 'ü')), Buffer.from('a ü'));
  });

  it('keep the configured encoding', async () => {
    buffers.codec.configured = 'iso88591';
    await buffers.store(path, 'grün b', 'iso88591');
    assert.deepEqual(Buffer.from(await replaced(buffers, 'b', 'é')), Buffer.from('grün é', 'latin1'));
  });

  it('are not written with characters that their encoding lacks', async () => {
    buffers.codec.configured = 'iso88591';
    await buffers.store(path, 'grün b', 'iso88591');
    const before = buffers.disk.files.get(path);
    await assert.rejects(replaced(buffers, 'b', '→'), (error) => failureOf(error).code === 'fs.write_failed');
    assert.equal(buffers.disk.files.get(path), before);
  });

  it('keep bytes that are not text, if the edit is elsewhere and plain', async () => {
    const bytes = Buffer.from([0x61, 0xe9, 0x62, 0xe2, 0x82, 0x20, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0x7a]);
    buffers.disk.files.set(path, bytes);
    assert.equal((await buffers.read(path, 1000)).text, 'a\uFFFDb\uFFFD \u{1F600}\uFFFDz');
    assert.deepEqual(Buffer.from(await replaced(buffers, 'z', 'end')), Buffer.concat([bytes.subarray(0, 11), Buffer.from('end')]));
    assert.deepEqual(Buffer.from(await replaced(buffers, ' ', '')).indexOf(0x20), -1);
    for (const [from, to] of [
      ['a\uFFFD', 'a'],
      ['b', 'ü'],
    ] as const) {
      await assert.rejects(replaced(buffers, from, to), (error) => failureOf(error).code === 'fs.write_failed');
    }
  });

  it('are not written when they were changed or deleted since they were read, nor created when they exist', async () => {
    await buffers.store(path, 'a');
    const file = await buffers.read(path, 1000);
    await buffers.store(path, 'b');
    assert.equal(await buffers.rewrite(path, file, [{ start: 0, end: 1, text: 'c' }]), false);
    buffers.disk.files.delete(path);
    assert.equal(await buffers.rewrite(path, file, [{ start: 0, end: 1, text: 'c' }]), false);
    assert.equal(buffers.disk.files.has(path), false);
    assert.equal(await buffers.create(path, 'new'), true);
    assert.equal(await buffers.create(path, 'newer'), false);
    assert.equal(await buffers.storedText(path), 'new');
  });

  it('are created in the configured encoding, or in UTF-8 if that lacks a character', async () => {
    buffers.codec.configured = 'iso88591';
    await buffers.create('/w/a', 'ü');
    await buffers.create('/w/b', 'ü →');
    assert.deepEqual([...buffers.disk.files.get('/w/a')!], [0xfc]);
    assert.deepEqual(Buffer.from(buffers.disk.files.get('/w/b')!), Buffer.from('ü →'));
  });
});

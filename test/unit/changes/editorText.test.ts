/** Texts of files as documents have them, and the files that a document could not write the same. */
import assert from 'node:assert/strict';
import { decodeUtf8, encodeUtf8, keepsLineEnds } from '../../../src/changes/undo/editorText';

describe('the text of a file', () => {
  const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Buffer => Buffer.from(text, encoding);

  for (const [name, text] of Object.entries({
    'line feeds': 'one\ntwo\n',
    'carriage returns with line feeds': 'one\r\ntwo\r\n',
    'one line': 'one',
    nothing: '',
    'other line separators': 'one\u2028two\n',
    'characters of every length': 'é€😀\n',
  })) {
    it(`gives its bytes again with ${name}`, () => {
      assert.equal(decodeUtf8(bytes(text)), text);
      assert.deepEqual(encodeUtf8(text, bytes(text)), bytes(text));
    });
  }

  it('keeps the byte order mark of the file, but no mark of a text', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('one\n')]);
    assert.equal(decodeUtf8(marked), 'one\n');
    assert.deepEqual(encodeUtf8('two\n', marked), Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('two\n')]));
  });

  it('does not exist for Latin-1, UTF-16 and binary files', () => {
    assert.equal(decodeUtf8(bytes('café\n', 'latin1')), undefined);
    assert.equal(decodeUtf8(bytes('one\n', 'utf16le')), undefined);
    assert.equal(decodeUtf8(Buffer.from([1, 0, 2])), undefined);
  });

  it('does not exist for line ends that a document replaces', () => {
    for (const text of ['one\r\ntwo\n', 'one\ntwo\r\n', 'one\rtwo', 'one\r', '\r\r\n']) {
      assert.equal(keepsLineEnds(text), false, JSON.stringify(text));
      assert.equal(decodeUtf8(bytes(text)), undefined);
    }
  });

  it('is not encoded with lone surrogates', () => {
    assert.equal(encodeUtf8('\ud800', bytes('')), undefined);
  });
});

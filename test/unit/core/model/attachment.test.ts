import assert from 'node:assert/strict';
import { mediaTypeOf } from '../../../../src/core/model/attachment';
import { parseIntent } from '../../../../src/core/protocol/intent';

describe('attachments', () => {
  it("are media by the file's extension", () => {
    assert.deepEqual(mediaTypeOf('a/shot.PNG'), { type: 'image', mimeType: 'image/png' });
    assert.deepEqual(mediaTypeOf('voice.mp3'), { type: 'audio', mimeType: 'audio/mpeg' });
    // A drawing is source code to models, and a script to browsers.
    for (const name of ['drawing.svg', 'a.png/readme', 'constructor', 'x.constructor', '.png.txt', '']) {
      assert.equal(mediaTypeOf(name), undefined, name);
    }
  });

  it('are requested by the page within bounds', () => {
    assert.deepEqual(parseIntent({ type: 'attach_uris', uris: ['file:///a'] }), { type: 'attach_uris', uris: ['file:///a'] });
    assert.equal(parseIntent({ type: 'attach_uris', uris: Array.from({ length: 101 }, () => 'file:///a') }), undefined);
    assert.equal(parseIntent({ type: 'attach_uris', uris: [7] }), undefined);
    assert.deepEqual(parseIntent({ type: 'attach_files', more: 1 }), { type: 'attach_files' });
  });
});

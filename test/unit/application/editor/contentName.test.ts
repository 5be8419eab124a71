import assert from 'node:assert/strict';
import { contentName, languageOf } from '../../../../src/application/editor/contentName';

describe('the name of a content in a conversation', () => {
  for (const [uri, mimeType, expected] of [
    ['file:///home/ada/README.md', undefined, 'README.md'],
    ['file:///home/ada/my%20notes.txt#L3', undefined, 'my notes.txt'],
    ['demo://archive', 'application/zip', 'archive.zip'],
    ['demo://picture.png?size=2', 'image/png', 'picture.png'],
    [undefined, 'image/jpeg', 'content.jpg'],
    ['', undefined, 'content'],
    ['x:/..', 'text/plain', 'content.txt'],
    ['x:/%2e%2e%2f%2e%2e%2fetc%2fpasswd', undefined, '_.._etc_passwd'],
    ['C:\\windows\\a.txt', undefined, 'a.txt'],
    ['x:/a\u202egnp.exe', undefined, 'a_gnp.exe'],
    [`x:/${'n'.repeat(500)}.md`, undefined, `${'n'.repeat(97)}.md`],
    ['x:/constructor', '__proto__', 'constructor'],
    ['x:/%zz', undefined, '%zz'],
  ] as const) {
    it(`${uri} of ${mimeType} is ${expected.slice(0, 30)}`, () => assert.equal(contentName(uri, mimeType), expected));
  }

  it('has a language by its type', () => {
    assert.equal(languageOf('text/markdown; charset=utf-8'), 'markdown');
    assert.equal(languageOf('toString'), undefined);
    assert.equal(languageOf(undefined), undefined);
  });
});

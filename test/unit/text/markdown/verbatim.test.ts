import assert from 'node:assert/strict';
import { isVerbatim, laidOut } from '../../../../src/text/markdown/verbatim';

describe('the text of a tool call', () => {
  it('is shown verbatim when it is output, a file or JSON', () => {
    assert.equal(isVerbatim('execute', '__init__.py\n*.md\n'), true);
    assert.equal(isVerbatim('read', 'a\nb'), true);
    assert.equal(isVerbatim('other', '[\n  { "a": 1 }\n]'), true);
    assert.equal(isVerbatim(undefined, ' {"a": 1}\n'), true);
  });

  it('is Markdown when its agent fenced it, and for other tools', () => {
    assert.equal(isVerbatim('execute', '```console\nout\n```'), false);
    assert.equal(isVerbatim('edit', 'Applied **well**.'), false);
    assert.equal(isVerbatim('other', '[a link](https://example.com) and more'), false);
    assert.equal(isVerbatim(undefined, 'text'), false);
  });

  it('is formatted when it is JSON on one line, and otherwise unchanged', () => {
    assert.equal(laidOut(' {"a":[1]}\n'), '{\n  "a": [\n    1\n  ]\n}');
    for (const text of ['{not json}', '[1] and {2}', '{\n"a":1}', 'plain', '', `[${'1,'.repeat(200_000)}1]`]) {
      assert.equal(laidOut(text), undefined);
    }
  });
});

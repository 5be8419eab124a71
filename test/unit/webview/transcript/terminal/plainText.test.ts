import assert from 'node:assert/strict';
import { firstLines, isVerbatim } from '../../../../../webview/transcript/terminal/plainText';

describe('the text of a tool call', () => {
  it('is shown letter by letter when it is output, a file or JSON', () => {
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

  it('is cut at a line', () => {
    assert.deepEqual(firstLines('a\nb\nc', 2), { text: 'a\nb', cut: true });
    assert.deepEqual(firstLines('a\nb\n', 2), { text: 'a\nb\n', cut: false });
    assert.deepEqual(firstLines('a\nb', 2), { text: 'a\nb', cut: false });
    assert.deepEqual(firstLines('', 2), { text: '', cut: false });
  });
});

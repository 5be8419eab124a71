import assert from 'node:assert/strict';
import { isInlineImage, linkKind } from '../../../../src/text/links/linkKind';
import { oneLine, escapeMisleading } from '../../../../src/text/characters/textSafety';

describe('links', () => {
  for (const [href, kind] of [
    ['https://example.com', 'web'],
    ['HTTP://example.com', 'web'],
    ['mailto:a@b.c', 'web'],
    ['src/a.ts', 'path'],
    ['src/a.ts:12', 'path'],
    ['Makefile:12', 'path'],
    ['./a b.md', 'path'],
    ['/abs/a.ts#L3', 'path'],
    ['C:\\x\\y.ts', 'path'],
    ['file:///a.ts', 'path'],
    ['javascript:alert(1)', 'none'],
    ['JaVaScRiPt:alert(1)', 'none'],
    ['java\nscript:alert(1)', 'none'],
    ['\u0001javascript:alert(1)', 'none'],
    [' javascript:alert(1)', 'none'],
    ['command:workbench.action.quit', 'none'],
    ['vscode://x/y', 'none'],
    ['vscode-resource://x', 'none'],
    ['data:text/html,<script>', 'none'],
    ['vbscript:x', 'none'],
    ['blob:https://x', 'none'],
    ['//evil.example/x', 'none'],
    ['\\\\server\\share', 'none'],
    ['#top', 'none'],
    ['', 'none'],
  ] as const) {
    it(`${JSON.stringify(href)} is ${kind}`, () => assert.equal(linkKind(href), kind));
  }

  it('can show only bitmaps inline', () => {
    assert.ok(isInlineImage('data:image/png;base64,AAAA'));
    for (const src of [
      'data:image/svg+xml;base64,AAAA',
      'data:text/html;base64,AAAA',
      'https://x/y.png',
      'data:image/png,<svg>',
      'data:image/png;base64,AAAA"onerror=',
    ]) {
      assert.ok(!isInlineImage(src), src);
    }
  });
});

describe('external text', () => {
  it('shows characters that reorder or hide text', () => {
    assert.equal(escapeMisleading('a\u202Eb\u0007c\td\ne'), 'a⟨U+202E⟩b⟨U+0007⟩c\td\ne');
    assert.equal(escapeMisleading('עברית and العربية'), 'עברית and العربية');
  });

  it('is shortened for a single line', () => {
    assert.equal(oneLine('a\n  b\r\nc'), 'a b c');
    assert.equal(oneLine('x'.repeat(1000)).length, 400);
  });
});

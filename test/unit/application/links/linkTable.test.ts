/** The treatment of a link that an agent wrote: its look in the page, and its target when it is clicked. */
import assert from 'node:assert/strict';
import { linkKind } from '../../../../src/text/links/linkKind';
import { isFilePath, linkTitle } from '../../../../webview/markdown/links';
import { linkTarget } from '../../../../src/application/links/links';

/** `path@line:column-endLine:endColumn`, the address, or the reason of the refusal. */
function outcome(href: string): string {
  const target = linkTarget(href);
  switch (target.type) {
    case 'external':
      return target.uri;
    case 'refused':
      return `refused: ${target.reason}`;
    case 'file': {
      const { path, line, column, endLine, endColumn } = target;
      const place = (at: number | undefined, inLine: number | undefined): string =>
        at === undefined ? '' : `${at}${inLine === undefined ? '' : `:${inLine}`}`;
      return `${path}@${place(line, column)}${endLine === undefined ? '' : `-${place(endLine, endColumn)}`}`;
    }
  }
}

const TABLE: readonly (readonly [href: string, kind: 'web' | 'path' | 'none', outcome: string])[] = [
  // Paths
  ['src/a.ts', 'path', 'src/a.ts@'],
  ['src/a.ts:12', 'path', 'src/a.ts@12'],
  ['src/a.ts:12:3', 'path', 'src/a.ts@12:3'],
  ['src/a.ts:12-20', 'path', 'src/a.ts@12-20'],
  ['src/a.ts:12:3-20:7', 'path', 'src/a.ts@12:3-20:7'],
  ['src/a.ts#L12', 'path', 'src/a.ts@12'],
  ['src/a.ts#L12-L20', 'path', 'src/a.ts@12-20'],
  ['src/a.ts#L12-20', 'path', 'src/a.ts@12-20'],
  ['src/a.ts#12', 'path', 'src/a.ts@12'],
  ['src/a.ts#L12C4', 'path', 'src/a.ts@12:4'],
  ['src/a.ts#L12C4-L13C9', 'path', 'src/a.ts@12:4-13:9'],
  ['src/a.ts#L20-L12', 'path', 'src/a.ts@20'],
  ['src/a.ts:0', 'path', 'src/a.ts@'],
  ['src/a.ts#heading', 'path', 'src/a.ts#heading@'],
  ['./a b.md', 'path', './a b.md@'],
  ['my%20file.md#L3', 'path', 'my file.md@3'],
  ['100%.md', 'path', '100%.md@'],
  ['../sibling/a.ts:3', 'path', '../sibling/a.ts@3'],
  ['~/notes.md', 'path', '~/notes.md@'],
  ['/abs/a.ts:9', 'path', '/abs/a.ts@9'],
  ['Makefile', 'path', 'Makefile@'],
  ['Makefile:12', 'path', 'Makefile@12'],
  ['Makefile:12-14', 'path', 'Makefile@12-14'],
  ['C:\\x\\y.ts:5', 'path', 'C:\\x\\y.ts@5'],
  ['/c:/x/y.ts:5', 'path', 'c:/x/y.ts@5'],
  ['/c:x', 'path', '/c:x@'],
  ['c++.cpp:12:3', 'path', 'c++.cpp@12:3'],
  ['a.ts:L12', 'path', 'a.ts@12'],
  ['src/a b.ts:L12-L20', 'path', 'src/a b.ts@12-20'],
  ['c:/x/y.ts', 'path', 'c:/x/y.ts@'],
  ['файл.ts:2', 'path', 'файл.ts@2'],
  ['a.ts:99999999999', 'path', 'a.ts:99999999999@'],
  // Addresses of files
  ['file:///home/me/a.ts', 'path', '/home/me/a.ts@'],
  ['file:///home/me/a%20b.ts#L3', 'path', '/home/me/a b.ts@3'],
  ['file:///home/me/a.ts#L3-L5', 'path', '/home/me/a.ts@3-5'],
  ['file:///home/me/a.ts:7', 'path', '/home/me/a.ts@7'],
  ['file:///C:/x/a.ts', 'path', 'C:/x/a.ts@'],
  ['FILE:///a.ts', 'path', '/a.ts@'],
  ['file://localhost/a.ts', 'path', '/a.ts@'],
  ['file://server/share/a.ts', 'path', 'refused: remote_file'],
  ['file://%5C%5Cserver/x', 'path', 'refused: malformed'],
  // The web
  ['https://example.com', 'web', 'https://example.com/'],
  ['HTTP://EXAMPLE.com/A', 'web', 'http://example.com/A'],
  ['http://localhost:3000/a?b=c#d', 'web', 'http://localhost:3000/a?b=c#d'],
  ['https://example.com/a%2Fb?sig=%2b', 'web', 'https://example.com/a%2Fb?sig=%2b'],
  ['https://user:pass@example.com/', 'web', 'https://user:pass@example.com/'],
  ['https://xn--80ak6aa92e.com/', 'web', 'https://xn--80ak6aa92e.com/'],
  ['https://аррӏе.com/', 'web', 'https://xn--80ak6aa92e.com/'],
  ['mailto:a@example.com', 'web', 'mailto:a@example.com'],
  ['https://', 'web', 'refused: malformed'],
  ['https:///x', 'web', 'refused: malformed'],
  ['https:example.com', 'none', 'refused: malformed'],
  // Other links
  ['javascript:alert(1)', 'none', 'refused: scheme'],
  ['JaVaScRiPt:alert(1)', 'none', 'refused: scheme'],
  [' javascript:alert(1)', 'none', 'refused: scheme'],
  ['java\nscript:alert(1)', 'none', 'refused: malformed'],
  ['\u0001javascript:alert(1)', 'none', 'refused: malformed'],
  ['javascript:12', 'path', 'javascript@12'],
  ['data:text/html,<script>', 'none', 'refused: scheme'],
  ['data:image/png;base64,AAAA', 'none', 'refused: scheme'],
  ['vbscript:x', 'none', 'refused: scheme'],
  ['blob:https://x/y', 'none', 'refused: scheme'],
  ['command:workbench.action.quit', 'none', 'refused: scheme'],
  ['command:12', 'path', 'command@12'],
  ['vscode://file/etc/passwd', 'none', 'refused: scheme'],
  ['vscode-insiders://x', 'none', 'refused: scheme'],
  ['vscode-remote://ssh-remote+host/x', 'none', 'refused: scheme'],
  ['vscode-webview://x', 'none', 'refused: scheme'],
  ['acp-host-diff:/x', 'none', 'refused: scheme'],
  ['ftp://example.com/', 'none', 'refused: scheme'],
  ['ssh://host', 'none', 'refused: scheme'],
  ['ms-msdt:/id', 'none', 'refused: scheme'],
  ['about:blank', 'none', 'refused: scheme'],
  ['//evil.example/x', 'none', 'refused: remote_file'],
  ['\\\\server\\share', 'none', 'refused: remote_file'],
  // Windows accepts either slash.
  ['/\\evil.example/x', 'none', 'refused: remote_file'],
  ['\\/evil.example/x', 'none', 'refused: remote_file'],
  ['\\\\?\\C:\\x', 'none', 'refused: remote_file'],
  ['#top', 'none', 'refused: malformed'],
  ['', 'none', 'refused: malformed'],
  ['   ', 'none', 'refused: malformed'],
  ['a\u0000b', 'none', 'refused: malformed'],
  ['a%00b', 'path', 'refused: malformed'],
  ['?q', 'path', 'refused: malformed'],
];

describe('the policy of links', () => {
  for (const [href, kind, expected] of TABLE) {
    it(`${JSON.stringify(href)} is ${kind}: ${JSON.stringify(expected)}`, () => {
      assert.equal(linkKind(href), kind);
      assert.equal(outcome(href), expected);
    });
  }

  it('covers at least 60 links', () => assert.ok(TABLE.length >= 60));
});

describe('code that is a path', () => {
  for (const code of [
    'src/a.ts',
    'src/a.ts:12',
    'src/a.ts:12:3',
    'src/a.ts#L12-L20',
    './a.sh',
    '../x/y.py',
    '~/notes.md',
    '/etc/nginx/site.conf',
    'package.json',
    'README.md',
    'Makefile:12',
    'webview/style/index.css',
    '.github/workflows/ci.yml',
    '@types/node/index.d.ts',
    'C:\\x\\y.ts',
    'src/файл.ts',
    'Cargo.toml',
    'main.rs:3',
    'src/lib.zig',
  ]) {
    it(code, () => assert.equal(isFilePath(code), true));
  }
  for (const code of [
    'console.log',
    'and/or',
    'application/json',
    'e.g.',
    'a',
    '',
    '1/2.5',
    'foo()',
    'src/a.ts && rm',
    'npm run test',
    '...',
    '../..',
    '/',
    'x.y.z',
    'localhost:3000',
    '12:30',
    'key:12',
    'https://a.b/c.ts',
    '//host/a.ts',
    '\\\\host\\a.ts',
    '@scope/package',
    '*.ts',
    'src/**/*.ts',
    '<div>',
    'a:b',
    '$HOME/x.ts',
    `${'a/'.repeat(300)}x.ts`,
  ]) {
    it(`${JSON.stringify(code.slice(0, 40))} is not`, () => assert.equal(isFilePath(code), false));
  }

  it('is recognized quickly, whatever the code', () => {
    for (const code of ['a/'.repeat(199), 'a.'.repeat(199), '-'.repeat(399), `${'a'.repeat(390)}:1:`]) {
      assert.equal(typeof isFilePath(code), 'boolean');
    }
  });
});

describe('the title of a link', () => {
  it('contains the host as it is on the wire', () => {
    assert.equal(linkTitle('https://example.com'), 'https://example.com');
    assert.equal(linkTitle('https://аррӏе.com/login'), 'https://xn--80ak6aa92e.com/login\n(https://аррӏе.com/login)');
    assert.equal(
      linkTitle('https://good.example\\@evil.example/'),
      'https://good.example/@evil.example/\n(https://good.example\\@evil.example/)',
    );
    assert.equal(linkTitle('src/a.ts:12'), 'src/a.ts:12');
  });
});

import assert from 'node:assert/strict';
import { hasForeignLink, linkSafeLanguage } from '../../../../src/text/markdown/foreignLinks';

const FOREIGN = [
  '[a](command:workbench.action.terminal.sendSequence?%7B%7D)',
  '[a](<command:x>)',
  '[a]( \n command:x)',
  '<command:x.y>',
  '[a][b]\n\n[b]: command:x',
  '[b]: <vscode://publisher.extension/path>',
  '![a](vscode-insiders://x)',
  '<a href="command:x">a</a>',
  "<a href = 'ms-msdt:/id'>a</a>",
  '<a href=javascript:alert(1)>',
  '[a](data:text/html,x)',
  '[a](&#99;ommand:x)',
  '[a](command&colon;x)',
  '[a](%63ommand:x)',
  '[a](command\\:x)',
  '[a](slack://open)',
  'a { background: url(command:x) }',
  '\\command:x',
  '<a href="c&#111mmand:x">',
  '<a href="c&#x0000000000000000000000000000000006fmmand:x">',
  '<a href="com&#109&#97nd:x">',
  '@import "slack:x";',
  "@use 'slack:x';",
  'a { background: url(/**/slack:x) }',
];
const HARMLESS = [
  '',
  '# Title\n\nNote: read it. Command: npm test',
  '[a](https://example.com/a%20b) <http://example.com> <mailto:a@example.com> [f](file:///a/b.md#L1)',
  '[a](docs/plan.md) [b](#heading) [c](/abs/path)',
  'https://example.com?next=https://example.org',
  "import x from 'node:fs';",
  'a:hover { color: red }',
  '- [ ] 10:30 meet',
];

describe('a foreign link', () => {
  for (const text of FOREIGN) {
    it(`is found in ${JSON.stringify(text)}`, () => assert.equal(hasForeignLink(text), true));
  }
  for (const text of HARMLESS) {
    it(`is not found in ${JSON.stringify(text)}`, () => assert.equal(hasForeignLink(text), false));
  }

  it('makes plain text of the languages that have links, and keeps other languages and texts', () => {
    assert.equal(linkSafeLanguage('markdown', FOREIGN[0]!), 'plaintext');
    assert.equal(linkSafeLanguage('html', FOREIGN[7]!), 'plaintext');
    assert.equal(linkSafeLanguage('markdown', HARMLESS[2]!), 'markdown');
    assert.equal(linkSafeLanguage('typescript', 'const f = "command:x";'), 'typescript');
  });
});

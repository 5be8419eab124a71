import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import { attachmentUri } from '../../../../src/core/mentions/attachmentUri';
import { promptText, resourceLabel } from '../../../../src/core/model/contentNames';
import { reportUri } from '../../../../src/core/model/reportAddress';
import { commentsUri } from '../../../../src/core/model/attachment';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const file = (name: string, lines = ''): ContentBlock => ({ type: 'resource', uri: `file:///w/src/${name}${lines}`, text: 'x' });
const link = (name: string): ContentBlock => ({ type: 'resource_link', uri: `file:///w/src/${name}`, name });

describe('the label of a resource', () => {
  for (const [uri, label] of [
    ['file:///w/src/cart.ts', 'cart.ts'],
    ['file:///w/index.ts#L1', 'index.ts:1'],
    ['file:///w/cart.ts#L10-20', 'cart.ts:10-20'],
    ['file:///w/cart.ts#L10-L20', 'cart.ts:10-20'],
    ['file:///w/a%20b.ts#L2', 'a b.ts:2'],
    ['file:///w/notes.ipynb#cell=3', 'notes.ipynb, cell 3'],
    ['file:///w/notes.ipynb#cell=3:L1-2', 'notes.ipynb, cell 3:1-2'],
    ['file:///w/cart.ts#problems', 'problems:cart.ts'],
    ['file:///w/README.md#Lists', 'README.md'],
    ['https://example.com/docs/?q=1#L', 'docs'],
    [attachmentUri('terminal-npm-test.txt', 'Terminal: npm test'), 'Terminal: npm test'],
    [attachmentUri('changes.diff', 'changes:cart.ts'), 'changes:cart.ts'],
    ['attachment:/notes.txt', 'notes.txt'],
    ['attachment:/notes.txt?%E0%A4%A', '%E0%A4%A'],
  ] as const) {
    it(`is ${label} for ${uri}`, () => assert.equal(resourceLabel(uri), label));
  }
});

describe('the text of a prompt that becomes a title', () => {
  for (const [what, content, title] of [
    ['leaves out a mention before the text', [file('index.ts'), text(' explain this')], 'explain this'],
    [
      'leaves out several mentions and the signs after them',
      [file('a.ts'), text(' '), link('b.ts'), text(': explain these')],
      'explain these',
    ],
    [
      'names a mention in the middle without its sign',
      [text('Compare '), file('a.ts'), text(' with '), file('b.ts'), text('!')],
      'Compare a.ts with b.ts!',
    ],
    ['names a file that the text ends with', [text('explain '), file('cart.ts', '#L10-20')], 'explain cart.ts:10-20'],
    [
      'names any mention that the text ends with',
      [text('explain '), { type: 'resource', uri: attachmentUri('changes.diff', 'changes:cart.ts'), text: 'x' }],
      'explain changes:cart.ts',
    ],
    [
      'leaves out our own attachment after a space',
      [text('explain '), { type: 'resource', uri: commentsUri('c', [1], 'a:1'), text: 'x' }],
      'explain ',
    ],
    ['names a mention that the sentence begins with', [file('cart.ts'), text(' is broken')], 'cart.ts is broken'],
    [
      'names each of two mentions that belong together',
      [file('a.ts'), text(' and '), file('b.ts'), text(' differ')],
      'a.ts and b.ts differ',
    ],
    ['leaves out what goes with a text', [text('Look'), file('a.ts'), link('b.ts')], 'Look'],
    ['is the names of files without a text', [file('index.ts', '#L1'), link('b.ts')], 'index.ts:1, b.ts'],
    ['is the place of comments without a text', [{ type: 'resource', uri: commentsUri('c', [1], 'cart.ts:12'), text: 'x' }], 'cart.ts:12'],
    [
      'is empty where only the report of changes goes',
      [{ type: 'resource', uri: reportUri('s', 1, [{ path: '/w/cart.ts', undone: 1 }]), text: 'x' }],
      '',
    ],
  ] as const satisfies readonly (readonly [string, readonly ContentBlock[], string])[]) {
    it(what, () => assert.equal(promptText(content, 400), title));
  }
});

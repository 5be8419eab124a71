/** The text that represents a file in a message. For any name, its token is found again, and the host accepts its reference. */
import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { linesOf } from '../../../../src/context/mentionContent';
import type { Mention } from '../../../../src/core/mentions/mention';
import { freeToken, inlineContent, splitText } from '../../../../src/core/mentions/tokens';
import { parseIntent } from '../../../../src/core/protocol/intent';
import { cellMention, commonFolder, fileMention, selectedParts } from '../../../../src/application/mentions/mentionOf';

const words = (message: string, values: Readonly<Record<string, unknown>> = {}): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

const ODD = [
  'a b.ts',
  'a#b.ts',
  '100%25.ts',
  'späte datei.txt',
  '日本語.md',
  '👩‍💻.ts',
  'line\nbreak.ts',
  'tab\there.ts',
  '\u202egnp.exe',
  '\u200b',
  ' ',
  '.',
  'ends with.',
  'a:12',
  '@scope',
  '[x].tsx',
  '(group)',
  '$&.ts',
  '\\back',
  '.env',
  'x'.repeat(255),
  '日'.repeat(85),
];

/** The message with `mention` in it, as the host receives it from the page. */
function taken(mention: Mention): ReturnType<typeof inlineContent> {
  const content = splitText(`see ${mention.token} please`, [mention]);
  const intent = parseIntent(JSON.parse(JSON.stringify({ type: 'prompt', content })));
  assert.ok(intent?.type === 'prompt', `not taken: ${JSON.stringify(content)}`);
  assert.deepEqual(intent.content, [{ type: 'text', text: 'see ' }, mention, { type: 'text', text: ' please' }]);
  return inlineContent(intent.content);
}

function mentionOfFile(name: string, lines?: { line: number; endLine: number }): Mention {
  const uri = `file:///w/${name.split('/').map(encodeURIComponent).join('/')}`;
  return fileMention({ uri, path: `sub/${name}` }, words as never, lines);
}

describe('the mention of a file', () => {
  for (const name of ODD) {
    it(`is found in the text, and accepted by the host, for ${JSON.stringify(name.slice(0, 20))}`, () => {
      for (const lines of [undefined, { line: 3, endLine: 9 }]) {
        const mention = mentionOfFile(name, lines);
        const { text, mentions } = taken(mention);
        assert.equal(text, `see ${mention.token} please`);
        assert.deepEqual(mentions, [mention]);
        assert.doesNotMatch(mention.token, /[\n\r\u202e\u200b]/, 'one visible line');
      }
      const folder = fileMention({ uri: 'file:///w/x', path: `sub/${name}/` }, words as never);
      assert.ok(folder.token.endsWith('/'));
      taken(folder);
    });
  }

  it('is found for any name, and two files of the same name get two tokens', () => {
    const letters = [...'aZ0_ .:#~-@[](){}$^|*+?\\\'"`,;!%&=<>', 'é', '日', '👩‍💻', '\u200b', '\n', '\t'];
    const name = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(name, (text) => {
        const mention = mentionOfFile(text);
        taken(mention);
        const other = freeToken(mention, (token) => token === mention.token || token === mention.longToken);
        assert.notEqual(other, mention.token);
        const both = splitText(`${mention.token} ${other} `, [mention, { ...mention, token: other }]);
        assert.deepEqual(
          both.flatMap((block) => (block.type === 'mention' ? block.token : [])),
          [mention.token, other],
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is accepted by the host with the longest possible path', () => {
    const long = `${'日'.repeat(80)}/`.repeat(16);
    const mention = mentionOfFile(`${long}a.ts`);
    assert.ok(mention.ref.kind === 'file' && mention.ref.uri.length > 8192);
    taken(mention);
  });

  it('names the lines of each selection, from the top, each once', () => {
    const selection = (from: number, to: number, character = 1) => ({
      isEmpty: from === to && character === 0,
      start: { line: from },
      end: { line: to, character },
    });
    assert.deepEqual(selectedParts([selection(9, 11), selection(2, 2), selection(2, 2, 5), selection(4, 4, 0), selection(9, 12, 0)]), [
      { line: 3, endLine: 3 },
      { line: 10, endLine: 12 },
    ]);
    assert.deepEqual(selectedParts([selection(4, 4, 0)]), []);
  });

  it('quotes only existing lines', () => {
    assert.equal(linesOf('', 1, 5), '');
    assert.equal(linesOf('one\n', 2, 3), '');
    assert.equal(linesOf('one\ntwo', 2, 1_000_000_000), 'two');
  });
});

describe('the mention of a notebook’s cell', () => {
  const place = { uri: 'file:///w/sub/n.ipynb', path: 'sub/n.ipynb' };
  const cell = { number: 3, id: 'a1b2', document: 'vscode-notebook-cell:/w/sub/n.ipynb#W2sZmlsZQ%3D%3D' };

  it('names the notebook’s file, the cell and its lines, and is accepted by the host', () => {
    const mention = cellMention(place, cell, words as never, { line: 1, endLine: 2 });
    assert.equal(mention.name, 'n.ipynb, cell 3:1-2');
    assert.equal(mention.about, 'Lines 1-2 of cell 3 in sub/n.ipynb');
    assert.deepEqual(mention.ref, { kind: 'file', uri: place.uri, line: 1, endLine: 2, cell });
    const { text, mentions } = taken(mention);
    assert.equal(text, `see ${mention.token} please`);
    assert.deepEqual(mentions, [mention]);
  });

  it('names the whole cell if no lines are selected', () => {
    const mention = cellMention(place, { number: 1 }, words as never);
    assert.deepEqual([mention.name, mention.about], ['n.ipynb, cell 1', 'Cell 1 of sub/n.ipynb']);
    taken(mention);
  });

  it('differs from the same lines of another cell', () => {
    const lines = { line: 1, endLine: 1 };
    const one = cellMention(place, { number: 1 }, words as never, lines);
    const other = cellMention(place, { number: 2 }, words as never, lines);
    assert.notEqual(one.token, other.token);
  });
});

describe('the common folder of files', () => {
  const at = (...parts: string[]): string => path.resolve('/w', ...parts);
  it('is the deepest one that contains them all', () => {
    assert.equal(commonFolder([at('a/b/c.ts')]), at('a/b'));
    assert.equal(commonFolder([at('a/b/c.ts'), at('a/bc/d.ts')]), at('a'));
    assert.equal(commonFolder([at('a/b/c.ts'), at('a/b/d/e.ts'), at('a/b/..x/f.ts')]), at('a/b'));
    assert.equal(commonFolder([at('a/x.ts'), path.resolve('/other/y.ts')]), path.resolve('/'));
  });
});

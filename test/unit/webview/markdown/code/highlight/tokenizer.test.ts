import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COLOUR_BITS, FONT, type StyleRule, type LineTokens } from '../../../../../../webview/markdown/code/highlight/messages';
import { rulesOf } from '../../../../../../webview/markdown/code/highlight/styles';
import { PALETTE } from '../../../../../../webview/markdown/code/highlight/palette';
import { Tokenizer } from '../../../../../../webview/markdown/code/highlight/tokenizer';

const grammars = path.resolve(__dirname, '../../../../../../node_modules/tm-grammars/grammars');
const grammar = (name: string) => readFileSync(path.join(grammars, `${name}.json`), 'utf8');

const [COMMENT, STRING, KEYWORD, NUMBER, NAME, TAG] = [1, 2, 3, 4, 5, 6];
const THEME: StyleRule[] = [
  { scope: ['comment'], colour: COMMENT, fontStyle: 'italic' },
  { scope: ['string', 'punctuation.support.type.property-name'], colour: STRING },
  { scope: ['keyword', 'storage'], colour: KEYWORD },
  { scope: ['storage.type'], fontStyle: 'bold' },
  { scope: ['constant.numeric'], colour: NUMBER },
  { scope: ['entity.name.function'], colour: NAME },
  { scope: ['entity.name.tag'], colour: TAG },
  { scope: ['source.ts meta.var.expr string'], fontStyle: 'underline' },
];

/** Limits for a busy machine. `ms` 0 means no limit. */
const PATIENT = { ms: 0, tries: 1 };

function tokenizerFor(language: string, names: readonly string[], injected = 0, limits = PATIENT): Tokenizer {
  const tokenizer = new Tokenizer(limits);
  tokenizer.receive({ type: 'theme', rules: THEME });
  tokenizer.receive({ type: 'language', language, grammars: names.map(grammar), injected });
  return tokenizer;
}

let blocks = 0;
const all = (tokenizer: Tokenizer, language: string, text: string) =>
  tokenizer.receive({ type: 'text', block: ++blocks, language, text })!.lines;

/** Each token's text with its style. */
function spans(line: string, tokens: LineTokens): [string, number][] {
  const result: [string, number][] = [];
  for (let at = 0; at < tokens.length; at += 2) {
    result.push([line.slice(tokens[at], tokens[at + 2]), tokens[at + 1]!]);
  }
  return result.filter(([, style]) => style !== 0);
}

const ITALIC = FONT.italic << COLOUR_BITS;
const BOLD = FONT.bold << COLOUR_BITS;
const UNDERLINE = FONT.underline << COLOUR_BITS;

describe('tokenizer', () => {
  it('gives every token the style of the best matching rule', () => {
    const tokenizer = tokenizerFor('typescript', ['typescript']);
    const lines = ['const a = "x"; // why', 'function f() { return 42; }'];
    const tokens = all(tokenizer, 'typescript', lines.join('\n'));
    assert.deepEqual(spans(lines[0]!, tokens[0]!), [
      ['const', KEYWORD | BOLD],
      ['=', KEYWORD],
      ['"x"', STRING | UNDERLINE],
      ['// why', COMMENT | ITALIC],
    ]);
    assert.deepEqual(spans(lines[1]!, tokens[1]!), [
      ['function', KEYWORD | BOLD],
      ['f', NAME],
      ['return', KEYWORD],
      ['42', NUMBER],
    ]);
  });

  it('compiles the expressions of a language in several tries if one is too short, up to a limit', () => {
    const line = 'const a = "x"; // why';
    const whole = all(tokenizerFor('typescript', ['typescript']), 'typescript', line);
    assert.deepEqual(all(tokenizerFor('typescript', ['typescript'], 0, { ms: 10, tries: 10_000 }), 'typescript', line), whole);
    assert.notDeepEqual(all(tokenizerFor('typescript', ['typescript'], 0, { ms: 1, tries: 1 }), 'typescript', line), whole);
  });

  it('gives the same result for a text in chunks as for the whole text', () => {
    const tokenizer = tokenizerFor('css', ['css']);
    const text = '/* one\ntwo */ a { color: "red"; margin: 10px }\n@media x {\n  b { top: 1em } /* open\n';
    const whole = all(tokenizer, 'css', text);
    for (const size of [1, 7, 30]) {
      const block = ++blocks;
      const pieces: LineTokens[] = [];
      for (let at = 0; at < text.length; at += size) {
        const answer = tokenizer.receive({ type: 'text', block, language: 'css', text: text.slice(at, at + size) })!;
        assert.ok(answer.from <= pieces.length);
        pieces.splice(answer.from, Infinity, ...answer.lines);
      }
      assert.deepEqual(pieces, whole, `in pieces of ${size}`);
    }
  });

  it('colors one language inside another, and injected ones', () => {
    const html = '<p>a</p><style>b { top: 1px }</style>';
    assert.deepEqual(
      spans(html, all(tokenizerFor('html', ['html', 'css']), 'html', html)[0]!).map(([text]) => text),
      ['p', 'p', 'style', '1', 'px', 'style'],
    );
    const alone = all(tokenizerFor('html', ['html']), 'html', html)[0]!;
    assert.deepEqual(
      spans(html, alone).map(([text]) => text),
      ['p', 'p', 'style', 'style'],
      'what is not loaded stays plain',
    );
    const vue = '<template><p :a="1">{{ 2 }}</p></template>';
    const names = ['vue', 'html-derivative', 'html', 'javascript', 'typescript', 'vue-directives', 'vue-interpolations'];
    const injected = spans(vue, all(tokenizerFor('vue', names, 2), 'vue', vue)[0]!);
    assert.ok(
      injected.some(([text]) => text === '2'),
      JSON.stringify(injected),
    );
  });

  it('accepts another theme', () => {
    const tokenizer = tokenizerFor('json', ['json']);
    const line = '{"a": 1}';
    const block = ++blocks;
    tokenizer.receive({ type: 'text', block, language: 'json', text: line });
    tokenizer.receive({ type: 'theme', rules: [{ scope: ['constant'], colour: 77 }] });
    assert.deepEqual(spans(line, all(tokenizer, 'json', line)[0]!), [['1', 77]]);
    assert.equal(tokenizer.receive({ type: 'text', block, language: 'json', text: '\n' })!.from, 0, 'a block from before is forgotten');
  });

  it('leaves unknown languages and endless lines plain', () => {
    const tokenizer = tokenizerFor('json', ['json']);
    assert.deepEqual(all(tokenizer, 'typescript', 'const a = 1;'), []);
    const long = `["${'x'.repeat(6000)}", 1]`;
    assert.deepEqual(
      all(tokenizer, 'json', `${long}\n1\n`).map((tokens) => tokens.length > 0),
      [false, true, false],
    );
  });

  it('reads the palette’s rules', () => {
    const { rules, colours } = rulesOf({ rules: PALETTE.map(([foreground, ...scope]) => ({ scope, foreground })) });
    const tokenizer = tokenizerFor('python', ['python']);
    tokenizer.receive({ type: 'theme', rules });
    const line = 'def f(a): return "x" + str(1) # why';
    const found = spans(line, all(tokenizer, 'python', line)[0]!).map(([text, style]) => [text.trim(), colours[style - 1]]);
    const colourOf = (text: string) => found.find(([found]) => found === text)?.[1];
    assert.match(colourOf('def')!, /^var\(--vscode-debugTokenExpression-name, /);
    assert.match(colourOf('f')!, /^var\(--vscode-symbolIcon-functionForeground, /);
    assert.match(colourOf('"x"')!, /^var\(--vscode-debugTokenExpression-string, /);
    assert.match(colourOf('1')!, /^var\(--vscode-debugTokenExpression-number, /);
    assert.match(colourOf('# why')!, /^var\(--vscode-descriptionForeground, /);
  });

  it('numbers a theme’s colors once each, up to the limit', () => {
    assert.deepEqual(
      rulesOf({
        rules: [
          { scope: ['a'], foreground: '#111' },
          { scope: ['b'], foreground: '#222', fontStyle: '' },
          { scope: ['c'], foreground: '#111' },
        ],
      }),
      {
        rules: [
          { scope: ['a'], colour: 1 },
          { scope: ['b'], colour: 2, fontStyle: '' },
          { scope: ['c'], colour: 1 },
        ],
        colours: ['#111', '#222'],
      },
    );
    const many = Array.from({ length: 1000 }, (_, index) => ({ scope: ['a'], foreground: `#${String(index).padStart(6, '0')}` }));
    const { rules, colours } = rulesOf({ rules: many });
    assert.deepEqual([colours.length, rules.length, rules.at(-1)!.colour], [500, 1000, undefined]);
  });
});

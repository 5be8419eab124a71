import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fontsOf } from '../../../../../webview/markdown/math/fonts';
import type { MathElement, MathFailure, TypesetMath } from '../../../../../webview/markdown/math/messages';
import { typeset } from '../../../../../webview/markdown/math/typeset';

const set = (tex: string, display = false) => {
  const result = typeset(tex, display);
  assert.ok('root' in result, `${tex}: ${JSON.stringify(result)}`);
  return result;
};
const failure = (tex: string) => {
  const result = typeset(tex, true);
  assert.ok('reason' in result, tex);
  return result as MathFailure;
};
const all = (root: MathElement): MathElement[] => [
  root,
  ...root.children.flatMap((child) => (typeof child === 'string' ? [] : all(child))),
];
const textOf = (root: MathElement): string => root.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
const fonts = (tex: string) => [...(typeset(tex, true) as TypesetMath).fonts].sort();

describe('the typesetting of a formula', () => {
  it('creates MathML for screen readers and spans for the eye, as structured data', () => {
    const { root } = set('\\frac{a}{b}');
    assert.deepEqual(structuredClone(root), root);
    const tags = all(root).map(({ tag }) => tag);
    assert.ok(tags.includes('mfrac') && tags.includes('span') && root.classes === 'math-body');
    assert.ok(textOf(all(root).find(({ tag }) => tag === 'annotation')!) === '\\frac{a}{b}');
    assert.equal(all(root).filter(({ tag }) => tag === 'math').length, 1);
  });

  it('reports the error of a malformed one', () => {
    assert.deepEqual(failure('\\nope'), { reason: 'syntax', detail: 'Undefined control sequence: \\nope' });
    assert.equal(failure('\\frac{a').reason, 'syntax');
  });

  it('keeps no state for the next formula', () => {
    set('\\gdef\\mine{x}\\global\\let\\too=x \\mine');
    assert.equal(failure('\\mine').reason, 'syntax');
    assert.equal(failure('\\too').reason, 'syntax');
    set('\\def\\frac{x}\\gdef\\alpha{y}\\frac\\alpha');
    assert.ok(all(set('\\frac{a}{b}').root).some(({ tag }) => tag === 'mfrac'));
    assert.equal(globalThis.document, undefined, 'nor in the thread');
  });

  it('opens no address and uses no names, classes, styles or data of the formula', () => {
    for (const tex of [
      '\\href{https://evil.example}{x}',
      '\\url{https://evil.example}',
      '\\includegraphics{https://evil.example/x.png}',
      '\\htmlClass{app}{x}',
      '\\htmlId{app}{x}',
      '\\htmlStyle{position:fixed}{x}',
      '\\htmlData{slot=1}{x}',
    ]) {
      const elements = all(set(tex).root);
      assert.deepEqual(
        elements.filter(
          ({ tag, attributes, style, classes }) =>
            /^(a|img)$/.test(tag) ||
            Object.keys(attributes).some((name) => /href|src|^id$|data-/.test(name)) ||
            'position' in style ||
            classes.split(' ').includes('app'),
        ),
        [],
        tex,
      );
    }
  });

  it('limits the sizes that a formula may set', () => {
    const sizes = (tex: string) =>
      all(set(tex, true).root)
        .flatMap(({ style }) => Object.values(style).flatMap((value) => /^-?([\d.]+)em$/.exec(value)?.[1] ?? []))
        .map(Number);
    assert.ok(Math.max(...sizes('\\rule{9999em}{9999em}')) <= 31);
    assert.ok(Math.max(...sizes('a\\kern9999em b\\raisebox{9999em}{c}')) <= 61);
  });

  for (const [what, tex] of [
    ['macros without end', '\\def\\a{\\a\\a}\\a'],
    [
      'macros that double',
      '\\def\\a{xx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b}\\def\\d{\\c\\c\\c\\c\\c\\c\\c\\c}\\def\\e{\\d\\d\\d\\d\\d\\d\\d\\d}\\e\\e\\e\\e',
    ],
    ['parameters that multiply', `\\def\\a#1{${'#1'.repeat(1000)}}\\a{\\a{\\a{\\a{x}}}}`],
    [
      'parameters that grow',
      `\\def\\a#1{\\b{${'#1'.repeat(10)}}}\\def\\b#1{\\c{${'#1'.repeat(10)}}}\\def\\c#1{\\d{${'#1'.repeat(9)}}}\\def\\d#1{#1}\\a{${'x'.repeat(5000)}}`,
    ],
    ['a macro full of text', `\\def\\a{${'x'.repeat(5000)}}${'\\a'.repeat(900)}`],
    ['braces in braces', '{'.repeat(4000) + '}'.repeat(4000)],
    ['roots of roots', '\\sqrt{'.repeat(1000) + 'x' + '}'.repeat(1000)],
    ['too much of everything', 'x^{y}_{z}'.repeat(1100)],
  ] as const) {
    it(`gives up on ${what}`, () => {
      const result = failure(tex);
      assert.ok(result.reason === 'size' || /expansion/i.test((result as { detail: string }).detail), JSON.stringify(result));
    }).timeout(20_000);
  }

  it('supports common formulas', () => {
    set(
      Array.from({ length: 40 }, (_, line) => `a_{${line}} &= \\sum_{i=1}^{n} \\frac{b_{i}}{c_{i}}`)
        .join('\\\\')
        .replace(/^(.*)$/, '\\begin{aligned}$1\\end{aligned}'),
      true,
    );
    set('\\newcommand{\\R}{\\mathbb{R}} f: \\R^n \\to \\R');
    set('f(x) = \\begin{cases} 1 & \\text{für } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases} \\tag{1}', true);
    set('\\overset{!}{=} \\xrightarrow{n \\to \\infty}');
  });
});

describe('fonts of a formula', () => {
  it('are few in most cases', () => assert.deepEqual(fonts('a + b_1'), ['Main-Regular', 'Math-Italic']));

  it('are loaded for the symbols that need them', () => {
    assert.deepEqual(fonts('\\sum'), ['Main-Regular', 'Math-Italic', 'Size2-Regular']);
    assert.deepEqual(fonts('\\mathbb{R}\\mathcal{L}\\textbf{\\textit{a}}'), [
      'AMS-Regular',
      'Caligraphic-Regular',
      'Main-Bold',
      'Main-BoldItalic',
      'Main-Italic',
      'Main-Regular',
      'Math-Italic',
    ]);
  });

  it('cover every class to which the style sheet gives one', () => {
    const sheet = readFileSync(path.resolve(__dirname, '../../../../../node_modules/katex/dist/katex.min.css'), 'utf8');
    const rules = [...sheet.matchAll(/(?<=\})([^{}@]+)\{([^}]*font-family:KaTeX_(\w+)[^}]*)\}/g)];
    assert.ok(rules.length > 20);
    for (const [, selectors, body, family] of rules) {
      if (family === 'Main' && !/bold|700|italic/.test(body!)) {
        continue;
      }
      const face = (/(?:font-weight:)700/.test(body!) ? 'Bold' : '') + (/font-style:italic/.test(body!) ? 'Italic' : '') || 'Regular';
      for (const selector of selectors!.split(',')) {
        const classes = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name]) => name).filter((name) => name !== 'katex');
        const found = fontsOf({ tag: 'span', space: 'html', classes: classes.join(' '), style: {}, attributes: {}, children: [] });
        assert.deepEqual(
          found.filter((font) => font === `${family}-${face}`),
          [`${family}-${face}`],
          selector,
        );
      }
    }
  });
});

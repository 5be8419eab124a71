import assert from 'node:assert/strict';
import { Lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import { fencedMath, isMath, markdownLexer, type MathToken } from '../../../../../src/text/markdown/parse/mathLexer';

const lex = (text: string) => markdownLexer(text).lex(text);

/** The formulas of a text, in order: those in separate lines between `[` and `]`, the others between `(` and `)`. An unfinished one has `…`. */
function formulas(text: string): string[] {
  const found: string[] = [];
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (isMath(token)) {
        const { text: tex, display, open } = token as MathToken;
        found.push(display ? `[${tex.trim()}${open ? '…' : ''}]` : `(${tex})`);
      }
      const { tokens: inner, items, header, rows } = token as Tokens.Generic;
      for (const each of [inner, items, header, ...((rows as Token[][] | undefined) ?? [])]) {
        if (Array.isArray(each)) {
          visit(each as Token[]);
        }
      }
    }
  };
  visit(lex(text));
  return found;
}

describe('formulas in markdown', () => {
  for (const [text, ...expected] of [
    ['$$x$$', '[x]'],
    ['$$ x $$', '[x]'],
    ['$$\nx = 1\n$$', '[x = 1]'],
    ['$$\na\n\n= b\n$$\nafter', '[a\n\n= b]'],
    ['$$\na\n=\nb\n$$', '[a\n=\nb]'],
    ['So:\n$$\na\n=\nb\n$$\nand $c$.', '[a\n=\nb]', '(c)'],
    ['So:\n\\[\na\n---\nb\n\\]\nand', '[a\n---\nb]'],
    ['\\[ x^2 \\]', '[x^2]'],
    ['\\[\nx \\\\[2pt]\ny\n\\]', '[x \\\\[2pt]\ny]'],
    ['\\[ a\n+ b\n- c \\]', '[a\n+ b\n- c]'],
    ['$$\\begin{aligned}\na &= b \\\\\n\n&= c\n\\end{aligned}$$', '[\\begin{aligned}\na &= b \\\\\n\n&= c\n\\end{aligned}]'],
    ['- one\n\n  $$\n  a\n  + b\n  $$\n- two $c$', '[a\n+ b]', '(c)'],
    ['1. one:\n   \\[\n   a\n   \\]\n2. two', '[a]'],
    ['> $$\n> a\n> $$', '[a]'],
    ['Let $x$, $y_1$ and \\(z\\) be', '(x)', '(y_1)', '(z)'],
    ['the $n$th of $k$-means', '(n)', '(k)'],
    ['其中$x$是', '(x)'],
    ['**Note: $x^*$ is best** and *$a*b$*', '(x^*)', '(a*b)'],
    ['**Note: \\(x^*\\) is best**', '(x^*)'],
    ['So $$x + y$$ holds, $$ x_1 $$ too', '[x + y]', '[x_1]'],
    ['| $a$ | b |\n|---|---|\n| \\(c\\) | $d$ |', '(a)', '(c)', '(d)'],
    ['# A $x$', '(x)'],
    ['[$x$](https://x.example)', '(x)'],
    ['$\\$5$ and $a\\_b$', '(\\$5)', '(a\\_b)'],
    ['It was said:\n$$x$$\nso', '[x]'],
    ['$$\nx', '[x…]'],
    ['$$\nx\n$$ (1)', '[x]'],
    ['a $x\ny$ b', '(x\ny)'],
  ] as [string, ...string[]][]) {
    it(`are found: ${JSON.stringify(text)}`, () => assert.deepEqual(formulas(text), expected));
  }

  for (const text of [
    '$5 and $10',
    'costs $5, $6 or $7.50',
    '$20k–$30k',
    'US$5 and A$6',
    'from $AAPL to ($MSFT)',
    'echo $HOME and $PATH',
    '$HOME/bin:$PATH',
    'A=$B\nC=$D',
    '`$a$` and `\\(b\\)`',
    '$a `b$` c',
    '```sh\necho $$\n$$\nx\n$$\n```',
    '    $$\n    x\n    $$',
    'kill $$ and echo $$',
    '$$ is the shell, and $$ was it',
    '\\$x\\$',
    '[\\[1\\]](https://x.example) says \\[2\\]',
    '\\[1\\] Smith et al.',
    '$ x $',
    '$$$x$$$',
    '$$',
    '\\(\\)',
    'a \\(b',
    '$x',
  ]) {
    const rest = text === '$$' ? ['[…]'] : [];
    it(`are not found in ${JSON.stringify(text)}`, () => assert.deepEqual(formulas(text), rest));
  }

  it('leave all other text unchanged', () => {
    const text = 'One *two* <b>x</b> [l](https://x.example) https://y.example  \nline `c`\n\n- a\n- b\n\nT\n===\n\n| a |\n|---|\n| b |\n';
    assert.deepEqual(markdownLexer(text + '$').lex(text), new Lexer({ gfm: true }).lex(text));
  });

  it('hide their content from emphasis', () => {
    const [paragraph] = lex('**Note: $x^*$ is $y_a$ best** and *$a*b$*') as Token[] as [Tokens.Paragraph];
    assert.deepEqual(
      paragraph.tokens.map(({ type }) => type),
      ['strong', 'text', 'em'],
    );
  });

  it('are found in a fence with their language, once it is closed', () => {
    const tex = (text: string) => fencedMath(lex(text)[0] as Tokens.Code);
    assert.equal(tex('```math\nx\n```'), 'x');
    assert.equal(tex('~~~~ Math\nx\n~~~~\n'), 'x');
    assert.equal(tex('```math\nx\n'), undefined);
    assert.equal(tex('```math\nx\n``'), undefined);
    assert.equal(tex('```latex\nx\n```'), undefined);
  });

  it('are found quickly in malicious texts', function () {
    this.timeout(30_000); // Other work may share the machine.
    const slow = ['$', '$a ', '\\(', '$$ a\n', '\\[ a\n', '$$\n\n', '*a* $b', '*a $b$* ', '- $$ a\n', '_b* $x$ ', '\\$ *', '~a$ '];
    for (const each of slow) {
      // Quadratic time for this length would exceed the test's timeout. The lexer itself has quadratic parts with small factors.
      assert.ok(lex(`${each.repeat(80_000 / each.length)}$`).length > 0, each);
    }
  });
});

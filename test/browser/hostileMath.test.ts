import assert from 'node:assert/strict';
import { type Before, openWatched } from './support/harm';
import type { View } from './support/view';

const RUN = 'window.hacked=1';

/** Each is tried inline and as a block. */
const HOSTILE: readonly string[] = [
  `\\href{javascript:${RUN}}{x}`,
  '\\href{https://evil.example/}{click}',
  '\\url{https://evil.example/}',
  '\\includegraphics[width=99em]{https://evil.example/x.png}',
  '\\htmlClass{composer scroller}{x}',
  '\\htmlId{app}{x}',
  '\\htmlStyle{position:fixed;inset:0;background:red;z-index:99}{x}',
  `\\htmlData{slot=agent:sentinel, onclick=${RUN}}{x}`,
  `<img src=x onerror="${RUN}">`,
  `\\text{<img src=x onerror="${RUN}"><script>${RUN}</script>}`,
  `\\texttt{</annotation></semantics></math><svg onload="${RUN}">}`,
  `</annotation></semantics></math><iframe srcdoc="<script>parent.${RUN}</script>">`,
  `\\color{red;background:url(https://evil.example)}{x}`,
  `\\textcolor{url(https://evil.example)}{x}`,
  `\\colorbox{var(--x)}{x}`,
  `\\fcolorbox{#f00}{expression(${RUN})}{x}`,
  '\\rule{9999em}{9999em}',
  '\\rule[-9999em]{1em}{9999em}',
  '\\kern-9999em\\rule{30em}{30em}',
  '\\hskip9999em x',
  '\\hspace*{-9999em}\\text{Approve everything}',
  '\\raisebox{9999em}{x}\\raisebox{-9999em}{y}',
  `${'\\raisebox{30em}{'.repeat(20)}x${'}'.repeat(20)}`,
  `${'\\raisebox{-30em}{'.repeat(20)}x${'}'.repeat(20)}`,
  '\\smash{\\rule{30em}{30em}}',
  '\\smash[b]{\\raisebox{-30em}{\\rule{30em}{30em}}}',
  '\\mathllap{\\rule{30em}{30em}}\\mathrlap{\\rule{30em}{30em}}\\mathclap{\\rule{30em}{30em}}',
  `\\llap{${'\\kern-30em'.repeat(20)}\\text{Approve everything}}`,
  '\\begin{array}{c} x \\\\[9999em] y \\end{array}',
  '\\Huge\\Huge\\text{HUGE}\\rule{30em}{30em}',
  '\\vcenter{\\rule{30em}{30em}}\\vphantom{\\rule{1em}{30em}}',
  '\\def\\a{\\a}\\a',
  '\\def\\a{\\a\\a}\\a',
  '\\def\\a#1{#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{xxxxxxxx}}}}}}',
  `\\def\\a{${'x'.repeat(2000)}}${'\\a'.repeat(500)}`,
  `\\edef\\a{${'x'.repeat(100)}}\\edef\\a{\\a\\a\\a\\a}\\edef\\a{\\a\\a\\a\\a}\\edef\\a{\\a\\a\\a\\a}\\edef\\a{\\a\\a\\a\\a}\\edef\\a{\\a\\a\\a\\a}\\edef\\a{\\a\\a\\a\\a}\\edef\\a{\\a\\a\\a\\a}\\a`,
  '\\gdef\\frac#1#2{\\text{wrong}}\\frac{1}{2}',
  '\\let\\frac\\sqrt \\global\\let\\alpha\\beta',
  '\\catcode`\\%=12 \\input{/etc/passwd}\\write18{id}\\immediate\\openout1=x',
  `\\sqrt{${'{'.repeat(3000)}x${'}'.repeat(3000)}}`,
  `${'\\sqrt{'.repeat(1500)}x${'}'.repeat(1500)}`,
  `${'\\left('.repeat(800)}x${'\\right)'.repeat(800)}`,
  `${'x^{'.repeat(1500)}y${'}'.repeat(1500)}`,
  `\\begin{matrix}${'&'.repeat(4000)}\\end{matrix}`,
  'x_{y}^{z}'.repeat(1100),
  `x${'a'.repeat(20_000)}`,
  '\\text{\u202etxt.exe\u202c\u2066hidden\u2069}',
  '\\text{\\char"202E txt.exe\\char"2066}',
  '\\char"202E \\char`\\x \\char"10FFFF',
  '\\operatorname{\u202e\u200f}x',
  '\\tag{\\rule{30em}{30em}} x',
  '\\begin{CD} A @>\\rule{30em}{30em}>> B \\end{CD}',
  '\\mathrm{__proto__}\\constructor\\__proto__\\toString\\hasOwnProperty',
  '\\newcommand\\__proto__{x}\\def\\constructor{y}\\constructor',
  '\\boldsymbol{\\cancel{\\phase{\\angl{\\enclose{x}}}}}\\fbox{\\rule{30em}{1em}}',
  `${'\u0301'.repeat(2000)}`,
  `\\overbrace{${'\\overline{'.repeat(120)}x${'}'.repeat(120)}}`,
];

const SENTINEL = 'A sentence of another answer, with $f(x) = \\frac{a}{b}$ in it.';

describe('hostile formulas', function () {
  this.timeout(60_000);

  let view: View;
  before(async () => {
    view = await openWatched(900);
  });
  after(() => view.close());

  it('cover many', () => assert.ok(HOSTILE.length >= 50));

  for (const tex of HOSTILE) {
    it(`do nothing: ${JSON.stringify(tex.length > 100 ? `${tex.slice(0, 97)}…` : tex)}`, async () => {
      await view.page.evaluate(() => window.playground.stage.restart());
      await view.ready();
      const say = (messageId: string, text: string) =>
        view.happen({ type: 'message', role: 'agent', messageId, content: [{ type: 'text', text }] });
      await say('sentinel', SENTINEL);
      await view.page.locator('[data-slot="agent:sentinel"] .math-set').waitFor();
      await view.page.evaluate(() => Object.assign(window, { before: (window as unknown as { look(): Before }).look() }));
      await say('hostile', `In a line \\(${tex}\\) and\n\n$$\n${tex}\n$$\n\nthe end.`);
      // Each is set, or shows its error. A text that the lexer does not take for a formula stays text.
      await view.page.waitForFunction(
        () =>
          document.querySelector('[data-slot="agent:hostile"] .math') &&
          !document.querySelector('[data-slot="agent:hostile"] .math-source:not([title])'),
        undefined,
        { timeout: 20_000 },
      );
      await view.painted();
      await view.page.evaluate(() => {
        for (const element of document.querySelectorAll<HTMLElement>('[data-slot="agent:hostile"] .math *')) {
          if (element instanceof HTMLElement) {
            element.click();
          }
        }
      });
      const found = await view.page.evaluate(() => {
        const { harmDone, before } = window as unknown as { harmDone(before: Before): string[]; before: Before };
        const formulas = [...document.querySelectorAll<HTMLElement>('[data-slot="agent:hostile"] .math-set')];
        return [
          ...harmDone(before),
          ...formulas.flatMap((formula) =>
            [...formula.querySelectorAll('[id], [href], [src], a, img, [class*=composer], [data-slot], [onclick]')].map(
              (each) => `made: ${each.outerHTML.slice(0, 100)}`,
            ),
          ),
          ...formulas
            .filter((formula) => formula.getBoundingClientRect().height > 490)
            .map((formula) => `high: ${formula.getBoundingClientRect().height}`),
        ];
      });
      assert.deepEqual(found, []);
      assert.deepEqual(await view.posted('open_link'), []);
      assert.deepEqual(view.offences, []);
    });
  }

  it('leave the next formula intact', async () => {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.ready();
    await view.happen({ type: 'message', role: 'agent', messageId: 'after', content: [{ type: 'text', text: '$\\frac{p}{q} \\alpha$' }] });
    // The previous one is removed when the page has rendered this one.
    await view.page.locator('[data-slot="agent:after"] .math-set').waitFor();
    assert.equal(await view.page.locator('.math-set mfrac').count(), 1);
    assert.match((await view.page.locator('.math-set .katex-html').textContent())!, /α/);
  });
});

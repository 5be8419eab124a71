import assert from 'node:assert/strict';
import type { SessionHappening } from '../../src/core/event';
import { View } from './support/view';

const RUN = 'window.hacked=1';

const HOSTILE = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">click</a>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<body onload="${RUN}">`,
  `<input autofocus onfocus="${RUN}">`,
  `<video><source onerror="${RUN}"></video>`,
  `<math><mtext><style><img src onerror="${RUN}"></style></mtext></math>`,
  `<style>*{display:none}</style>`,
  `<link rel=stylesheet href=https://evil.example/x.css>`,
  `<meta http-equiv=refresh content="0;url=https://evil.example">`,
  `<base href=https://evil.example/>`,
  `<form action=https://evil.example><button>Send</button></form>`,
  `<object data="https://evil.example"></object><embed src="https://evil.example">`,
  `[click](javascript:${RUN})`,
  `[click](JaVaScRiPt:${RUN})`,
  `[click](&#106;avascript:${RUN})`,
  `[click](javascript&colon;${RUN})`,
  `[click](<java\tscript:${RUN}>)`,
  `[click](vbscript:x)`,
  `[click](data:text/html,<script>${RUN}</script>)`,
  `[click](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D)`,
  `[click](vscode://file/etc/passwd)`,
  `[click](//evil.example/x)`,
  `[click](\\\\evil.example\\share)`,
  `[click](blob:https://evil.example/x)`,
  `<javascript:${RUN}>`,
  `[ref]\n\n[ref]: javascript:${RUN}`,
  `![x](https://evil.example/track.png)`,
  `![x](http://evil.example/track.png "title")`,
  `![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)`,
  `![x](data:text/html;base64,PHNjcmlwdD4=)`,
  `![x](javascript:${RUN})`,
  `[![x](https://evil.example/a.png)](javascript:${RUN})`,
  `[a](https://good.example" onmouseover="${RUN})`,
  `**<b onclick="${RUN}">bold</b>**`,
  '```html\n<script>window.hacked=1</script>\n```',
  '```"><img src=x onerror=window.hacked=1>\ncode\n```',
  `| <img src=x onerror=${RUN}> | b |\n|---|---|\n| <script>${RUN}</script> | [x](javascript:${RUN}) |`,
  `- [ ] <img src=x onerror=${RUN}>`,
  `> <svg/onload=${RUN}>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\u202Etxt.exe\u202C \u2066hidden\u2069`,
  `</script><script>${RUN}</script>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${RUN}</x:script>`,
];

describe('hostile text', function () {
  this.timeout(60_000);

  let view: View;
  before(async () => {
    view = await View.open('', { viewport: { width: 900, height: 2000 } });
  });
  after(() => view.close());

  for (const [index, text] of HOSTILE.entries()) {
    it(`runs nothing, loads nothing, goes nowhere: ${JSON.stringify(text)}`, async () => {
      await view.page.evaluate(() => window.playground.stage.restart());
      await view.ready();
      await view.happen(...everywhere(text, index));
      await view.page.locator('.unknown').waitFor();
      await view.page.evaluate(() => document.querySelectorAll<HTMLElement>('.log [aria-expanded=false], .plan [aria-expanded=false]').forEach((button) => button.click()));
      await view.painted();
      const found = await view.page.evaluate(() => {
        for (const link of document.querySelectorAll<HTMLElement>('.log a, .log .chip, .plan a')) {
          link.click();
          link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
          link.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        }
        const hostile = 'script, iframe, object, embed, style, link, meta, base, svg svg, [onerror], [onload], [onclick], [onfocus], [ontoggle], [srcdoc], [action], [style]';
        return {
          hacked: (window as unknown as { hacked?: number }).hacked,
          elements: [...document.querySelectorAll('.app *')].filter((element) => element.matches(hostile) && !element.matches('.page')).map((element) => element.outerHTML.slice(0, 80)),
          images: [...document.querySelectorAll<HTMLImageElement>('.app img')].map((image) => image.src).filter((src) => !/^data:image\/(png|jpeg|gif|webp);base64,/.test(src)),
          hrefs: document.querySelectorAll('.app [href]').length,
          bidi: /[\u202a-\u202e\u2066-\u2069]/.test(document.querySelector('.app')!.textContent!),
        };
      });
      assert.deepEqual(found, { hacked: undefined, elements: [], images: [], hrefs: 0, bidi: false });
      await view.painted();
      const opened = (await view.posted('open_link')).map((message) => message.href);
      assert.deepEqual(opened.filter((href) => /^\s*(javascript|vbscript|data|command|vscode|blob):|^\/\/|^\\\\/i.test(href)), []);
      assert.deepEqual(view.offences, []);
    });
  }

  it('does make links of what may be opened', async () => {
    assert.ok((await view.posted('open_link')).some((message) => message.href === 'https://evil.example/track.png'), 'a remote image is a link');
  });
});

function everywhere(text: string, index: number): SessionHappening[] {
  const block = { type: 'text', text } as const;
  const all: SessionHappening[] = [
    { type: 'message_chunk', role: 'agent', messageId: `a${index}`, content: block },
    { type: 'message', role: 'user', messageId: `u${index}`, content: [block] },
    {
      type: 'tool_call_update',
      toolCallId: `t${index}`,
      patch: {
        title: text,
        kind: text,
        status: 'failed',
        content: [
          { type: 'content', content: block },
          { type: 'diff', changes: [{ operation: text, path: text, oldText: 'a', newText: text }] },
        ],
        locations: [{ path: text }],
        rawInput: { text },
        rawOutput: text,
      },
    },
    { type: 'notice', noticeId: `n${index}`, severity: text, title: text, description: text },
    { type: 'unknown', unknownId: `x${index}`, label: text, raw: { text } },
  ];
  all.push(
      { type: 'permission_requested', permissionId: `p${index}`, title: text, description: text, options: [{ optionId: text, name: text, kind: text }], subject: { command: text, cwd: text } },
      { type: 'plan_update', planId: 'plan', plan: { type: 'markdown', content: text } },
      { type: 'session_info', title: text },
      { type: 'terminal_update', terminalId: `term${index}`, command: text, output: text },
  );
  return all;
}

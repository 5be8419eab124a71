import assert from 'node:assert/strict';
import type { FromView } from '../../src/core/protocol/view';
import { banners, entries, session } from './support/everywhere';
import { type Before, harmDone, look, openWatched } from './support/harm';
import { ENDLESS, LINK_TEXTS } from './support/hostileLinks';
import { TEXTS } from './support/hostileTexts';
import { View } from './support/view';

/** The messages that a click in an entry may post. The host checks each again. */
const ALLOWED: ReadonlySet<FromView['type']> = new Set([
  'ready',
  'resync',
  'bodies',
  'bulk',
  'copy',
  'typing',
  'draft',
  'page_state',
  'files',
  'insert_code',
  'apply_code',
  'open_link',
  'open_location',
  'open_diff',
  'open_content',
  'open_turn_file',
  'open_mention',
  'restore_checkpoint',
  'review_changes',
  'retry_prompt',
  'answer_permission',
  'card_sight',
  'answer_elicitation',
  'open_elicitation',
  'mark_ended',
  'stop_terminal',
  'stop_tool_call',
  'show_terminal',
  'action',
  'sign_in',
] as FromView['type'][]);

const SENTINEL = 'A sentence of another answer, which must stay as it is.';

describe('hostile text', function () {
  this.timeout(120_000);

  let view: View;

  before(async () => {
    view = await openWatched(600);
    // The command list stays open, to cover the names of commands.
    await view.page.getByRole('textbox', { name: 'Message' }).fill('/');
  });
  after(() => view.close());

  const inputs = Object.entries({ ...TEXTS, ...LINK_TEXTS }).flatMap(([group, texts]) =>
    texts.map((text) => [`${group}: ${JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}…` : text)}`, text] as const),
  );
  for (const [name, text] of [...inputs, ...Object.entries(ENDLESS)]) {
    it(`does nothing: ${name}`, () => harmless(text));
  }

  it('covers more than two hundred texts', () => {
    const all = [...inputs.map(([, text]) => text), ...Object.values(ENDLESS)];
    assert.ok(new Set(all).size >= 200, String(all.length));
  });

  async function harmless(text: string): Promise<void> {
    const found = await view.page.evaluate(
      async ([events, states, sentinel]) => {
        const { stage } = window.playground;
        const { look, harmDone } = window as unknown as { look(): Before; harmDone(before: Before): string[] };
        const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
        stage.posted.length = 0;
        stage.restart();
        const [opened, rest] = events;
        // Without a user message the page also shows its start screen.
        const asked = { type: 'message', role: 'user', messageId: 'asked', content: [{ type: 'text', text: 'Go on.' }] } as const;
        stage.happen(...opened, asked, {
          type: 'message',
          role: 'agent',
          messageId: 'sentinel',
          content: [{ type: 'text', text: sentinel }],
        });
        await painted();
        const before = look();
        stage.happen(...rest);
        await painted();
        for (let round = 0; round < 3; round++) {
          const closed = document.querySelectorAll<HTMLElement>(':is(.log, .plans) [aria-expanded=false]:not([aria-haspopup])');
          if (closed.length === 0) {
            break;
          }
          closed.forEach((button) => button.click());
          await painted();
        }
        const found = harmDone(before).map((each) => `opened: ${each}`);
        for (const element of document.querySelectorAll<HTMLElement>(
          '.log a, .log .chip, .log .link, .plans a, .log button:not([aria-expanded])',
        )) {
          element.click();
          element.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
          element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        }
        for (const state of states) {
          stage.happen(...state);
          await painted();
        }
        // The area above the composer takes its space from the log.
        found.push(...harmDone({ ...before, page: look().page }).map((each) => `clicked: ${each}`));
        return { found, posted: stage.posted };
      },
      [[session(text), entries(text)], banners(text), SENTINEL] as const,
    );
    assert.deepEqual(found.found, []);
    assert.deepEqual(
      found.posted.filter((message) => !ALLOWED.has(message.type)),
      [],
    );
    const opened = found.posted.flatMap((message) => (message.type === 'open_link' ? [message.href] : []));
    assert.deepEqual(
      opened.filter(
        (href) =>
          !/^(https?:\/\/|mailto:|file:\/\/)/i.test(href.trim()) &&
          /^\s*([a-z][a-z0-9+.-]+:(?!\d)|\/\/|\\\\|#)|[\u0000-\u001f]/i.test(href),
      ),
      [],
    );
    assert.deepEqual(view.offences.splice(0), []);
  }

  describe('detection of', () => {
    for (const [name, plant, expected] of [
      ['a script', () => document.querySelector('.log')!.append(document.createElement('script')), 'made: <script>'],
      ['what ran', () => Object.assign(window, { hacked: 1 }), 'something ran'],
      [
        'a style for the page',
        () =>
          document.adoptedStyleSheets.push(Object.assign(new CSSStyleSheet(), {})) &&
          document.adoptedStyleSheets.at(-1)!.insertRule('.composer { opacity: 0.5 }'),
        'the page looks different',
      ],
      [
        'what reaches out of its entry',
        () =>
          Object.assign(document.querySelector('.slot')!.appendChild(document.createElement('div')), {
            textContent: 'x',
          }).style.setProperty('width', '3000px'),
        'outside its entry',
      ],
      [
        'an address',
        () => document.querySelector('.log')!.append(Object.assign(document.createElement('a'), { href: 'https://evil.example' })),
        'an address',
      ],
      ['a request', () => void (document.createElement('img').src = 'https://evil.example/x.png'), undefined],
    ] as const) {
      it(name, async () => {
        const other = await View.open('', { viewport: { width: 900, height: 1000 } });
        try {
          await other.ready();
          await other.happen({ type: 'message', role: 'agent', messageId: 'sentinel', content: [{ type: 'text', text: SENTINEL }] });
          await other.page.getByText(SENTINEL).first().waitFor();
          await other.page.evaluate(`window.look = ${look}; window.harmDone = ${harmDone}; window.before = look()`);
          await other.page.evaluate(plant as () => unknown);
          await other.painted();
          const found = (await other.page.evaluate('harmDone(window.before)')) as string[];
          if (expected) {
            assert.ok(
              found.some((each) => each.startsWith(expected)),
              found.join('\n'),
            );
          } else {
            assert.ok(
              other.offences.some((each) => each.includes('CSP')),
              other.offences.join('\n'),
            );
          }
        } finally {
          await other.close();
        }
      });
    }
  });
});

/** One page with two running sessions: each keeps its state, and nothing of one is visible or announced in the other. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { OfGeneration } from '../../src/core/protocol/generation';
import type { FromView, ToView } from '../../src/core/protocol/view';
import { eachInItsOwnDocument, type View } from './support/view';

type Key = 'one' | 'two';

const say = (messageId: string, text: string): EventInput => ({
  type: 'message_chunk',
  role: 'agent',
  messageId,
  content: { type: 'text', text },
});
const opened = (agentName: string, title: string): EventInput[] => [
  { type: 'session_opened', agentName, cwd: '/home/ada/sample' },
  {
    type: 'agent_initialized',
    protocolVersion: 1,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    authMethods: [],
  },
  { type: 'session_ready', sessionId: agentName },
  { type: 'session_info', title },
];

describe('a page that switches between sessions', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnDocument(
    (each) => (view = each),
    async () => {
      await happen('one', ...opened('Ada', 'The first'));
      await happen('two', ...opened('Bob', 'The second'));
    },
  );

  const happen = (key: Key, ...events: EventInput[]) =>
    view.page.evaluate(([to, all]) => window.playground.sessions.stage(to).happen(...all), [key, events] as const);
  const switchTo = async (key: Key): Promise<void> => {
    await view.page.evaluate((to) => window.playground.sessions.switchTo(to), key);
    await view.page.getByRole('heading', { name: key === 'one' ? 'The first' : 'The second' }).waitFor();
    await view.painted();
  };
  const log = () => view.page.getByRole('log', { name: 'Conversation' });
  const box = () => view.page.getByRole('textbox', { name: 'Message' });
  const heard = () => view.page.locator('main > .sr-only').evaluateAll((all) => all.map((each) => each.textContent ?? '').join('|'));
  const focused = () =>
    view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '');
  const posted = async <T extends FromView['type']>(key: Key, type: T): Promise<Extract<FromView, { type: T }>[]> => {
    const all = await view.page.evaluate((of) => window.playground.sessions.stage(of).posted, key);
    return all.filter((message): message is Extract<FromView, { type: T }> => message.type === type);
  };

  it('shows each with its own text while both stream', async () => {
    await view.page.evaluate(() => {
      for (const [key, word] of [
        ['one', 'apple'],
        ['two', 'brick'],
      ] as const) {
        const stage = window.playground.sessions.stage(key);
        stage.happen({ type: 'turn_started', turnId: key });
        let count = 0;
        setInterval(
          () =>
            stage.happen({ type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: `${word}${++count} ` } }),
          5,
        );
      }
    });
    for (const [key, own, other] of [
      ['two', /brick\d+/, 'apple'],
      ['one', /apple\d+/, 'brick'],
      ['two', /brick\d+/, 'apple'],
      ['one', /apple\d+/, 'brick'],
    ] as const) {
      await switchTo(key);
      await log().getByText(own).first().waitFor();
      const text = await log().innerText();
      assert.ok(!text.includes(other), text.slice(-200));
      const count = (words: string) => (words.match(own.source === 'brick\\d+' ? /brick/g : /apple/g) ?? []).length;
      await view.page.waitForFunction(
        ([least]) => (document.querySelector('.log')!.textContent!.match(/apple|brick/g) ?? []).length > least!,
        [count(text)],
      );
      // The words are numbered, so a missing one would show.
      const numbers = [...(await log().innerText()).matchAll(/(?:apple|brick)(\d+)/g)].map(([, number]) => Number(number));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
      );
      assert.ok(await view.page.getByRole('button', { name: 'Stop', exact: true }).isVisible());
    }
  });

  it('keeps text, attachments and the position of the cursor', async () => {
    await box().fill('for the first');
    await box().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 7));
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a.ts', name: 'a.ts' }] });
    await switchTo('two');
    assert.equal(await box().inputValue(), '');
    assert.equal(await view.page.getByText('a.ts').count(), 0);
    assert.equal(await focused(), 'Message');
    await view.page.keyboard.type('for the second');
    await switchTo('one');
    assert.equal(await box().inputValue(), 'for the first');
    assert.deepEqual(await box().evaluate((element: HTMLTextAreaElement) => [element.selectionStart, element.selectionEnd]), [4, 7]);
    assert.equal(await view.page.getByText('a.ts').count(), 1);
    await view.page.keyboard.press('Enter');
    await switchTo('two');
    assert.equal(await box().inputValue(), 'for the second');
    // Each message went to its own session, and so did the draft.
    const [prompt] = await posted('one', 'prompt');
    assert.deepEqual(prompt?.content[0], { type: 'text', text: 'for the first' });
    assert.deepEqual(await posted('two', 'prompt'), []);
    const drafts = await posted('two', 'draft');
    assert.deepEqual(drafts.at(-1)?.content, [{ type: 'text', text: 'for the second' }]);
  });

  it('leaves the focus outside when the page did not have it', async () => {
    await view.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await switchTo('two');
    assert.equal(await focused(), 'BODY');
    await log().focus();
    await switchTo('one');
    assert.equal(await focused(), 'Message');
  });

  it('keeps expanded parts and a half-filled form', async () => {
    const thought: EventInput = {
      type: 'message',
      role: 'thought',
      messageId: 't',
      content: [{ type: 'text', text: 'Deep inside' }],
    };
    const form: EventInput = {
      type: 'elicitation_requested',
      requestKey: 'e1',
      message: 'Which?',
      body: { mode: 'form', fields: [{ name: 'name', title: 'Name', type: 'string', required: false }] },
    };
    // Both sessions use the same ids.
    for (const key of ['one', 'two'] as const) {
      await happen(key, thought, say('a', 'An answer.'), form);
    }
    const fold = view.page.getByRole('button', { name: /^Thought/ });
    const name = view.page.getByRole('textbox', { name: 'Name' });
    await fold.click();
    await log().getByText('Deep inside').waitFor();
    await name.fill('of the first');
    await switchTo('two');
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    assert.equal(await name.inputValue(), '');
    await name.fill('of the second');
    await switchTo('one');
    assert.equal(await fold.getAttribute('aria-expanded'), 'true');
    assert.equal(await name.inputValue(), 'of the first');
    await switchTo('two');
    assert.equal(await name.inputValue(), 'of the second');
    // The form was answered while it was not shown: its values are dropped.
    await happen('one', { type: 'elicitation_resolved', requestKey: 'e1', outcome: 'withdrawn' });
    await switchTo('one');
    assert.equal(await name.count(), 0);
  });

  it('returns to the user’s position, though the conversation has grown', async () => {
    const many = (from: number, to: number): EventInput[] =>
      Array.from({ length: to - from }, (_, index) =>
        say(`m${from + index}`, `Message ${from + index}. ${'Words of it. '.repeat((index * 13) % 90)}`),
      );
    await happen('one', ...many(0, 300));
    await happen('two', ...many(0, 50));
    await log().getByText('Message 299.').waitFor();
    const top = () =>
      log().evaluate((element) => {
        const edge = element.getBoundingClientRect().top;
        const entry = [...element.querySelectorAll<HTMLElement>('[data-slot]')].find(
          (each) => each.getBoundingClientRect().bottom > edge + 1,
        )!;
        return { slot: entry.dataset.slot, offset: Math.round(entry.getBoundingClientRect().top - edge) };
      });
    const settled = () =>
      log().evaluate(async (element) => {
        for (let still = 0, last = ''; still < 12; ) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const now = `${element.scrollHeight} ${element.scrollTop}`;
          still = now === last ? still + 1 : 0;
          last = now;
        }
      });
    await settled();
    await log().hover();
    for (let step = 0; step < 12; step++) {
      await view.page.mouse.wheel(0, -700);
      await view.painted();
    }
    await settled();
    const before = await top();
    assert.notEqual(before.slot, undefined);
    await switchTo('two');
    await log().getByText('Message 49.').waitFor();
    await settled();
    assert.ok(
      await log().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 33),
      'at the end, the first time',
    );
    await happen('one', ...many(300, 330));
    await switchTo('one');
    await settled();
    const after = await top();
    assert.equal(after.slot, before.slot);
    assert.ok(Math.abs(after.offset - before.offset) <= 2, JSON.stringify([before, after]));
    assert.ok(await view.page.getByRole('button', { name: 'Jump to latest' }).isVisible());
    await switchTo('two');
    await settled();
    assert.ok(
      await log().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 33),
      'it followed the end',
    );
    await happen('two', say('new', 'The newest.'));
    await log().getByText('The newest.').waitFor();
    await settled();
    assert.ok(await log().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 33), 'and goes on to');
  });

  it('announces the new session’s title once, and nothing of the previous session', async () => {
    await happen('one', { type: 'turn_started', turnId: 't' });
    await view.painted();
    assert.match(await heard(), /Ada is working/);
    await happen('one', say('a', 'First sentence of the first. '));
    await happen('two', { type: 'turn_started', turnId: 't' }, say('a', 'First sentence of the second. '));
    // In one task: the announcement of the next frame must not belong to the previous session.
    await view.page.evaluate(() => {
      window.playground.sessions.stage('one').happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
      window.playground.sessions.switchTo('two');
    });
    await view.page.getByRole('heading', { name: 'The second' }).waitFor();
    await view.painted();
    await view.page.waitForTimeout(300);
    assert.equal(await heard(), 'The second|');
    await happen('two', say('a', 'Another of the second. '));
    await view.page.locator('main > .sr-only').getByText('Another of the second.').waitFor({ state: 'attached' });
    await view.page.evaluate(() => window.playground.sessions.stage('two').snapshot([]));
    await view.painted();
    assert.equal((await heard()).match(/The second/g)?.length, 1, await heard());
    await switchTo('one');
    assert.equal(await heard(), 'The first|');
  });

  it('ignores late messages of an earlier showing, whatever their type', async () => {
    await happen('one', say('a', 'Words of the first.'));
    await switchTo('two');
    const before = await view.page.locator('main').innerHTML();
    const late: ToView[] = [
      { type: 'events', seq: 4, next: 5, events: [{ ...say('l', 'Late words.'), at: 1 } as never] },
      {
        type: 'bodies',
        seq: 4,
        bodies: [{ kind: 'message', entryId: 'agent:a', at: 1, updatedAt: 1, role: 'agent', messageId: 'a', content: [] }],
      },
      { type: 'restore_text', text: 'Late text' },
      { type: 'draft', at: 1e15, content: [{ type: 'text', text: 'Late draft' }] },
      { type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///late.ts', name: 'late.ts' }] },
      { type: 'page', folderName: 'late', multiRoot: true },
      { type: 'open_find' },
      { type: 'focus', target: 'permission' },
    ];
    await view.page.evaluate((all) => {
      for (const message of all) {
        window.playground.deliver({ ...message, generation: window.playground.sessions.current - 1 } as OfGeneration<typeof message>);
      }
    }, late);
    await view.painted();
    await view.page.waitForTimeout(200);
    assert.equal(await view.page.locator('main').innerHTML(), before);
    assert.equal(await box().inputValue(), '');
  });

  it('delays the answers of a question’s card again, so that no click meant for another session answers it', async () => {
    const ask: EventInput = {
      type: 'permission_requested',
      permissionId: 'p1',
      title: 'Run it',
      options: [{ optionId: 'allow', name: 'Allow it', kind: 'allow_once' }],
      subject: {},
    };
    await happen('one', ask);
    await happen('two', ask);
    const allow = view.page.getByRole('button', { name: 'Allow it' });
    await allow.waitFor();
    await view.page.waitForTimeout(700);
    // Clicks in the frame in which this card appears, like a user about to click the other card.
    await view.page.evaluate(async () => {
      const button = () => [...document.querySelectorAll('button')].find((each) => each.textContent?.includes('Allow it'));
      const before = button()!;
      const { x, y } = before.getBoundingClientRect();
      window.playground.sessions.switchTo('two');
      while (button() === undefined || button() === before) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      button()!.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, clientX: x + 5, clientY: y + 5 }));
    });
    assert.deepEqual(await posted('two', 'answer_permission'), []);
    assert.deepEqual(await posted('one', 'answer_permission'), []);
    await view.page.waitForTimeout(700);
    await allow.click();
    await view.page.waitForFunction(() => window.playground.sessions.stage('two').posted.some(({ type }) => type === 'answer_permission'));
    assert.deepEqual(await posted('one', 'answer_permission'), []);
  });

  it('keeps the search text and the current match', async () => {
    await happen('one', say('a', 'needle one'), say('b', 'needle two'), say('c', 'needle three'));
    await happen('two', say('a', 'haystack'));
    await view.send({ type: 'open_find' });
    const count = (words: string) => view.page.locator('.find-count', { hasText: words }).waitFor();
    const field = view.page.getByRole('searchbox', { name: 'Find in conversation' });
    await field.fill('needle');
    await count('1 of 3');
    await view.page.keyboard.press('Enter');
    await count('2 of 3');
    await switchTo('two');
    assert.equal(await field.count(), 0);
    await switchTo('one');
    assert.equal(await field.inputValue(), 'needle');
    await count('2 of 3');
    assert.equal(await focused(), 'Message');
  });

  it('shows the same session again after a reload', async () => {
    await box().fill('of the first');
    await switchTo('two');
    await box().fill('of the second');
    await view.page.waitForTimeout(300);
    const kept = await view.page.evaluate(
      () => JSON.parse(sessionStorage.getItem('playground.view')!) as { shown: string; sessions: unknown[] },
    );
    assert.equal(kept.shown, 'two');
    assert.equal(kept.sessions.length, 2);
    await view.page.reload();
    await view.page.waitForFunction(() => window.playground.sessions.current > 0);
    // This host only knows the first session, and the host decides.
    assert.equal(await box().inputValue(), 'of the first');
    await view.page.evaluate(() => window.playground.sessions.switchTo('two'));
    await view.painted();
    assert.equal(await box().inputValue(), 'of the second');
  });
});

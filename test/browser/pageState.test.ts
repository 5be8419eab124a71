/** The view state of a session moves to the next page that shows it. A page may show no session. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { FromView } from '../../src/core/protocol/view';
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

describe('another page of a session', function () {
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
  const posted = async <T extends FromView['type']>(key: Key, type: T): Promise<Extract<FromView, { type: T }>[]> => {
    const all = await view.page.evaluate((of) => window.playground.sessions.stage(of).posted, key);
    return all.filter((message): message is Extract<FromView, { type: T }> => message.type === type);
  };

  it('continues at the user’s position, with its expanded parts, half-filled form and search', async () => {
    // The other page knows only the session data that the host sends.
    const form: EventInput = {
      type: 'elicitation_requested',
      requestKey: 'e1',
      message: 'Which?',
      body: { mode: 'form', fields: [{ name: 'name', title: 'Name', type: 'string', required: false }] },
    };
    const all: EventInput[] = [
      ...Array.from({ length: 80 }, (_, index) => say(`m${index}`, `Message ${index}. ${'Words of it. '.repeat((index * 13) % 90)}`)),
      { type: 'message', role: 'thought', messageId: 't', content: [{ type: 'text', text: 'Deep inside' }] },
      ...Array.from({ length: 10 }, (_, index) => say(`n${index}`, `Needle ${index}.`)),
      form,
    ];
    await happen('one', ...all);
    await view.page.getByRole('textbox', { name: 'Name' }).fill('half a name');
    await view.page.getByRole('button', { name: /^Thought/ }).click();
    await log().getByText('Deep inside').waitFor();
    await view.send({ type: 'open_find' });
    const field = view.page.getByRole('searchbox', { name: 'Find in conversation' });
    await field.fill('needle');
    await view.page.locator('.find-count', { hasText: 'of 10' }).waitFor();
    await log().hover();
    const place = () =>
      log().evaluate(async (element) => {
        for (let still = 0, last = ''; still < 12; ) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const now = `${element.scrollHeight} ${element.scrollTop}`;
          still = now === last ? still + 1 : 0;
          last = now;
        }
        const edge = element.getBoundingClientRect().top;
        const entry = [...element.querySelectorAll<HTMLElement>('[data-slot]')].find(
          (each) => each.getBoundingClientRect().bottom > edge + 1,
        )!;
        return { slot: entry.dataset.slot, offset: Math.round(entry.getBoundingClientRect().top - edge) };
      });
    for (let step = 0; step < 8; step++) {
      await view.page.mouse.wheel(0, -500);
      await view.painted();
    }
    const before = await place();
    await switchTo('two');
    const state = (await posted('one', 'page_state')).at(-1)!.state;
    // The same conversation with a key that this page has never shown.
    await view.page.evaluate(
      ([events, kept]) => {
        const { sessions } = window.playground;
        sessions.stage('three').happen(...events);
        sessions.switchTo('three', kept);
      },
      [[...opened('Ada', 'The third'), ...all], state] as const,
    );
    await view.page.getByRole('heading', { name: 'The third' }).waitFor();
    const after = await place();
    assert.equal(after.slot, before.slot);
    assert.ok(Math.abs(after.offset - before.offset) <= 2, JSON.stringify([before, after]));
    assert.equal(await field.inputValue(), 'needle');
    await view.page.locator('.find-count', { hasText: 'of 10' }).waitFor();
    await view.page.getByRole('button', { name: 'Jump to latest' }).click();
    assert.equal(await view.page.getByRole('textbox', { name: 'Name' }).inputValue(), 'half a name');
    await log().getByText('Deep inside').waitFor();
    assert.equal(await box().inputValue(), '', 'the draft goes by a way of its own');
  });

  it('changes from no session to one and back, each with its own state', async () => {
    await box().fill('kept');
    await view.page.evaluate(() => window.playground.sessions.showNone());
    await view.page.getByRole('button', { name: 'New Session', exact: true }).waitFor();
    assert.equal(await box().count(), 0);
    assert.equal(await log().count(), 0);
    await switchTo('one');
    assert.equal(await box().inputValue(), 'kept');
    assert.equal(await view.page.getByRole('button', { name: 'Try the Demo Agent' }).count(), 0);
  });
});

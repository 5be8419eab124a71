/** Earlier sessions in the view: loading them, the offer to resume them, and their folders. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { keepPicture, root, View } from './support/view';
import { chunk, initialized as initializedOf, NO_CAPABILITIES } from '../support/events';

const initialized = (resume: boolean) => initializedOf({ offers: { ...NO_CAPABILITIES, resume } });
const conversation: EventInput[] = [{ type: 'session_ready', sessionId: 'S' }, chunk('said before', 'a')];

describe('an earlier session in the view', function () {
  this.timeout(60_000);
  let view: View;

  beforeEach(async () => {
    view = await View.open();
  });

  afterEach(async () => {
    const { offences } = view;
    await view.close();
    assert.deepEqual(offences, []);
  });

  const opened = (further: readonly string[] = []): EventInput => ({
    type: 'session_opened',
    agentName: 'Keeper',
    cwd: '/home/ada/sample',
    additionalDirectories: further,
    sessionId: 'S',
  });
  const banner = (name: string) => view.page.getByRole('group', { name });
  const actions = async () => (await view.postedAtLeast('action')).map(({ action }) => action);

  it('shows how many updates have been loaded', async () => {
    await view.happen(opened(), { type: 'start_progress', command: 'keeper' }, { type: 'start_progress', command: 'keeper', updates: 1 });
    await view.page.getByText('Loading the conversation… 1 update so far').waitFor();
    await view.happen({ type: 'start_progress', command: 'keeper', updates: 4321 });
    await view.page.getByText('Loading the conversation… 4321 updates so far').waitFor();
    await view.happen({ type: 'session_ready', sessionId: 'S' });
    await view.page.getByText('Loading the conversation').waitFor({ state: 'detached' });
  });

  it('is not announced when it loads: its messages are old', async () => {
    const heard = view.page.getByRole('status');
    await view.happen(opened(), { type: 'start_progress', command: 'keeper', updates: 1 });
    await view.page.getByText('Loading the conversation').waitFor();
    await view.happen(initialized(false), ...conversation.slice(1), { type: 'session_ready', sessionId: 'S' });
    await heard.getByText('Keeper is ready').waitFor();
    await view.happen(
      { type: 'message_chunk', role: 'agent', messageId: 'b', content: { type: 'text', text: 'Said now. ' } },
      { type: 'usage', usage: { used: 1, size: 2 } },
    );
    await heard.getByText('Said now.').waitFor();
    assert.doesNotMatch((await heard.textContent())!, /said before/);
  });

  it('can only be read in Restricted Mode, and offers to trust the folder', async () => {
    await view.happen(opened(), initialized(true), ...conversation, { type: 'disconnected', failure: { code: 'session.restricted_mode' } });
    const restricted = banner('Disconnected').filter({ hasText: 'This conversation is read-only' });
    await restricted.getByText("Agents don't start in Restricted Mode. Trust this folder to use them.").waitFor();
    assert.deepEqual(await restricted.getByRole('button').allInnerTexts(), ['Trust Folder…']);
    await restricted.getByRole('button').click();
    assert.deepEqual(await actions(), ['trust_folder']);
    assert.equal(await view.page.getByRole('button', { name: 'Send', exact: true }).isEnabled(), false);
    await keepPicture(view.page, path.join(root, 'test-results', 'restricted.png'));
  });

  it('gives the reason when it cannot be opened, and offers a new session', async () => {
    await view.happen(opened(), initialized(true), {
      type: 'session_failed',
      failure: { code: 'request.failed', params: { method: 'session/load' }, detail: 'no such file' },
    });
    const failed = banner("Couldn't open the earlier session");
    await failed.getByText("Keeper couldn't load the session.").waitFor();
    await failed.getByText('no such file').waitFor();
    assert.deepEqual(await failed.locator('.options').getByRole('button').allInnerTexts(), [
      'Retry',
      'Continue in New Session',
      'Show Log',
    ]);
  });

  it('from a closed window is resumed by its button, or by sending a message', async () => {
    await view.happen(opened(), initialized(true), ...conversation, { type: 'disconnected', failure: { code: 'session.interrupted' } });
    const lost = banner('Disconnected');
    await lost.getByText('Disconnected', { exact: true }).waitFor();
    assert.deepEqual(await lost.getByRole('button').allInnerTexts(), ['Resume', 'Continue in New Session']);
    await lost.getByText('Send a message to resume this session.').waitFor();
    assert.equal(await view.page.getByText('Send a message to resume this session.').count(), 1);
    const composer = view.page.getByRole('textbox', { name: 'Message', exact: true });
    assert.match((await composer.getAttribute('placeholder'))!, /^Ask Keeper/);
    await composer.fill('and now?');
    await composer.press('Enter');
    assert.deepEqual((await view.postedAtLeast('prompt'))[0]?.content, [{ type: 'text', text: 'and now?' }]);
    await lost.getByRole('button', { name: 'Resume' }).click();
    assert.deepEqual(await actions(), ['resume']);
  });

  it('with queued messages is resumed by one button beside them', async () => {
    await view.happen(
      opened(),
      initialized(true),
      ...conversation,
      { type: 'message_queued', queueId: 'q', content: [{ type: 'text', text: 'and then?' }], size: 9 },
      { type: 'disconnected', failure: { code: 'session.interrupted' } },
    );
    const resume = view.page.getByRole('button', { name: /Resume/ });
    await view.page.getByText('Disconnected · Queue paused').waitFor();
    assert.deepEqual(await resume.allInnerTexts(), ['Resume Queue']);
    assert.equal(await banner('Disconnected').count(), 0);
    assert.equal(await view.page.getByText('Send a message to resume').count(), 0);
    const composer = view.page.getByRole('textbox', { name: 'Message', exact: true });
    assert.equal(
      await composer.evaluate(
        (element) => (element as HTMLTextAreaElement & { ariaDescribedByElements: Element[] }).ariaDescribedByElements[0]?.textContent,
      ),
      'Disconnected · Queue paused',
    );
    await resume.click();
    assert.equal((await view.postedAtLeast('resume_queue')).length, 1);
    // Once the queue is empty, the session's own button is shown again.
    await view.happen({ type: 'queued_message_removed', queueId: 'q' });
    await banner('Disconnected').getByRole('button', { name: 'Resume', exact: true }).waitFor();
  });

  it('reports a turn broken off by closing the window, once, whatever else is offered', async () => {
    const end = { type: 'disconnected', failure: { code: 'session.interrupted' } } as const;
    const words = view.page.locator('.transcript, .dock').getByText('Interrupted: the window was closed or reloaded.');
    const begun = { type: 'turn_started', turnId: 'broken' } as const;
    await view.happen(opened(), initialized(true), ...conversation, begun, end);
    await banner('Disconnected').getByRole('button', { name: 'Resume' }).waitFor();
    assert.equal(await words.count(), 1);
    assert.equal(await view.page.getByRole('group', { name: 'End of turn' }).getByText('Interrupted: the window').count(), 1);
    const queued = { type: 'message_queued', queueId: 'q', content: [{ type: 'text', text: 'and then?' }], size: 9 } as const;
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.happen(opened(), initialized(true), ...conversation, begun, queued, end);
    await view.page.getByText('Disconnected · Queue paused').waitFor();
    assert.equal(await words.count(), 1);
    // A session that cannot be resumed shows it in its banner.
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.happen(opened(), initialized(false), ...conversation, begun, end);
    await banner('Disconnected').getByText('This conversation is read-only').waitFor();
    assert.equal(await banner('Disconnected').getByText('Interrupted: the window').count(), 1);
  });

  it('keeps its text when it cannot be resumed', async () => {
    for (const failure of [{ code: 'session.interrupted' }, { code: 'session.agent_removed', params: { agent: 'Keeper' } }] as const) {
      await view.happen(opened(), initialized(failure.code === 'session.agent_removed'), ...conversation, {
        type: 'disconnected',
        failure,
      });
      await banner('Disconnected').getByText('This conversation is read-only').waitFor();
      assert.deepEqual(await banner('Disconnected').getByRole('button').allInnerTexts(), ['Continue in New Session']);
    }
    await view.page.getByText('Keeper is no longer configured.').waitFor();
    const composer = view.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('hello?');
    await composer.press('Enter');
    await view.page.locator('.composer-hint', { hasText: "Agent isn't connected. Your message was not sent." }).waitFor();
    assert.equal(await composer.inputValue(), 'hello?');
  });

  it('can be resumed after the user has ended it', async () => {
    await view.happen(opened(), initialized(true), ...conversation, { type: 'session_ended' });
    await banner('This session has ended.').getByRole('button', { name: 'Resume' }).click();
    assert.deepEqual(await actions(), ['resume']);
  });

  it('lists its further folders', async () => {
    await view.happen(opened(['/home/ada/lib', '/srv/docs']), initialized(true), ...conversation);
    const header = view.page.locator('.header');
    await header.getByText('2 more folders').waitFor();
    assert.match((await header.textContent())!, /2 more folders: lib, docs/);
    assert.equal(await header.getByText('2 more folders').getAttribute('title'), '/home/ada/lib\n/srv/docs');
    await view.happen(opened(['/srv/docs']), ...conversation);
    await header.getByText('1 more folder').waitFor();
    await view.happen(opened(), ...conversation);
    await header.getByText('more folder').waitFor({ state: 'detached' });
  });
});

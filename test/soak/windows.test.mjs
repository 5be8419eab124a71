// Two windows of one workspace: one of them owns a session, the other says so and can read it. A session released by the first can be
// continued by the second.
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script } from '../e2e/agents.mjs';
import { openWorkspace, theStage } from '../e2e/stage.mjs';
import { journals, recorded, saidIn, storeOf } from './recorded.mjs';

const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };

describe('two windows of one workspace', function () {
  this.timeout(400_000);
  const agent = recorded(resumes, 'windows');
  let first;
  let second;
  let folder;
  let store;

  before(async () => {
    const { dir, browser, server } = await theStage();
    store = storeOf(dir);
    ({ window: first, folder } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Keeper: agent.entry } },
      prepare: async (workspace) => {
        rmSync(store, { recursive: true, force: true, maxRetries: 5 });
        return workspace;
      },
    }));
    second = await openWindow(browser, server.url);
    await second.openFolder(folder);
  });
  after(() => second.close());

  const button = (conversation, name) => conversation.frame.getByRole('button', { name, exact: true });
  const sent = (method) => agent.wire().filter(({ to, message }) => to === 'agent' && message.method === method);
  const openIn = async (window, title) => {
    await window.command('ACP: Open Session…');
    await window.pickRow(title);
    await window.panel();
    return new Conversation(window);
  };
  const sessionRow = (window, title) => window.page.locator('.sidebar .monaco-list-row', { hasText: title }).first();
  const journalOf = (title) => [...journals(store)].filter(([, lines]) => saidIn(lines).some((each) => each.includes(title)));
  const goOn = join(tempDir('windows'), 'go-on');

  it('a session owned by one is marked in the other, readable there, and not written by it', async () => {
    const one = await newSession(first, 'Keeper');
    await one.prompt(`Works on ${script({ say: 'The first words.' }, { waitFile: goOn }, { say: ' The last words.' })}`);
    await until('its words', async () => (await one.log.innerText()).split('The first words.').length === 3);

    await second.command('View: Show ACP Host').catch(() => second.command('ACP Host: Focus on Sessions View'));
    await sessionRow(second, 'Works on').waitFor();
    await until('the list to say so', async () =>
      /open in another window/.test((await sessionRow(second, 'Works on').getAttribute('aria-label')) ?? ''),
    );
    await second.screenshot('windows/list');
    await second.command('ACP: Open Session…');
    const row = second.page.locator(quickRows).filter({ hasText: 'Works on' });
    await row.waitFor();
    assert.match(await row.innerText(), /open in another window/);
    await second.dismiss();

    const other = await openIn(second, 'Works on');
    await other.frame.getByText('This session is open in another window.').first().waitFor();
    await button(other, 'Continue Here').waitFor();
    await second.screenshot('windows/read');
    await other.composer.fill('Not from here');
    await other.composer.press('Enter');
    await wait(1000);
    assert.equal(sent('session/prompt').length, 1, 'the other window has sent something');

    writeFileSync(goOn, '');
    await one.turnEnd();
    await wait(1000);
    await until('the list to say so of one that rests', async () =>
      /open in another window/.test((await sessionRow(second, 'Works on').getAttribute('aria-label')) ?? ''),
    );
    const [[, lines], ...more] = journalOf('Works on');
    assert.equal(more.length, 0, 'two journals of one session');
    assert.deepEqual(
      lines.slice(1).map(({ seq }) => seq),
      lines.slice(1).map((_, at) => at),
      'somebody else has written into it',
    );
  });

  it('the other takes it over when the user confirms; the first says so and stops', async () => {
    const other = new Conversation(second);
    await button(other, 'Continue Here').click();
    await until('it to be here', async () => (await button(other, 'Continue Here').count()) === 0);
    const one = new Conversation(first);
    await one.frame.getByText('This session is open in another window.').first().waitFor();
    await first.screenshot('windows/left');
    await until('the whole conversation', async () => (await other.log.innerText()).includes('The last words.'));
    await other.composer.fill('');
    await other.prompt(`Here now ${script({ say: 'Said in the second window.' })}`);
    await until('the answer', async () => (await other.log.innerText()).split('Said in the second window.').length === 3);
    await other.turnEnd();
    assert.equal((await other.log.innerText()).split('The first words.').length, 3);
    const [[, lines]] = journalOf('Works on');
    assert.equal(saidIn(lines).filter((each) => each.includes('Here now')).length, 1);
  });

  it('closing one releases its sessions', async () => {
    await second.close();
    // The neighbour extension acts on the window that was opened last.
    await first.command('View: Close All Editors');
    await first.editorsClosed();
    const one = await openIn(first, 'Works on');
    await until('the answer of the other window', async () => (await one.log.innerText()).split('Said in the second window.').length === 3);
    assert.equal(await one.frame.getByText('This session is open in another window.').count(), 0);
    await one.prompt(`Back ${script({ say: 'And back.' })}`);
    await until('the answer', async () => (await one.log.innerText()).split('And back.').length === 3);
    await one.turnEnd();
    assert.equal(sent('session/prompt').length, 3);
    const [[file, lines], ...more] = journalOf('Works on');
    assert.equal(more.length, 0);
    assert.ok(existsSync(file));
    assert.equal(saidIn(lines).filter((each) => each.startsWith('user:')).length, 3);
    await first.command('ACP: End Session');
  });
});

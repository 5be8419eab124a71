// Earlier sessions: an agent's list, a conversation that is reopened, one that is deleted. Pictures go to test-results/earlier/.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { noneLeft, processesOf, script, scripted } from '../e2e/agents.mjs';
import { clearWindow, openWorkspace, opens, runCommands, startCommand } from '../e2e/stage.mjs';

const said = (who, text) => ({ update: { sessionUpdate: `${who}_message_chunk`, content: { type: 'text', text } } });
const capabilities = (...names) => ({
  agentCapabilities: {
    loadSession: names.includes('load'),
    sessionCapabilities: Object.fromEntries(names.filter((name) => name !== 'load').map((name) => [name, {}])),
  },
});
const hoursAgo = (hours) => new Date(Date.now() - hours * 3_600_000).toISOString();

const stored = [
  {
    sessionId: 'calc',
    title: 'Fix the calculator',
    updatedAt: hoursAgo(2),
    replay: [
      said('user', 'Please fix the calculator'),
      { think: 'It subtracts.' },
      { tool: { toolCallId: 'edit', title: 'Edit calc.js', kind: 'edit', status: 'completed' } },
      said('agent', 'The calculator adds now.'),
    ],
  },
  { sessionId: 'docs', title: 'Write the docs', updatedAt: hoursAgo(30), cwd: '/srv/elsewhere' },
  { sessionId: 'junk', title: 'Throw me away', updatedAt: hoursAgo(200) },
];

const agents = {
  Keeper: scripted(
    {
      initialize: capabilities('list', 'load', 'resume', 'delete', 'close'),
      stored: [...stored, ...Array.from({ length: 130 }, (_, n) => ({ sessionId: `more-${n}`, title: `Older ${n}` }))],
      pageSize: 20,
    },
    'keeper',
  ),
  Forgetful: scripted({}, 'forgetful'),
  Guarded: scripted(
    {
      initialize: {
        ...capabilities('list', 'load'),
        authMethods: [{ id: 'browser', name: 'Browser', description: 'Opens the sign-in page' }],
      },
      account: { needed: ['session/list'] },
      stored: [{ sessionId: 'door', title: 'Kept behind a door' }],
    },
    'guarded',
  ),
};

describe('earlier sessions', () => {
  let window;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  };
  opens(open);
  beforeEach(clearWindow);

  const picture = (name) => window.screenshot(`earlier/${name}`);
  const rowOf = (title) =>
    window.page
      .locator(quickRows)
      .filter({ has: window.page.locator('.label-name', { hasText: title }) })
      .first();
  const button = (conversation, name) => conversation.frame.getByRole('button', { name, exact: true });
  const times = async (conversation, text) => (await conversation.log.innerText()).split(text).length - 1;

  /** The list of an agent's sessions, filled. */
  async function listOf(agent) {
    await startCommand('acpHost.openAgentSession');
    await window.pickRow(agent);
  }

  it('an agent’s session is listed, replayed and continued, and is the same one when reopened', async () => {
    await window.command('ACP: Open Session…');
    await window.pickRow('Browse Agent History…');
    await window.pickRow('Keeper');
    await rowOf('Fix the calculator').waitFor();
    await picture('list');
    assert.match(await rowOf('Fix the calculator').innerText(), /2 hours ago/);
    await window.pickRow('Fix the calculator');
    await window.panel();
    const conversation = new Conversation(window);
    await conversation.says('The calculator adds now.');
    await window.tab('Fix the calculator').waitFor();
    await picture('loaded');
    assert.equal(await times(conversation, 'Please fix the calculator'), 1);
    assert.match(await conversation.toolCall('Edit calc.js').getAttribute('aria-label'), /Done/);
    await conversation.prompt(script({ say: 'And it multiplies.' }));
    await conversation.says('And it multiplies.');
    await conversation.turnEnd();

    await window.command('ACP: Browse Agent History…');
    await window.pickRow('Keeper');
    await rowOf('Fix the calculator').waitFor();
    assert.match(await rowOf('Fix the calculator').innerText(), /open/);
    await window.pickRow('Fix the calculator');
    await until('the list to be gone', async () => !(await window.quickInputOpen()));
    assert.equal(await window.page.locator('.part.editor .tabs-container').getByRole('tab').count(), 1, 'one conversation, one panel');

    await runCommands('acpHost.endSession');
    await noneLeft('scripted-agent.mjs keeper');
    await runCommands('workbench.action.closeActiveEditor');
    await listOf('Keeper');
    await window.pickRow('Fix the calculator');
    await window.panel();
    await conversation.says('And it multiplies.');
    await until(
      'the session to be ready',
      async () => !(await button(conversation, 'Resume').isVisible()) && processesOf('scripted-agent.mjs keeper').length > 0,
    );
    assert.equal(await times(conversation, 'Please fix the calculator'), 1, 'our record and the agent’s are one conversation');
    await conversation.prompt(script({ say: 'Once more.' }));
    await conversation.says('Once more.');
    await conversation.turnEnd();
    await window.command('ACP: Delete Session…');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Keeper will no longer list the session').waitFor();
    await window.pressButton('Delete');
    await until('the panel to be closed', async () => (await window.frameName()) === undefined);
    await noneLeft('scripted-agent.mjs keeper');
    await until('nothing to be said about it', async () => (await window.notifications()).every((text) => !text.includes('Keeper')));
  });

  it('a list that needs a sign-in asks for it first, and then opens', async () => {
    await listOf('Guarded');
    await window.pickRow('Browser');
    await rowOf('Kept behind a door').waitFor();
    await picture('signed-in');
    await window.page.keyboard.press('Escape');
    await until('the list to be gone', async () => !(await window.quickInputOpen()));
    await noneLeft('scripted-agent.mjs guarded');
  });

  it('the list loads more at its end, deletes a session, and asks before opening another folder’s', async () => {
    await listOf('Keeper');
    await rowOf('Throw me away').waitFor();
    await rowOf('Throw me away').hover();
    await rowOf('Throw me away').locator('.action-label.codicon-trash').click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Delete "Throw me away"?').waitFor();
    await picture('delete');
    await window.pressButton('Delete');
    await rowOf('Fix the calculator').waitFor();
    await until('the row to be gone', async () => (await rowOf('Throw me away').count()) === 0);

    const input = window.page.locator('.quick-input-widget:visible .quick-input-box input');
    await input.fill('Older 129');
    await rowOf('Older 129').waitFor();
    await input.fill('docs');
    await rowOf('Write the docs').waitFor();
    await picture('found');
    await window.pickRow('Write the docs');
    await dialog.getByText('Allow Keeper to work in folders outside this workspace?').waitFor();
    assert.match(await dialog.innerText(), /\/srv\/elsewhere/);
    await picture('consent');
    await window.pressButton('Cancel');
    await wait(300);
    assert.equal(await window.frameName(), undefined, 'it was opened all the same');
    await noneLeft('scripted-agent.mjs keeper');
  });

  it('an agent with an empty list has a message', async () => {
    await listOf('Forgetful');
    await until('the reason', async () => (await window.quickPickRows()).some((row) => /Forgetful can't list its sessions/.test(row)));
    await picture('not-listed');
    await window.page.keyboard.press('Escape');
    await noneLeft('scripted-agent.mjs forgetful');
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import { scriptedAgent } from '../harness/lib/bundle.mjs';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { openWorkspace, runCommands } from './stage.mjs';

const PROXY = path.resolve('docs/examples/system-note-proxy.mjs');

describe('the inspector', () => {
  it('shows the messages of an agent and its proxy, opens one, and replays them', async () => {
    const { window } = await openWorkspace({
      userSettings: {
        // A pick would lie over the tabs.
        'acpHost.permissions.present': 'card',
        'acpHost.agents': {
          'Proxied Agent': {
            command: process.execPath,
            args: [scriptedAgent],
            proxies: [{ name: 'note', command: process.execPath, args: [PROXY, 'Answer in rhymes.'] }],
          },
        },
      },
    });
    await newSession(window, 'Proxied');
    const conversation = new Conversation(window);
    await conversation.prompt('hello proxy');
    await conversation.log.getByText('Answer in rhymes.').first().waitFor();

    const other = await window.frameName();
    await window.command('ACP: Open Inspector');
    await until('the inspector', async () => ![other, undefined].includes(await window.frameName()));
    const page = window.frame();
    await page.getByRole('heading', { name: exactly('Inspector'), level: 1 }).waitFor();
    const list = page.getByRole('listbox', { name: 'Messages' });
    const choose = (name, label) => page.getByRole('combobox', { name }).selectOption({ label });
    await choose('Method', 'proxy/initialize');
    await list.getByRole('option', { name: /^Request to the agent, proxy\/initialize, note, \d+ ms/ }).waitFor();
    await choose('Method', 'session/prompt');
    await choose('Program', 'Proxied Agent');
    await list.getByRole('option', { name: /^Request to the agent, session\/prompt/ }).click();
    await page.getByText('Fits the schema of version 1.').waitFor();
    await page.getByRole('region', { name: 'Content of the message' }).getByText('"Answer in rhymes."').waitFor();
    await window.screenshot('inspector/message');
    const { offsetWidth } = await list.evaluate(({ offsetWidth }) => ({ offsetWidth }));
    assert.ok(offsetWidth > 100);

    const inspector = await window.frameName();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    // The conversation opens beside the inspector. The journey sees one page at a time.
    await window.tab('Proxied-Agent.ndjson').waitFor();
    await window.closeGroup('ACP Inspector');
    await until('the conversation', async () => ![inspector, undefined].includes(await window.frameName()));
    await until('the replayed conversation', async () => (await window.frame().getByText('hello proxy').count()) > 0);
    await window.screenshot('inspector/replayed');
    await runCommands('workbench.action.closeAllEditors');
  });
});

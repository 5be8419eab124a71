// The user's MCP servers with each agent named in ACP_HOST_REAL_AGENTS, in the packed extension. One is in the settings, one in a
// workspace with an input, and one needs a sign-in. The scripted model calls a tool of each, and reads its answer.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { browserAddress, signInInBrowser } from '../harness/lib/signInPage.mjs';
import { startProvider } from '../support/oauthProvider.mjs';
import { agents } from './agents.mjs';
import { allow, answerAll, patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent } from './stage.mjs';

const PASSWORD = 'plum-tree-pa55word';
const SERVER = join(root, 'test', 'agent', 'scripted', 'plumServer.mjs');
const servers = [
  { name: 'mine', tool: 'setting_plums', answer: 'basket-a: 11 plums' },
  { name: 'theirs', tool: 'file_plums', answer: `basket-b: 22 plums, with a key of ${PASSWORD.length} characters` },
  { name: 'signed', tool: 'count_plums', answer: 'basket-c has 4711 plums' },
];
const inputOf = (at) => ({ basket: `basket-${'abc'[at]}` });

/** The steps that call a tool. One agent looks it up first, one calls it from a small program. */
function calling({ name, tool }, at) {
  const full = `mcp__${name}__${tool}`;
  const input = inputOf(at);
  return [
    {
      text: 'I look for the tool.',
      tools: [
        { kind: 'ToolSearch', args: { query: `select:${full}`, max_results: 3 } },
        { kind: 'tool_search', args: { query: tool, limit: 3 } },
      ],
    },
    {
      text: 'I count.',
      tools: [
        ...[full, `${name}_${tool}`, tool].map((kind) => ({ kind, args: input })),
        { kind: 'exec', args: { input: `text(await tools.${full}(${JSON.stringify(input)}))` } },
      ],
    },
  ];
}

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].asks !== false)) {
  describe(`the user's MCP servers with ${name}`, () => {
    let provider;
    before(async () => {
      provider = await startProvider();
      provider.set({ metadata: { authorization_endpoint: browserAddress(provider) } });
    });

    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-mcp-servers`);
    });

    after(async () => {
      keepJournal(`${name}-mcp-servers`);
      await provider.close();
    });

    it('answer the model', async () => {
      const { window, folder, scripts, asked, picture } = await openWithAgent(name, {
        settings: () => ({
          'acpHost.permissions.present': 'card',
          'acpHost.editorTools': 'off',
          'acpHost.mcpServers': {
            mine: { command: process.execPath, args: [SERVER, 'setting_plums', '11 plums'] },
            signed: { type: 'http', url: provider.url },
          },
          'remote.autoForwardPorts': false,
        }),
      });
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      const theirs = { command: process.execPath, args: [SERVER, 'file_plums', '22 plums'], env: { PLUM_KEY: '${input:key}' } };
      const inputs = [{ id: 'key', type: 'promptString', description: 'The key of the plums', password: true }];
      writeFileSync(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ servers: { theirs }, inputs }));
      Object.assign(scripts, { count: [...servers.flatMap(calling), { text: 'All are counted.' }] });

      const conversation = await patiently(() => newSession(window, name));
      const { page } = window;
      await conversation.log.getByText("MCP servers of the workspace that aren't allowed: theirs").waitFor({ timeout: 60_000 });
      await conversation.log.getByRole('button', { name: 'Review…' }).first().click();
      await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Allow Server' }).click();
      const box = page.locator('.quick-input-widget:visible input').first();
      await box.fill(PASSWORD);
      await box.press('Enter');
      await signInInBrowser(window, provider);
      // A session without a message restarts by itself.
      await until('the list to be complete', async () => (await passed(window, page)) === servers.length, { timeoutMs: 60_000 });

      // Codex offers the tools of a server once it has started, and reports nothing until then.
      await wait(10_000);
      const before = asked.length;
      await conversation.prompt(`Please work. ${inScript('count')}`, { timeoutMs: 90_000 });
      await answerAll(conversation, allow);
      await conversation.says('All are counted.');
      await conversation.turnEnd();
      await picture('mcp-servers');
      const requests = asked.slice(before);
      console.log(`      calls: ${JSON.stringify(requests.flatMap(({ calls }) => (calls ?? []).map((call) => call.name)))}`);
      const read = requests.map(({ text }) => text ?? '').join('\n');
      for (const { name: server, answer } of servers) assert.ok(read.includes(answer), `the model never read the answer of ${server}`);
      assert.deepEqual(provider.calls, ['basket-c']);
    });
  });
}

/** Returns the number of servers that the list shows as passed. */
async function passed(window, page) {
  await window.command('ACP: MCP Servers…');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  const texts = await rows.allInnerTexts();
  await page.keyboard.press('Escape');
  return texts.filter((text) => /Passed/.test(text)).length;
}

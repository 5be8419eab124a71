// The editor's tools with each agent named in ACP_HOST_REAL_AGENTS, in the packed extension: the scripted model calls one, and reads its answer.
import assert from 'node:assert/strict';
import { newSession } from '../harness/lib/journey.mjs';
import { agents } from './agents.mjs';
import { allow, answerAll, patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent } from './stage.mjs';

const input = { query: 'return a - b' };
/** The names under which agents offer the tool to their model. Claude looks it up first. Codex calls it from a small program. */
const found = [
  { kind: 'ToolSearch', args: { query: 'select:mcp__vscode__search_text', max_results: 3 } },
  { kind: 'tool_search', args: { query: 'search_text', limit: 3 } },
];
const called = [
  ...['mcp__vscode__search_text', 'vscode_search_text', 'search_text'].map((kind) => ({ kind, args: input })),
  { kind: 'exec', args: { input: `text(await tools.mcp__vscode__search_text(${JSON.stringify(input)}))` } },
];

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].asks !== false)) {
  describe(`the editor's tools of ${name}`, () => {
    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-editor-tools`);
    });

    after(() => keepJournal(`${name}-editor-tools`));

    it('answer the model', async () => {
      const stage = await openWithAgent(name, {
        settings: () => ({ 'acpHost.permissions.present': 'card', 'remote.autoForwardPorts': false }),
      });
      Object.assign(stage.scripts, {
        lookedUp: [{ text: 'I look for the tool.', tools: found }, { text: 'I search.', tools: called }, { text: 'It is found.' }],
      });
      const conversation = await patiently(() => newSession(stage.window, name));
      const before = stage.asked.length;
      await conversation.prompt(`Please work. ${inScript('lookedUp')}`, { timeoutMs: 90_000 });
      // Claude asks about each tool of a server.
      await answerAll(conversation, allow);
      await conversation.says('It is found.');
      await conversation.turnEnd();
      await stage.picture('editor-tools');
      const requests = stage.asked.slice(before);
      console.log(`      calls: ${JSON.stringify(requests.flatMap(({ calls }) => (calls ?? []).map((call) => call.name)))}`);
      assert.ok(
        requests.some(({ text }) => /calc\.js:\d+/.test(text ?? '')),
        'the model never read the answer',
      );
    });
  });
}

// Ten sessions of four agents stream at once, for five minutes (ACP_HOST_SOAK_MS), while the user switches between them. Each transcript,
// on disk and on the page, is exactly what its agent sent.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { newestProcess, script } from '../e2e/agents.mjs';
import { openWorkspace, theStage } from '../e2e/stage.mjs';
import { journals, recorded, saidIn, storeOf } from './recorded.mjs';

const DURATION_MS = Number(process.env.ACP_HOST_SOAK_MS ?? 300_000);
const SESSIONS = 10;
/** The time in ms between two updates of a session. */
const EVERY_MS = 50;

describe('ten parallel streaming sessions', function () {
  this.timeout(DURATION_MS * 2 + 600_000);
  const names = ['North', 'East', 'South', 'West'];
  const agents = new Map(names.map((name) => [name, recorded({}, `streams-${name}`)]));
  let window;
  let store;

  before(async () => {
    ({ window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': Object.fromEntries([...agents].map(([name, { entry }]) => [name, entry])),
        'acpHost.notifications': 'off',
      },
      prepare: async (workspace) => {
        store = storeOf((await theStage()).dir);
        rmSync(store, { recursive: true, force: true, maxRetries: 5 });
        return workspace;
      },
    }));
  });

  /** Words, thoughts and tool calls, each with a number of its own. */
  const steps = (id) => {
    const tool = `${id}t\${n}`;
    return [
      {
        repeat: {
          times: Math.max(1, Math.round(DURATION_MS / EVERY_MS / 5)),
          steps: [
            { say: `${id}a\${n} ` },
            { sleep: EVERY_MS },
            { think: `${id}b\${n} ` },
            { sleep: EVERY_MS },
            { tool: { toolCallId: tool, title: `${tool};`, kind: 'search', status: 'in_progress' } },
            { sleep: EVERY_MS },
            { say: `${id}c\${n} **bold** \`code\`\n\n` },
            { sleep: EVERY_MS },
            { toolUpdate: { toolCallId: tool, status: 'completed' } },
            { sleep: EVERY_MS },
          ],
        },
      },
      { say: `END ${id}` },
    ];
  };

  it('have exactly the sent messages', async () => {
    const ids = Array.from({ length: SESSIONS }, (_, at) => `s${at}`);
    for (const [at, id] of ids.entries()) {
      const conversation = await newSession(window, names[at % names.length]);
      await conversation.prompt(`Stream ${id}; ${script(...steps(id))}`);
    }
    await window.command('ACP Host: Focus on Sessions View');
    const row = (id) => window.page.locator('.sidebar .monaco-list-row', { hasText: `Stream ${id};` }).first();
    // The text in the notation of the wire; in the prompt it is JSON within JSON.
    const isOver = (id) => readFileSync(agentOf(id).file, 'utf8').includes(`"text":"END ${id}"`);
    let shown = 0;
    const began = Date.now();
    const usedBefore = hostSeconds();
    await row(ids[0]).waitFor({ timeout: 90_000 });
    for (const end = Date.now() + DURATION_MS * 2 + 120_000; !ids.every(isOver); await wait(1500)) {
      assert.ok(Date.now() < end, `no end of ${ids.filter((id) => !isOver(id)).join(', ')}`);
      const id = ids[shown++ % ids.length];
      await row(id).click();
      await until(`${id} to be shown`, async () => (await new Conversation(window).log.innerText()).includes(`${id}a`));
    }
    const used = hostSeconds() - usedBefore;
    console.log(`      the extension host took ${used.toFixed(1)} s of processor time in ${Math.round((Date.now() - began) / 1000)} s`);
    const spans = ids.map((id) => wire(id).map(({ at }) => at));
    const atOnce = Math.min(...spans.map((span) => span.at(-1))) - Math.max(...spans.map(([first]) => first));
    const updates = spans.reduce((sum, { length }) => sum + length, 0);
    console.log(`      all ${ids.length} at once for ${Math.round(atOnce / 1000)} s, ${updates} updates; shown ${shown} times meanwhile`);
    assert.ok(atOnce > 0, 'they did not stream at once');
    await wait(2000);
    const all = [...journals(store).values()];
    for (const id of ids) {
      const sent = wire(id);
      const lines = all.find((each) => saidIn(each).some((text) => text.includes(`Stream ${id};`)));
      const kinds = { agent_message_chunk: 'agent', agent_thought_chunk: 'thought' };
      for (const [kind, role] of Object.entries(kinds)) {
        const text = sent.flatMap(({ message }) =>
          message.params.update.sessionUpdate === kind ? message.params.update.content.text : [],
        );
        const kept = lines.flatMap(({ event }) => (event?.type === 'message_chunk' && event.role === role ? event.content.text : []));
        assert.equal(kept.join(''), text.join(''), `${id}: ${role} differs on the disk`);
      }
      const tools = sent.flatMap(({ message }) =>
        message.params.update.sessionUpdate === 'tool_call' ? message.params.update.toolCallId : [],
      );
      const ended = lines.flatMap(({ event }) =>
        event?.type === 'tool_call_update' && event.patch.status === 'completed' ? event.toolCallId : [],
      );
      assert.deepEqual(ended, tools, `${id}: tool calls`);

      await row(id).dblclick();
      await until(`the end of ${id}`, async () => (await new Conversation(window).log.innerText()).includes(`END ${id}`));
      await new Conversation(window).turnEnd();
      await window.command('ACP: Copy Conversation');
      const copied = await until('the copy', async () => {
        const text = await window.page.evaluate(() => navigator.clipboard.readText());
        return text.includes(`Stream ${id};`) && text;
      });
      const count = tools.length;
      for (const letter of ['a', 'b', 'c', 't']) {
        assert.deepEqual(
          copied.replace(/@script.*/g, '').match(new RegExp(`${id}${letter}\\d+`, 'g')),
          Array.from({ length: count }, (_, n) => `${id}${letter}${n + 1}`),
          `${id}: ${letter} on the page`,
        );
      }
    }
    await window.closeEditors();
  });

  /** The processor time of the window's extension host, the newest one; 0 if the system does not report it. */
  const hostSeconds = () => {
    const pid = newestProcess('--type=extensionHost');
    try {
      const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
      return (Number(user) + Number(system)) / 100;
    } catch {
      return 0;
    }
  };

  const agentOf = (id) => agents.get(names[Number(id.slice(1)) % names.length]);

  /** The messages that the agent of a session has sent in it. */
  function wire(id) {
    const lines = agentOf(id).wire();
    const asked = lines.find(
      ({ to, message }) => to === 'agent' && message.method === 'session/prompt' && JSON.stringify(message).includes(`Stream ${id};`),
    );
    const sessionId = asked?.message.params.sessionId;
    return lines.filter(
      ({ to, message }) => to === 'client' && message.method === 'session/update' && message.params.sessionId === sessionId,
    );
  }
});

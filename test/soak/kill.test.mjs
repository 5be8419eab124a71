// The extension host is killed (SIGKILL) at random moments: while a turn streams, waits for a permission or has queued messages, or while
// an agent replays a session. VS Code starts another host, and between 0 and 8 s later the window is also reloaded. After each kill every
// session is in the list, opens, has everything up to the last complete event, and continues, without duplicates.
//
//   ACP_HOST_SOAK_KILLS=6 ACP_HOST_SOAK_SEED=4711 npm run test:soak -- --grep 'moments loses'
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { newestProcess, script } from '../e2e/agents.mjs';
import { opens, openWorkspace, theStage } from '../e2e/stage.mjs';
import { journals, recorded, saidIn, storeOf } from './recorded.mjs';

const KILLS = Number(process.env.ACP_HOST_SOAK_KILLS ?? 50);
const SEED = Number(process.env.ACP_HOST_SOAK_SEED ?? Date.now() % 1_000_000);
/** The time in ms until an agent's text must be on disk, on a busy machine. */
const WRITTEN_MS = 2000;
const RELOAD_MS = 8000;

const MESSAGES = 150;
const told = Array.from({ length: MESSAGES }, (_, n) => ({
  update: {
    sessionUpdate: n % 2 ? 'agent_message_chunk' : 'user_message_chunk',
    messageId: `told-${n}`,
    content: { type: 'text', text: `told${n}` },
  },
}));

describe('a killed host', function () {
  this.timeout(KILLS * 90_000 + 120_000);
  const random = numbers(SEED);
  const talker = recorded(
    { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true, uniqueIds: true },
    'kill-talker',
  );
  const teller = recorded(
    {
      initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } } },
      stored: [{ sessionId: 'told', title: 'Told again', replay: told.flatMap((step) => [step, { sleep: 10 }]) }],
    },
    'kill-teller',
  );
  /** The expected sessions of the list, with their texts when they were last checked. */
  const known = new Map();
  let window;
  let store;

  opens(async () => {
    const agents = { Talker: talker.entry, Teller: teller.entry };
    ({ window } = await openWorkspace({
      userSettings: { 'acpHost.agents': agents, 'acpHost.permissions.present': 'card', 'acpHost.notifications': 'off' },
      prepare: async (workspace) => {
        store = storeOf((await theStage()).dir);
        rmSync(store, { recursive: true, force: true, maxRetries: 5 });
        return workspace;
      },
    }));
  });

  it(`at ${KILLS} moments loses nothing that was written`, async () => {
    console.log(`      ACP_HOST_SOAK_SEED=${SEED}`);
    await tellOnce();
    const kinds = Object.entries({ streaming, permission, queue, replay });
    for (let round = 0; round < KILLS; round++) {
      const [name, begin] = kinds[round % kinds.length];
      const moments = { kill: Math.round(random() * 1500), reload: Math.round(random() * RELOAD_MS) };
      try {
        const check = await begin(`r${round}`);
        await wait(moments.kill);
        const killed = kill();
        const kept = journals(store);
        await wait(moments.reload);
        await window.page.reload({ waitUntil: 'domcontentloaded' });
        await window.ready();
        await listed();
        await check(kept, killed);
        await window.closeEditors();
      } catch (error) {
        throw new Error(`round ${round} (${name}, ${JSON.stringify(moments)}): ${error.message}`, { cause: error });
      }
      console.log(`      ${round + 1} of ${KILLS}: ${name}, killed after ${moments.kill} ms, reloaded ${moments.reload} ms later`);
    }
    await listed([...known.keys()]);
    // Later sessions have not changed the earlier ones.
    const spoken = [...known].filter(([, what]) => what).sort(() => random() - 0.5);
    for (const [title, { pattern, onDisk }] of spoken.slice(0, 5)) {
      const conversation = await opened(title);
      assert.deepEqual(matches(answersIn(await conversation.log.innerText()), pattern), onDisk, title);
      await window.closeEditors();
    }
  });

  it('needs no reload: the next host that VS Code starts reopens the session', async () => {
    const { check } = await speaking('again', words('again'));
    await wait(500);
    const killed = kill();
    const kept = journals(store);
    await wait(5000);
    const stale = await window.frameName();
    await window.command('ACP: Open Session…');
    await window.pickRow('Speak again;');
    await window.panel({ other: stale });
    await window.screenshot('kill/no-reload');
    await goesOn(await check(kept, killed), 'again');
    assert.equal(
      await window.page.locator('.part.editor .tabs-container').getByRole('tab').count(),
      1,
      'the page of the dead host is left',
    );
    await window.screenshot('kill/no-reload-goes-on');
    await window.closeEditors();
  });

  it('leaves a page that reports it, and its button restores typed and sent text', async () => {
    const { check, conversation } = await speaking('left', words('left'));
    await wait(1500);
    const killed = kill();
    const kept = journals(store);
    await conversation.composer.fill('Sent to nobody');
    await conversation.composer.press('Enter');
    const said = conversation.frame.getByRole('group', { name: 'Extension host not responding' });
    await said.waitFor({ timeout: 60_000 });
    await until('the message to come back', async () => (await conversation.composer.inputValue()).includes('Sent to nobody'));
    await conversation.composer.fill('Typed meanwhile');
    await window.screenshot('kill/left');
    const stale = await window.frameName();
    await said.getByRole('link', { name: 'Reopen Chat' }).click();
    await window.panel({ other: stale });
    const again = new Conversation(window);
    await until('the draft', async () => (await again.composer.inputValue()) === 'Typed meanwhile');
    await window.screenshot('kill/left-reopened');
    await until('one tab', async () => (await window.page.locator('.part.editor .tabs-container').getByRole('tab').count()) === 1);
    await goesOn(await check(kept, killed), 'left');
    await window.closeEditors();
  });

  it('leaves a chat view that comes back without an action', async () => {
    // After three crashes in five minutes VS Code starts no other host; a new window resets the count.
    await window.reload();
    const { check, conversation } = await speaking('inview', words('inview'));
    await window.command('ACP: Move Chat to Side Bar');
    await until(
      'the chat in the view',
      async () => (await window.page.locator('.part.editor .tabs-container').getByRole('tab').count()) === 0,
    );
    await until('its words', async () => answersIn(await conversation.log.innerText()).includes('invieww0'));
    await wait(1500);
    const killed = kill();
    const kept = journals(store);
    await until('the turn to be over', async () => (await conversation.log.innerText()).includes('Interrupted'), { timeoutMs: 60_000 });
    await window.screenshot('kill/view');
    await goesOn(await check(kept, killed), 'inview');
    await window.command('ACP: Move Chat to Editor');
    await window.closeEditors();
  });

  /** Kills the newest extension host, which is the window's, and returns the time. */
  function kill() {
    const host = newestProcess('--type=extensionHost');
    assert.ok(host !== undefined, 'no extension host');
    process.kill(host, 'SIGKILL');
    return Date.now();
  }

  /** Asserts that the list has these, each once. Without titles it checks a sample, because each takes time. */
  async function listed(titles = [...known.keys()].sort(() => random() - 0.5).slice(0, 5)) {
    await window.command('ACP: Open Session…');
    const input = window.page.locator('.quick-input-widget:visible .quick-input-box input');
    for (const title of titles) {
      const rows = window.page.locator(quickRows).filter({ has: window.page.locator('.label-name', { hasText: title }) });
      await until(
        `"${title}" to be listed once`,
        async () => {
          // A view that is restored meanwhile takes the focus and closes the list.
          if (!(await window.quickInputOpen())) await window.command('ACP: Open Session…');
          const isTyped = await input.fill(title, { timeout: 3000 }).then(
            () => true,
            () => false,
          );
          return isTyped && (await rows.count()) === 1;
        },
        { timeoutMs: 60_000 },
      );
    }
    await window.dismiss();
  }

  /** A view that is restored meanwhile takes the focus and closes the list: a user would open it again. */
  async function opened(title, words = title) {
    for (let tries = 1; ; tries++) {
      try {
        await window.command('ACP: Open Session…');
        await window.pickRow(title, { timeoutMs: 8000 });
        break;
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
    await window.panel();
    const conversation = new Conversation(window);
    await conversation.says(words);
    return conversation;
  }

  /** The text without the scripts in the user's messages. */
  const answersIn = (text) => text.replace(/@script.*/g, '');
  const matches = (text, pattern) => text.match(pattern) ?? [];
  /** The journal of the session whose first message is this. */
  const journalOf = (kept, title) => [...kept.values()].find((lines) => saidIn(lines).some((each) => each.includes(title))) ?? [];

  /**
   * Starts a turn of words. The page must show what was on disk when the host was killed, and the disk must have what was sent some time
   * before.
   */
  async function speaking(id, steps) {
    const title = `Speak ${id};`;
    const conversation = await newSession(window, 'Talker');
    await conversation.prompt(`${title} ${script(...steps)}`);
    await until('the first words', async () => answersIn(await conversation.log.innerText()).includes(`${id}w0`));
    return {
      title,
      conversation,
      check: async (kept, killed) => {
        const pattern = new RegExp(`${id}w\\d+`, 'g');
        const lines = journalOf(kept, title);
        const onDisk = matches(saidIn(lines).slice(1).join(' '), pattern);
        const sent = talker
          .wire()
          .filter(({ at, to }) => to === 'client' && at < killed - WRITTEN_MS)
          .flatMap(({ message }) => matches(message.params?.update?.content?.text ?? '', pattern));
        assert.deepEqual(
          onDisk,
          onDisk.map((_, n) => `${id}w${n}`),
          'words are missing or doubled on the disk',
        );
        assert.ok(onDisk.length >= sent.length, `${sent.length} words were sent in time, ${onDisk.length} are on the disk`);
        const again = await opened(title);
        const shown = async () => matches(answersIn(await again.log.innerText()), pattern);
        await until(`${onDisk.length} words of ${id}`, async () => (await shown()).length >= onDisk.length);
        assert.deepEqual(await shown(), onDisk, 'words are missing or doubled on the page');
        assert.equal((await again.log.innerText()).split(title).length, 2, 'the message is there once');
        assert.equal(await again.stopButton.isVisible(), false, 'the turn still runs');
        known.set(title, { pattern, onDisk });
        return again;
      },
    };
  }

  /** Asserts that the session answers. */
  async function goesOn(conversation, id) {
    await conversation.prompt(`Go on ${script({ say: `${id} goes on.` })}`);
    await until('an answer', async () => answersIn(await conversation.log.innerText()).includes(`${id} goes on.`));
    await conversation.turnEnd();
    await window.command('ACP: End Session');
  }

  const words = (id) => [
    { say: `${id}w0 ` },
    { repeat: { times: 400, steps: [{ say: `${id}w\${n} ` }, { sleep: 15 }] } },
    { waitCancel: true },
  ];

  async function streaming(id) {
    const { check } = await speaking(id, words(id));
    return async (kept, killed) => goesOn(await check(kept, killed), id);
  }

  async function permission(id) {
    const toolCall = { toolCallId: 'ask', title: `Ask ${id}`, kind: 'execute', rawInput: { command: 'make all' } };
    const { check } = await speaking(id, [{ say: `${id}w0 ` }, { sleep: 300 }, { tool: toolCall }, { permission: { toolCall } }]);
    return async (kept, killed) => {
      const conversation = await check(kept, killed);
      assert.equal(
        await conversation.permission(`Ask ${id}`).getByRole('button', { name: 'Allow', exact: true }).count(),
        0,
        'it still asks',
      );
      await goesOn(conversation, id);
    };
  }

  async function queue(id) {
    const { conversation, check } = await speaking(id, words(id));
    const later = ['a', 'b'].map((each) => `Later ${id}${each}`);
    for (const text of later) await conversation.say(`${text} ${script({ say: `Heard ${id}.` })}`);
    await until('both to be queued', async () => (await conversation.queued()).length === 2);
    // Queued messages are written to disk shortly after the window shows them.
    await wait(500);
    return async (kept, killed) => {
      const again = await check(kept, killed);
      await until('the queue', async () => (await again.queued()).length === 2);
      const queued = await again.queued();
      later.forEach((text, at) => assert.ok(queued[at].startsWith(text), `queued: ${queued}`));
      for (const text of later) {
        await again.queueButton(text, 'Remove').click();
        await until(`"${text}" to be gone`, async () => !(await again.queued()).some((each) => each.startsWith(text)));
      }
      await goesOn(again, id);
    };
  }

  /** Opens the agent's session once; it is then replayed in each round. */
  async function tellOnce() {
    await window.command('ACP: Browse Agent History…');
    await window.pickRow('Teller');
    await window.pickRow('Told again');
    await window.panel();
    await new Conversation(window).says(`told${MESSAGES - 1}`, { timeoutMs: 60_000 });
    known.set('Told again', undefined);
    await wait(1000);
    await window.command('ACP: End Session');
    await window.closeEditors();
  }

  async function replay() {
    const conversation = await opened('Told again', `told${MESSAGES - 1}`);
    // The session opens from the list or by the button: either way the agent replays it.
    const resume = conversation.frame.getByRole('button', { name: /^(Resume|Restart)$/ });
    const before = teller.wire().filter(({ message }) => message.method === 'session/load').length;
    await resume.first().click();
    await until('the agent to be asked', () => teller.wire().filter(({ message }) => message.method === 'session/load').length > before);
    return async (kept) => {
      const all = Array.from({ length: MESSAGES }, (_, n) => `told${n}`);
      const [lines, ...others] = [...kept.values()].filter((each) => saidIn(each).some((text) => text.includes('told1')));
      assert.equal(others.length, 0, 'there are two records of one session');
      assert.deepEqual(matches(saidIn(lines).join(' '), /told\d+/g), all, 'the record is not whole');
      const again = await opened('Told again', `told${MESSAGES - 1}`);
      await again.frame
        .getByRole('button', { name: /^(Resume|Restart)$/ })
        .first()
        .click();
      await until('the agent to have told it', () => teller.wire().findLast(({ to }) => to === 'client')?.message.result !== undefined);
      await goesOn(again, 'told');
    };
  }
});

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

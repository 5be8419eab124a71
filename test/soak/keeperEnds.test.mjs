// A keeper that is killed in a turn, or whose disk is full, and agents that run without a keeper. A small disk is mounted at the folder of the keepers
// (Linux, as root).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { alive, wait } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { keepersOf, newestProcess, noKeeperLeft, noneLeft, processesOf, script } from '../e2e/agents.mjs';
import { changeSettings, closeAll, openWorkspace, opens, theStage } from '../e2e/stage.mjs';
import { answersIn } from './keptRuns.mjs';
import { recorded } from './recorded.mjs';

const WORDS = 300;
/** More than the memory of a keeper holds. */
const MEGABYTES = 45;
const HOST = '--type=extensionHost';
const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const words = (id) => script({ repeat: { times: WORDS, steps: [{ say: `${id}w\${n} ` }, { sleep: 40 }] } }, { say: `${id}end` });

describe('a keeper that ends', function () {
  this.timeout(300_000);
  const agent = recorded(resumes, 'kept-ends');
  const filling = { file: join(tempDir('filling'), 'go') };
  let window;
  let dir;
  let keepers;

  const filler = { command: process.execPath, args: [join(root, 'test', 'soak', 'fillingAgent.mjs'), filling.file, String(MEGABYTES)] };
  const settings = (mode) => ({
    'acpHost.agents': { Kept: agent.entry, Filling: filler },
    'acpHost.keepAgentsRunning': mode,
    'acpHost.permissions.present': 'card',
    'acpHost.notifications': 'off',
  });

  opens(async () => {
    ({ dir } = await theStage());
    keepers = join(dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host', 'keepers');
    ({ window } = await openWorkspace({ userSettings: settings('reload') }));
  });

  afterEach(async () => {
    await closeAll();
    await noneLeft('scripted-agent.mjs kept-ends', { timeoutMs: 20_000 });
    await noneLeft('fillingAgent.mjs', { timeoutMs: 20_000 });
    await noKeeperLeft(dir);
  });

  const log = () => new Conversation(window).log.innerText();
  const wordsIn = (text, id) => answersIn(text).match(new RegExp(`${id}w\\d+`, 'g')) ?? [];
  const numbered = (id, count) => Array.from({ length: count }, (_, n) => `${id}w${n + 1}`);
  const keeperPid = () => keepersOf(dir).find(({ command }) => command.endsWith('keeper.js'))?.pid;

  async function speaking(id) {
    const conversation = await newSession(window, 'Kept');
    await conversation.prompt(`Speak ${id}; ${words(id)}`);
    await until('the first words', async () => wordsIn(await log(), id).length > 3);
    return conversation;
  }

  /** Asserts that the session resumes with the next message, in another agent. */
  async function goesOn(id) {
    const conversation = new Conversation(window);
    await conversation.prompt(`Go on ${id} ${script({ say: `And ${id} goes on.` })}`);
    await until('the answer', async () => answersIn(await log()).includes(`And ${id} goes on.`));
    await conversation.turnEnd();
  }

  async function comesBack(title) {
    await until(
      'another extension host',
      async () => {
        await window.neighbour.start('acpHost.openSession');
        return window.pickRow(title, { timeoutMs: 8000 }).then(
          () => true,
          () => false,
        );
      },
      { timeoutMs: 60_000 },
    );
  }

  it('in a turn ends the agent, the conversation says so, and the session resumes', async () => {
    const conversation = await speaking('a');
    const processes = [...keepersOf(dir), ...processesOf('scripted-agent.mjs kept-ends')];
    const began = Date.now();
    process.kill(keeperPid(), 'SIGKILL');
    await conversation.turnEnd();
    await until('all processes to end', () => processes.every(({ pid }) => !alive(pid)), { timeoutMs: 15_000 });
    console.log(`      the agent and the shell that watches are gone after ${Date.now() - began} ms`);
    const text = await conversation.frame.locator('body').innerText();
    await window.screenshot('keeper/killed');
    assert.match(text, /The connection to the agent was closed/);
    const spoken = wordsIn(await log(), 'a');
    assert.deepEqual(spoken, numbered('a', spoken.length));
    await goesOn('a');
    await until('the words to stay', async () => wordsIn(await log(), 'a').length === spoken.length);
  });

  it('together with the extension host leaves no agent, and the turn counts as interrupted', async () => {
    await speaking('b');
    const processes = [...keepersOf(dir), ...processesOf('scripted-agent.mjs kept-ends')];
    const stale = await window.frameName();
    window.neighbour.leave();
    process.kill(newestProcess(HOST), 'SIGKILL');
    process.kill(keeperPid(), 'SIGKILL');
    await until('all processes to end', () => processes.every(({ pid }) => !alive(pid)), { timeoutMs: 15_000 });
    await comesBack('Speak b;');
    await window.panel({ other: stale });
    const conversation = new Conversation(window);
    await until('the end of the turn', async () => (await conversation.frame.locator('body').innerText()).includes('Interrupted'));
    const spoken = wordsIn(await log(), 'b');
    assert.deepEqual(spoken, numbered('b', spoken.length));
    assert.ok(spoken.length > 3);
    await goesOn('b');
    await until(
      'what the killed keeper has left to be deleted',
      () => readdirSync(keepers).filter((each) => each.endsWith('.json')).length <= 1,
    );
  });

  describe('a full disk', () => {
    let isMounted = false;
    const ballast = () => join(keepers, 'ballast');
    const fill = () => {
      for (const size of [16 * 1024, 256]) {
        try {
          for (;;) writeFileSync(ballast(), Buffer.alloc(size), { flag: 'a' });
        } catch (error) {
          assert.equal(error.code, 'ENOSPC');
        }
      }
    };

    beforeEach(function () {
      rmSync(keepers, { recursive: true, force: true });
      mkdirSync(keepers, { recursive: true, mode: 0o700 });
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', keepers], { stdio: 'pipe' });
        isMounted = true;
      } catch (error) {
        console.log(`      no small disk here: ${error.message.split('\n')[0]}`);
        this.skip();
      }
    });
    afterEach(() => isMounted && execFileSync('umount', ['-l', keepers]));

    it('loses nothing: the agent waits until a window takes its messages', async () => {
      const conversation = await newSession(window, 'Filling');
      await conversation.prompt('Fill it');
      await until('the first text', async () => (await log()).includes('<0>'));
      const pid = newestProcess('fillingAgent.mjs');
      fill();
      const bytes = () => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1]);
      // Without a page VS Code starts no other host.
      process.kill(newestProcess(HOST), 'SIGKILL');
      await window.page.goto('about:blank');
      writeFileSync(filling.file, '');
      let before = -1;
      await until(
        'the agent to wait',
        async () => {
          const now = bytes();
          await wait(1500);
          const isSame = now === before && now === bytes();
          before = now;
          return isSame;
        },
        { timeoutMs: 30_000 },
      );
      const megabytes = Math.round(before / 1024 / 1024);
      console.log(`      the agent waits after ${megabytes} of ${MEGABYTES} MB`);
      assert.ok(megabytes >= 30 && megabytes < MEGABYTES, `${megabytes} MB`);
      assert.ok(keeperPid() !== undefined, 'the keeper has ended');
      await window.openFolder(window.folder);
      await comesBack('Fill it');
      await window.panel();
      const numbers = async () => (await log()).match(/<\d+>/g) ?? [];
      await until('all texts', async () => (await numbers()).length > MEGABYTES, { timeoutMs: 60_000 });
      await new Conversation(window).turnEnd();
      assert.deepEqual(
        await numbers(),
        Array.from({ length: MEGABYTES + 1 }, (_, n) => `<${n}>`),
      );
      assert.equal(newestProcess('fillingAgent.mjs'), pid);
    });

    it('starts an agent without a keeper, which ends with its window', async () => {
      fill();
      const conversation = await speaking('c');
      await window.screenshot('keeper/no-place');
      assert.deepEqual(keepersOf(dir), []);
      assert.equal(processesOf('scripted-agent.mjs kept-ends').length, 2, 'one agent, behind its recorder');
      await until('all words', async () => wordsIn(await log(), 'c').length === WORDS);
      await conversation.turnEnd();
      assert.deepEqual(wordsIn(await log(), 'c'), numbered('c', WORDS));
      assert.deepEqual(readdirSync(keepers), ['ballast'], 'something of the keeper is left');
    });
  });

  for (const mode of ['never', 'reload']) {
    it(`with the setting ${mode} ${mode === 'never' ? 'is missing, and a reload interrupts the turn' : 'continues the turn after a reload'}`, async () => {
      await changeSettings(settings(mode));
      const id = mode === 'never' ? 'n' : 'r';
      await speaking(id);
      const present = processesOf('scripted-agent.mjs kept-ends').map(({ pid }) => pid);
      assert.equal(keepersOf(dir).length > 0, mode === 'reload');
      await window.reload();
      await window.panel({ timeoutMs: 90_000 });
      const conversation = new Conversation(window);
      await conversation.turnEnd();
      const page = await conversation.frame.locator('body').innerText();
      const spoken = wordsIn(await log(), id);
      assert.deepEqual(spoken, numbered(id, spoken.length));
      assert.equal(page.split('Interrupted: the window was closed or reloaded').length - 1, mode === 'never' ? 1 : 0);
      console.log(`      ${mode}: ${spoken.length} of ${WORDS} words, ${keepersOf(dir).length} processes of keepers`);
      if (mode === 'never') {
        await until('the agent to be gone', () => present.every((pid) => !alive(pid)), { timeoutMs: 60_000 });
        assert.deepEqual(keepersOf(dir), []);
        assert.ok(spoken.length < WORDS, 'the turn has ended before the reload');
      } else {
        assert.equal(spoken.length, WORDS);
        assert.deepEqual(
          processesOf('scripted-agent.mjs kept-ends').map(({ pid }) => pid),
          present,
        );
      }
      await goesOn(id);
    });
  }
});

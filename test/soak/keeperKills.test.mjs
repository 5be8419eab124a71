// The window is reloaded and the extension host is killed (SIGKILL) at random moments of a turn that streams, asks for permissions and runs
// commands. The turn goes on, each frame of the agent is in the conversation once, each request has one answer, and no process is left.
//
//   ACP_HOST_SOAK_RELOADS=50 ACP_HOST_SOAK_KILLS=50 ACP_HOST_SOAK_SEED=4711 npm run test:soak -- keeperKills
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { results } from '../harness/lib/paths.mjs';
import { alive, wait } from '../harness/lib/proc.mjs';
import { keepersOf, newestProcess, noKeeperLeft, noneLeft, processesOf } from '../e2e/agents.mjs';
import { closeAll, opens, openWorkspace, theStage } from '../e2e/stage.mjs';
import { answersIn, conversationReader, isWhole, journalFileOf, numberedTurn, numbers } from './keptRuns.mjs';
import { recorded, storeOf } from './recorded.mjs';

const RELOADS = Number(process.env.ACP_HOST_SOAK_RELOADS ?? 50);
const KILLS = Number(process.env.ACP_HOST_SOAK_KILLS ?? 50);
const SEED = Number(process.env.ACP_HOST_SOAK_SEED ?? Date.now() % 1_000_000);
/** After three crashes in five minutes VS Code starts no other host; a new window resets the count. */
const MAX_KILLS = 2;
/** ms between an interruption and the next one that comes while the window starts. */
const STARTING_MS = 4000;
/** ms between the return of the conversation and the next interruption. */
const SHOWN_MS = 2000;
/** ms after which the next interruption waits until a window has answered the agent. */
const MAX_AWAY_MS = 25_000;
/** The rounds of a turn, each with 10 texts, 2 tool calls, a permission request and a command. */
const ROUNDS = 12;
const HOST = '--type=extensionHost';
const AGENT = 'scripted-agent.mjs kept-soak';

describe('a turn whose windows are reloaded and killed', function () {
  this.timeout((RELOADS + KILLS) * 30_000 + 120_000);
  const random = numbers(SEED);
  const agent = recorded({}, 'kept-soak');
  /** All processes of keepers that were seen, with those that watch them. */
  const seen = new Map();
  let window;
  let dir;

  opens(async () => {
    ({ dir } = await theStage());
    ({ window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Kept: agent.entry },
        'acpHost.keepAgentsRunning': 'reload',
        'acpHost.permissions.present': 'card',
        'acpHost.notifications': 'off',
      },
    }));
  });

  const look = () => keepersOf(dir).forEach(({ pid, command }) => seen.set(pid, command));
  /** Whether the agent has answered all prompts. */
  const isOver = () => {
    const wire = agent.wire();
    const ids = wire.filter(({ to, message }) => to === 'agent' && message.method === 'session/prompt').map(({ message }) => message.id);
    const answered = wire.filter(({ to, message }) => to === 'client' && message.method === undefined).map(({ message }) => message.id);
    return ids.every((id) => answered.includes(id));
  };
  const answersOf = () => agent.wire().filter(({ to }) => to === 'agent').length;
  /** The last numbered text of the agent. */
  const lastText = () =>
    agent.wire().findLast(({ to, message }) => to === 'client' && /^<t\d/.test(message.params?.update?.content?.text ?? ''))?.message.params
      .update.content.text;

  const happened = [];
  const note = (text) => happened.push(`${new Date().toISOString()} ${text}`);
  /** Leaves the messages of the agent, the interruptions and the log of the extension for a later analysis. */
  function leaveEvidence() {
    const to = join(results, 'keeper');
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { recursive: true });
    copyFileSync(agent.file, join(to, 'wire.jsonl'));
    writeFileSync(join(to, 'interruptions.txt'), `${happened.join('\n')}\n`);
    const logs = readdirSync(join(dir, 'data', 'logs'), { recursive: true }).filter((name) => /ACP Host[^/]*\.log$/.test(name));
    const lines = logs.flatMap((name) =>
      readFileSync(join(dir, 'data', 'logs', name), 'utf8')
        .split('\n')
        .map((line) => `${line} [${name}]`),
    );
    writeFileSync(join(to, 'extension.log'), lines.sort().join('\n'));
  }

  /** Opens the chat when no page of the new extension host shows it. @param stale the page of an ended host */
  async function show(title, stale) {
    const isShown = async () => {
      const name = await window.frameName();
      if (name === undefined || name === stale) return false;
      return window
        .frame()
        .getByRole('log', { name: 'Conversation' })
        .innerText({ timeout: 1000 })
        .then(
          (text) => text.includes('<t'),
          () => false,
        );
    };
    for (let tries = 1; ; tries++) {
      for (const deadline = Date.now() + (stale === undefined ? 12_000 : 1000); Date.now() < deadline; await wait(200)) {
        if (await isShown()) return;
      }
      // The palette would sometimes get no focus, and keys for it would stop the turn.
      await window.neighbour
        .start('acpHost.openSession')
        .then(() => window.pickRow(title, { timeoutMs: 5000 }))
        .catch((error) => {
          if (tries === 6) throw error;
        });
    }
  }

  async function reload() {
    await window.page.reload({ waitUntil: 'domcontentloaded' });
    await window.ready();
  }

  /** Allows each request while it runs. */
  function answering() {
    const state = { isGoing: true, count: 0 };
    state.done = (async () => {
      for (; state.isGoing; await wait(200)) {
        look();
        try {
          const button = window.frame().getByRole('button', { name: 'Allow', exact: true }).first();
          if (await button.isVisible()) {
            await button.click({ timeout: 1500 });
            state.count++;
          }
        } catch {
          // The page is replaced, or the buttons have just moved. Each try scrolls them, and they take no click for half a second after that.
          await wait(700);
        }
      }
    })();
    return state;
  }

  it(`goes on over ${RELOADS} reloads and ${KILLS} kills, with each frame once`, async () => {
    console.log(`      ACP_HOST_SOAK_SEED=${SEED}`);
    const read = await conversationReader();
    const title = 'Speak for long;';
    const began = Date.now();
    const left = { reload: RELOADS, kill: KILLS };
    const done = { whileStarting: 0, whileShown: 0, inPermission: 0, inCommand: 0, inText: 0 };
    let killsInRow = 0;
    let turns = 0;
    let conversation = await newSession(window, 'Kept');
    const answers = answering();
    /** The kind of the agent's last message. */
    const moment = () => {
      const last = agent.wire().findLast(({ to }) => to === 'client')?.message;
      return last?.method === 'session/request_permission'
        ? 'inPermission'
        : last?.method?.startsWith('terminal/')
          ? 'inCommand'
          : 'inText';
    };
    try {
      for (; left.reload + left.kill > 0; ) {
        turns++;
        conversation = new Conversation(window);
        await conversation.prompt(`${turns === 1 ? title : 'Again;'} ${numberedTurn(`t${turns}`, ROUNDS)}`);
        await until('the first text', () => lastText()?.startsWith(`<t${turns}.`));
        const pid = newestProcess(AGENT);
        let isShown = true;
        let connectedAt = Date.now();
        while (left.reload + left.kill > 0 && !isOver()) {
          await wait(random() * (isShown ? SHOWN_MS : STARTING_MS));
          const mustReload = left.kill === 0 || killsInRow === MAX_KILLS;
          const isReload = mustReload || (left.reload > 0 && random() < left.reload / (left.reload + left.kill));
          if (isOver()) break;
          done[moment()]++;
          done[isShown ? 'whileShown' : 'whileStarting']++;
          note(`${isReload ? 'reload' : 'kill'} ${moment()} ${isShown ? 'shown' : 'starting'}, left: ${JSON.stringify(left)}`);
          const stale = await window.frameName();
          if (isReload) {
            killsInRow = 0;
            left.reload = Math.max(0, left.reload - 1);
            await reload();
          } else {
            const host = await until('an extension host', () => newestProcess(HOST), { timeoutMs: 30_000 });
            killsInRow++;
            left.kill--;
            window.neighbour.leave();
            process.kill(host, 'SIGKILL');
            await until('another extension host', () => ![host, undefined].includes(newestProcess(HOST)), { timeoutMs: 30_000 });
          }
          // A keeper waits a minute for a window, and a busy machine may need most of it.
          const isAway = Date.now() - connectedAt > MAX_AWAY_MS;
          isShown = random() < 0.5 || isAway;
          if (isShown) {
            await show(title, isReload ? undefined : stale);
            note('shown');
            if (isAway) {
              // Only a window that is connected to the keeper answers the agent.
              const answered = answersOf();
              await until('an answer of the new window', () => isOver() || answersOf() > answered, { timeoutMs: 50_000 });
              connectedAt = Date.now();
            }
            const text = lastText();
            await until(`"${text}" on the page`, async () => answersIn(await new Conversation(window).log.innerText()).includes(text), {
              timeoutMs: 30_000,
            });
          }
          assert.equal(newestProcess(AGENT), pid, 'another agent was started');
        }
        const stale = killsInRow > 0 && !isShown ? await window.frameName() : undefined;
        await show(title, stale);
        await until('the end of the turn', isOver, { timeoutMs: 240_000 });
        await new Conversation(window).turnEnd();
        await until('the last text', async () => answersIn(await new Conversation(window).log.innerText()).includes(`<t${turns}.end>`));
        await wait(500);
        const counts = isWhole(read(journalFileOf(storeOf(dir), title)), agent.wire());
        const seconds = Math.round((Date.now() - began) / 1000);
        console.log(`      ${seconds} s, turn ${turns}, left: ${JSON.stringify(left)}, ${JSON.stringify(counts)}, ${JSON.stringify(done)}`);
      }
    } finally {
      answers.isGoing = false;
      leaveEvidence();
      await answers.done;
    }
    const page = await new Conversation(window).frame.locator('body').innerText();
    assert.ok(!page.includes('Interrupted'), 'a turn was interrupted');
    assert.equal(processesOf(AGENT).length, 2, 'one agent, behind its recorder');
    await window.screenshot('keeper/kills');
    look();
    console.log(
      `      ${answers.count} permission requests answered, ${seen.size} processes of keepers: ${[...seen.values()].join(' | ')}`,
    );
    await closeAll();
    await noneLeft(AGENT, { timeoutMs: 20_000 });
    await noneLeft('echo start; sleep');
    await noKeeperLeft(dir);
    await until('the shells that watch keepers to end', () => [...seen.keys()].every((each) => !alive(each)));
    const folder = join(dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host', 'keepers');
    assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], []);
  });
});

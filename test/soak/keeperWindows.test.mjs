// Agents that outlive their window, with two windows and with an update of the extension in a turn.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, until, VSCodeWindow } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { vsix } from '../harness/lib/paths.mjs';
import { alive, wait } from '../harness/lib/proc.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import { installExtension, startServer } from '../harness/lib/vscode.mjs';
import { keepersOf, noKeeperLeft, noneLeft, processesOf, script } from '../e2e/agents.mjs';
import { theStage } from '../e2e/stage.mjs';
import { answersIn, conversationReader, isWhole, journalFileOf } from './keptRuns.mjs';
import { recorded, storeOf } from './recorded.mjs';

const HOST = '--type=extensionHost';
const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true, uniqueIds: true };
const words = (id, count) => script({ repeat: { times: count, steps: [{ say: `${id}w\${n} ` }, { sleep: 60 }] } }, { say: `${id}end` });
const wordsIn = (text, id) => answersIn(text).match(new RegExp(`${id}w\\d+`, 'g')) ?? [];
const numbered = (id, count) => Array.from({ length: count }, (_, n) => `${id}w${n + 1}`);

/** The text of a window's chat; '' while it has none. */
const logOf = (window) => new Conversation(window).log.innerText({ timeout: 2000 }).catch(() => '');
const bodyOf = (window) =>
  window
    .frame()
    .locator('body')
    .innerText({ timeout: 2000 })
    .catch(() => '');

async function speaking(window, agent, id, count) {
  const conversation = await newSession(window, agent);
  await conversation.prompt(`Speak ${id}; ${words(id, count)}`);
  await until('the first words', async () => wordsIn(await logOf(window), id).length > 3);
  return conversation;
}

async function opens(window, title) {
  await until(
    `the session "${title}"`,
    async () => {
      await window.command('ACP: Open Session…');
      return window.pickRow(title, { timeoutMs: 8000 }).then(
        () => true,
        () => false,
      );
    },
    { timeoutMs: 90_000 },
  );
}

const isSpoken = (window, id, count) =>
  until(`all words of ${id}`, async () => answersIn(await logOf(window)).includes(`${id}end`), { timeoutMs: 90_000 }).then(async () =>
    assert.deepEqual(wordsIn(await logOf(window), id), numbered(id, count)),
  );

/** Repacks the extension as an earlier version. @param protocol of its keeper */
function earlierVersion(version, protocol) {
  const dir = tempDir('earlier');
  execFileSync('unzip', ['-q', vsix, '-d', join(dir, 'content')]);
  const replace = (name, pattern, text) => {
    const file = join(dir, 'content', name);
    const before = readFileSync(file, 'utf8');
    assert.equal(before.split(pattern).length, 2, `${pattern} once in ${name}`);
    writeFileSync(file, before.replace(pattern, text));
  };
  replace('extension/package.json', /"version": "\d+\.\d+\.\d+"/, `"version": "${version}"`);
  replace('extension.vsixmanifest', /Id="acp-host" Version="[\d.]+"/, `Id="acp-host" Version="${version}"`);
  if (protocol !== undefined) replace('extension/dist/keeper.js', /type:"hello",protocol:\d+/, `type:"hello",protocol:${protocol}`);
  const file = join(dir, `${version}.vsix`);
  execFileSync('zip', ['-q', '-r', '-X', file, '.'], { cwd: join(dir, 'content') });
  return file;
}

describe('agents that outlive their window', function () {
  this.timeout(400_000);
  let agents;
  let server;
  let dir;
  let context;
  let read;

  before(async () => (read = await conversationReader()));
  afterEach(async function () {
    const pages = context?.pages() ?? [];
    if (this.currentTest.state === 'failed')
      await Promise.all(
        pages.map((page, at) => new VSCodeWindow(page, '').leaveEvidence(`keeper-windows-${at}-${this.currentTest.title}`)),
      );
    await context?.close();
    await server?.stop();
    context = undefined;
    // The agents of sessions that are open still wait for a window for a minute.
    if (dir) {
      await noKeeperLeft(dir, { timeoutMs: 90_000 });
      await noneLeft('scripted-agent.mjs kept-', { timeoutMs: 10_000 });
    }
  });

  async function start(...versions) {
    const { install, browser } = await theStage();
    dir = tempDir('keeper-windows');
    agents = { One: recorded(resumes, 'kept-one'), Two: recorded(resumes, 'kept-two') };
    const settings = {
      'acpHost.agents': { One: agents.One.entry, Two: agents.Two.entry },
      'acpHost.keepAgentsRunning': 'reload',
      'acpHost.permissions.present': 'card',
      'acpHost.notifications': 'off',
      'remote.autoForwardPorts': false,
    };
    await installExtension(install, dir, ...versions);
    server = await startServer(install, { dir, settings });
    const window = await openWindow(browser, server.url);
    context = window.page.context();
    return window;
  }

  async function another() {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return new VSCodeWindow(page, server.url);
  }

  const keepers = () => keepersOf(dir).filter(({ command }) => command.endsWith('keeper.js'));
  const agentsOf = (name) => processesOf(`scripted-agent.mjs kept-${name}`).filter(({ command }) => !command.includes('recorder.mjs'));

  it('in two windows on two folders each stay with their window, over reloads and killed hosts', async () => {
    const windows = [await start(vsix), await another()];
    for (const window of windows) {
      await window.page.bringToFront();
      await window.openFolder(copyWorkspace());
    }
    await windows[0].page.bringToFront();
    await speaking(windows[0], 'One', 'a', 900);
    await windows[1].page.bringToFront();
    await speaking(windows[1], 'Two', 'b', 900);
    const before = { keepers: keepers(), agents: [...agentsOf('one'), ...agentsOf('two')] };
    assert.equal(before.keepers.length, 2);
    assert.equal(before.agents.length, 2);
    // A window behind another one does not save its editors, so its chat may have to be opened again.
    const titles = ['Speak a;', 'Speak b;'];
    const stale = [];
    for (const [at, window] of windows.entries()) {
      await window.page.bringToFront();
      await window.page.reload({ waitUntil: 'domcontentloaded' });
      await window.ready();
      await opens(window, titles[at]);
      await until('its words', async () => wordsIn(await logOf(window), 'ab'[at]).length > 3);
      stale.push(await window.frameName());
    }
    processesOf(HOST).forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
    for (const [at, window] of windows.entries()) {
      await window.page.bringToFront();
      await opens(window, titles[at]);
      await window.panel({ other: stale[at] });
    }
    for (const [at, window] of windows.entries()) {
      await window.page.bringToFront();
      await isSpoken(window, 'ab'[at], 900);
    }
    assert.deepEqual({ keepers: keepers(), agents: [...agentsOf('one'), ...agentsOf('two')] }, before);
    for (const [id, { wire }] of Object.entries({ a: agents.One, b: agents.Two })) {
      const counts = isWhole(read(journalFileOf(storeOf(dir), `Speak ${id};`)), wire());
      console.log(`      ${id}: ${JSON.stringify(counts)}`);
    }
    for (const window of windows) {
      await window.page.bringToFront();
      await window.command('ACP: End Session');
    }
    await noKeeperLeft(dir);
  });

  it('stay with the first of two windows on one folder, and continue in the second when it is gone', async () => {
    const first = await start(vsix);
    const folder = copyWorkspace();
    await first.openFolder(folder);
    await speaking(first, 'One', 'c', 900);
    const before = { keepers: keepers(), agents: agentsOf('one') };
    const second = await another();
    await second.openFolder(folder);
    await opens(second, 'Speak c;');
    await until('the words in the second window', async () => wordsIn(await logOf(second), 'c').length > 3);
    await second.screenshot('keeper/second-window');
    console.log(`      the second window: ${(await bodyOf(second)).split('\n').slice(-6).join(' | ')}`);
    const count = wordsIn(await logOf(first), 'c').length;
    await until('the first window to go on', async () => wordsIn(await logOf(first), 'c').length > count + 20);
    assert.deepEqual({ keepers: keepers(), agents: agentsOf('one') }, before);
    await first.reload();
    await wait(6000);
    assert.deepEqual({ keepers: keepers(), agents: agentsOf('one') }, before);
    await first.page.close();
    await wait(3000);
    // The second window has the session by now, or gets it when it is opened.
    if (!(await new Conversation(second).stopButton.isVisible())) await opens(second, 'Speak c;');
    await isSpoken(second, 'c', 900);
    assert.deepEqual({ keepers: keepers(), agents: agentsOf('one') }, before);
    console.log(`      ${JSON.stringify(isWhole(read(journalFileOf(storeOf(dir), 'Speak c;')), agents.One.wire()))}`);
    await second.command('ACP: End Session');
    await noKeeperLeft(dir);
  });

  it('go on with their turn over an update of the extension', async () => {
    const window = await start(earlierVersion('0.0.8'));
    const folder = copyWorkspace();
    await window.openFolder(folder);
    await speaking(window, 'Two', 'd', 500);
    const present = { keepers: keepers(), agents: agentsOf('two') };
    assert.match(present.keepers[0].command, /acp-host-0\.0\.8/);
    const { install } = await theStage();
    await installExtension(install, dir, vsix);
    await window.reload();
    await window.panel();
    await isSpoken(window, 'd', 500);
    assert.deepEqual({ keepers: keepers(), agents: agentsOf('two') }, present);
    await window.command('ACP: End Session');
    await noKeeperLeft(dir);
    await speaking(window, 'Two', 'e', 20);
    assert.doesNotMatch(keepers()[0].command, /acp-host-0\.0\.8/);
    await window.command('ACP: End Session');
    await noKeeperLeft(dir);
  });

  it('end when they belong to another protocol, and the session resumes in the new version', async () => {
    const window = await start(earlierVersion('0.0.8', 0));
    await window.openFolder(copyWorkspace());
    await speaking(window, 'Two', 'f', 900);
    const present = [...keepersOf(dir), ...agentsOf('two')];
    const { install } = await theStage();
    await installExtension(install, dir, vsix);
    await window.reload();
    await window.panel();
    await until('the agent to be gone', () => present.every(({ pid }) => !alive(pid)), { timeoutMs: 30_000 });
    await until('the end of the turn', async () => (await bodyOf(window)).includes('Interrupted'));
    const spoken = wordsIn(await logOf(window), 'f');
    assert.deepEqual(spoken, numbered('f', spoken.length));
    await window.screenshot('keeper/earlier-protocol');
    const conversation = new Conversation(window);
    await conversation.prompt(`Go on ${script({ say: 'It goes on.' })}`);
    await until('the answer', async () => answersIn(await logOf(window)).includes('It goes on.'));
    assert.doesNotMatch(keepers()[0].command, /acp-host-0\.0\.8/);
    assert.deepEqual(wordsIn(await logOf(window), 'f'), spoken);
    await window.command('ACP: End Session');
    await noKeeperLeft(dir);
  });
});

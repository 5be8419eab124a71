// Agents that outlive the window: a turn goes on over a reload and a killed extension host, and a question waits for the next window.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { keepersOf, newestProcess, noKeeperLeft, noneLeft, processesOf, script, scripted } from './agents.mjs';
import { closeAll, opens, openWorkspace, startCommand, theStage } from './stage.mjs';

const WORDS = 240;
const words = (id) => script({ repeat: { times: WORDS, steps: [{ say: `${id}w\${n} ` }, { sleep: 60 }] } }, { say: `${id}end` });
/** The text without the scripts in the user's messages. */
const answersIn = (text) => text.replace(/@script.*/g, '');

describe('an agent that outlives the window', function () {
  this.timeout(180_000);
  let window;
  let folder;

  opens(async () => {
    ({ window, folder } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Kept: scripted({}, 'kept') },
        'acpHost.keepAgentsRunning': 'reload',
        'acpHost.permissions.present': 'card',
        'acpHost.notifications': 'off',
      },
    }));
  });

  afterEach(async () => {
    await closeAll();
    await noneLeft('scripted-agent.mjs kept', { timeoutMs: 20_000 });
    await noKeeperLeft((await theStage()).dir);
  });

  async function speaking(id) {
    const conversation = await newSession(window, 'Kept');
    await conversation.prompt(`Speak ${id}; ${words(id)}`);
    await until('the first words', async () => answersIn(await conversation.log.innerText()).includes(`${id}w2 `));
    assert.ok(keepersOf((await theStage()).dir).length > 0, 'no keeper has the agent');
    return { conversation, agent: newestProcess('scripted-agent.mjs kept') };
  }

  async function isWhole(conversation, id) {
    await until('the end of the turn', async () => answersIn(await conversation.log.innerText()).includes(`${id}end`), {
      timeoutMs: 60_000,
    });
    const text = answersIn(await conversation.log.innerText());
    const found = text.match(new RegExp(`${id}w\\d+`, 'g'));
    assert.deepEqual(
      found,
      Array.from({ length: WORDS }, (_, n) => `${id}w${n + 1}`),
    );
    const page = await conversation.frame.locator('body').innerText();
    assert.ok(!page.includes('Interrupted'), page);
  }

  it('goes on with its turn over a reload', async () => {
    const { agent } = await speaking('a');
    await window.reload();
    await window.panel();
    const conversation = new Conversation(window);
    await isWhole(conversation, 'a');
    assert.deepEqual(
      processesOf('scripted-agent.mjs kept').map(({ pid }) => pid),
      [agent],
    );
    await conversation.prompt(`Again; ${script({ say: 'spoken again' })}`);
    await conversation.says('spoken again');
  });

  it('goes on with its turn when the extension host is killed', async () => {
    const { agent } = await speaking('b');
    const stale = await window.frameName();
    process.kill(newestProcess('--type=extensionHost'), 'SIGKILL');
    await until('another extension host', async () => {
      await window.command('ACP: Open Session…');
      return window.pickRow('Speak b;', { timeoutMs: 8000 }).then(
        () => true,
        () => false,
      );
    });
    await window.panel({ other: stale });
    const conversation = new Conversation(window);
    const tabs = window.page.locator('.part.editor .tabs-container').getByRole('tab');
    await until('the page of the dead host to be closed', async () => (await tabs.count()) === 1);
    await isWhole(conversation, 'b');
    assert.deepEqual(
      processesOf('scripted-agent.mjs kept').map(({ pid }) => pid),
      [agent],
    );
  });

  it('asks the next window for a permission', async () => {
    const conversation = await newSession(window, 'Kept');
    const ask = { permission: { toolCall: { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make all' } } } };
    await conversation.prompt(`Ask; ${script(ask, { say: 'after the question' })}`);
    await conversation.permission('Ask first').first().waitFor();
    const before = (await conversation.log.innerText()).match(/Ask first/g)?.length;
    await window.reload();
    await window.panel();
    const again = new Conversation(window);
    await again.permission('Ask first').first().waitFor();
    await again.answer('Ask first', 'Allow');
    await again.says('after the question');
    assert.equal((await again.log.innerText()).match(/Ask first/g)?.length, before, 'the question is there once');
  });

  const before = (name) => `${name} 1\n${name} 2\n${name} 3\n`;
  const after = (name) => before(name).replace(' 2', ' two');
  const text = (name) => readFileSync(join(folder, name), 'utf8');
  /** An edit that the agent makes on the disk, after it has asked for it. */
  const edits = (name) => {
    const path = join(folder, name);
    const [oldText, newText] = [`${name} 2\n`, `${name} two\n`];
    const toolCall = { toolCallId: `edit-${name}`, title: `Edit ${name}`, kind: 'edit' };
    return [
      { tool: { ...toolCall, status: 'pending', locations: [{ path }], content: [{ type: 'diff', path, oldText, newText }] } },
      { permission: { toolCall } },
      { shell: `printf '${after(name).replaceAll('\n', '\\n')}' > '${path}'` },
      { toolUpdate: { toolCallId: toolCall.toolCallId, status: 'completed' } },
    ];
  };

  /** Begins a turn with two edits, which goes on until the second one is asked for. */
  async function editing(id, isFirstMade) {
    const names = [`${id}1.txt`, `${id}2.txt`];
    names.forEach((name) => writeFileSync(join(folder, name), before(name)));
    const conversation = await newSession(window, 'Kept');
    await conversation.prompt(`Edit ${id}; ${script({ sleep: 1500 }, ...names.flatMap(edits), { say: `${id} edited` })}`);
    await conversation.permission(`Edit ${names[0]}`).first().waitFor();
    if (isFirstMade) {
      await conversation.answer(`Edit ${names[0]}`, 'Allow');
      await conversation.permission(`Edit ${names[1]}`).first().waitFor();
      assert.equal(text(names[0]), after(names[0]));
    }
    return names;
  }

  /** Allows what is left, and returns the bar with the changes of the turn. */
  async function allowed(conversation, id, names) {
    for (const name of names) {
      await conversation.answer(`Edit ${name}`, 'Allow');
    }
    await conversation.says(`${id} edited`);
    await conversation.turnEnd();
    const bar = conversation.frame.getByRole('group', { name: 'Changes to review' });
    await bar.getByText('2 files changed').waitFor();
    return bar;
  }

  for (const isFirstMade of [false, true]) {
    const when = isFirstMade ? 'between its edits' : 'before its edits';
    it(`has the changes of a turn to undo when the window reloads ${when}`, async () => {
      const id = isFirstMade ? 'd' : 'c';
      const names = await editing(id, isFirstMade);
      await window.reload();
      await window.panel();
      const bar = await allowed(new Conversation(window), id, isFirstMade ? names.slice(1) : names);
      assert.deepEqual(names.map(text), names.map(after));
      // A click on what has just appeared does not count.
      await wait(1500);
      await bar.getByRole('button', { name: 'Undo', exact: true }).click();
      await window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Undo', exact: true }).click();
      await until('the bytes from before the turn', () => names.every((name) => text(name) === before(name)));
    });
  }

  it('takes back what it created and deleted before the window reloaded, and leaves a new file of an unknown author', async () => {
    const names = ['host.txt', 'reported.txt', 'silent.txt'];
    const [host, reported, silent] = names.map((name) => join(folder, `f-${name}`));
    // Long enough that no other file of the folder can be meant.
    const content = 'a line of a new file\n'.repeat(300);
    const created = (path) => `yes 'a line of a new file' | head -n 300 > '${path}'`;
    const report = { toolCallId: 'create', title: 'Create', kind: 'edit', status: 'completed', locations: [{ path: reported }] };
    const ask = { toolCallId: 'ask', title: 'Ask for more', kind: 'execute', rawInput: { command: 'make all' } };
    // No report has its deletion.
    const gone = join(folder, 'f-gone.txt');
    writeFileSync(gone, 'was there\n');
    const conversation = await newSession(window, 'Kept');
    await conversation.prompt(
      `Create f; ${script(
        { sleep: 1500 },
        { write: { path: host, content } },
        { shell: created(reported) },
        { tool: { ...report, content: [{ type: 'diff', path: reported, newText: content }] } },
        { shell: created(silent) },
        { shell: `rm '${gone}'` },
        { permission: { toolCall: ask } },
        { say: 'f created' },
      )}`,
    );
    await conversation.permission('Ask for more').first().waitFor();
    await window.reload();
    await window.panel();
    const again = new Conversation(window);
    await again.answer('Ask for more', 'Allow');
    await again.says('f created');
    await again.turnEnd();
    const bar = again.frame.getByRole('group', { name: 'Changes to review' });
    await bar.getByText('4 files changed').waitFor();
    // A click on what has just appeared does not count.
    await wait(1500);
    await bar.getByRole('button', { name: 'Undo', exact: true }).click();
    const dialog = window.page.locator('.monaco-dialog-box');
    const question = await dialog.innerText();
    assert.match(question, /Will be deleted: f-host\.txt, f-reported\.txt/);
    assert.match(question, /Will be created again: f-gone\.txt/);
    assert.match(question, /Author not known, because the window was away: f-silent\.txt/);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await until('the created files to be gone', () => !existsSync(host) && !existsSync(reported));
    assert.equal(readFileSync(silent, 'utf8'), content);
    await until('the deleted file to be back', () => existsSync(gone) && readFileSync(gone, 'utf8') === 'was there\n');
  });

  it('has a checkpoint of a turn in which the extension host is killed', async () => {
    const names = await editing('e', true);
    const stale = await window.frameName();
    process.kill(newestProcess('--type=extensionHost'), 'SIGKILL');
    await until('another extension host', async () => {
      await window.command('ACP: Open Session…');
      return window.pickRow('Edit e;', { timeoutMs: 8000 }).then(
        () => true,
        () => false,
      );
    });
    await window.panel({ other: stale });
    await allowed(new Conversation(window), 'e', names.slice(1));
    await startCommand('acpHost.restoreCheckpoint');
    await window.pickRow(/Edit e;/);
    await window.pickRow('Restore Files');
    await until('the restored bytes', () => names.every((name) => text(name) === before(name)));
  });
});

// The user's rules in two windows on two folders, and after a restart of VS Code.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, until, VSCodeWindow } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { vsix } from '../harness/lib/paths.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import { installExtension, startServer } from '../harness/lib/vscode.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { theStage } from '../e2e/stage.mjs';

const run = (command) => ({ permission: { toolCall: { toolCallId: command, title: command, kind: 'execute', rawInput: { command } } } });
const settings = {
  'acpHost.agents': { Scripted: scripted({}, 'permission-windows') },
  'acpHost.permissions.present': 'card',
  'remote.autoForwardPorts': false,
};
const rounds = 6;
/** A window learns of a change from its file watcher, which takes less than a second on an idle machine. */
const propagationMs = 5000;

describe('permission rules in two windows', function () {
  this.timeout(300_000);
  this.retries(0);
  const dir = tempDir('permission-windows');
  const folders = [copyWorkspace(), copyWorkspace()];
  let server;
  let windows;
  let conversations;

  const start = async (port) => {
    const { install } = await theStage();
    server = await startServer(install, { dir, settings, port });
  };

  /** Opens a window on each folder, and a session and the list of rules in each. */
  const open = async (context) => {
    const size = { width: 1400, height: 1200 };
    const pages = context ? [] : [await openWindow((await theStage()).browser, server.url, size)];
    const shared = context ?? pages[0].page.context();
    while (pages.length < 2) {
      const page = await shared.newPage();
      page.setDefaultTimeout(30_000);
      pages.push(new VSCodeWindow(page, server.url));
    }
    windows = pages;
    conversations = [];
    for (const [at, window] of windows.entries()) {
      await window.openFolder(folders[at]);
      conversations.push(await newSession(window, 'Scripted'));
      await window.command('ACP: Show Permission Rules');
      // A list shows only the rows for which it has space.
      await window.page.locator('.sidebar .pane-header', { hasText: 'Sessions' }).click();
    }
  };

  before(async () => {
    const { install } = await theStage();
    await installExtension(install, dir, vsix);
    await start();
    await open();
  });

  afterEach(async function () {
    if (this.currentTest.state === 'failed')
      await Promise.all(windows.map((window, at) => window.leaveEvidence(`permission-windows-${at}-${this.currentTest.title}`)));
  });

  after(async () => {
    await windows?.[0].page.context().close();
    await server?.stop();
  });

  const row = (at, text) => windows[at].page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  const lists = async (at, text) => (await row(at, text).count()) > 0;
  /** The commands of the rules in the settings of the machine. */
  const written = () => {
    const file = join(dir, 'data', 'Machine', 'settings.json');
    const { 'acpHost.permissions.rules': rules = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8') || '{}') : {};
    return rules.map(({ command }) => command);
  };
  /** Sends a request, and opens the menu of the rules on its card. */
  const offer = async (at, command) => {
    await conversations[at].prompt(script(run(command)));
    await conversations[at].permission(command).getByRole('button', { name: 'Make a Rule' }).waitFor();
    // No choice counts before the request could be read.
    await wait(1000);
    await conversations[at].permission(command).getByRole('button', { name: 'Make a Rule' }).click();
    const item = conversations[at].frame.getByRole('menuitem', { name: `Always allow \`${command}\`, in every folder` });
    await item.waitFor();
    return item;
  };
  /** Resolves to the time in ms from `start` until the condition holds. */
  const since = async (start, holds) => {
    for (const deadline = Date.now() + 20_000; !(await holds()); await wait(20)) assert.ok(Date.now() < deadline, String(holds));
    return Date.now() - start;
  };
  /** Resolves to the time of the click. */
  const revoke = async (at, text) => {
    const action = row(at, text).locator('.actions .action-label').and(windows[at].page.locator('[aria-label^="Revoke Rule"]'));
    // A list that is drawn again hides the actions until the pointer moves.
    for (let tries = 1; ; tries++) {
      await windows[at].page.mouse.move(0, 0);
      await row(at, text).hover();
      const before = Date.now();
      const isDone = await action.click({ timeout: 1000 }).then(
        () => true,
        () => false,
      );
      if (isDone) return before;
      if (tries === 10) throw new Error(`no action on the row “${text}”`);
    }
  };
  const isAsked = async (at, command) => {
    await conversations[at].prompt(script(run(command)));
    await conversations[at].answer(command, 'Reject');
    await conversations[at].turnEnd();
  };
  const isUnasked = async (at, command, said) => {
    await conversations[at].prompt(script(run(command), { say: said }));
    await conversations[at].says(`permission: selected allow ${said}`);
    await conversations[at].turnEnd();
  };

  it('a rule made in one counts in the other within a second, and its revocation, too', async () => {
    const go = [join(tempDir('go'), 'added'), join(tempDir('go'), 'revoked')];
    await conversations[1].prompt(script({ waitFile: go[0] }, run('npm test'), { waitFile: go[1] }, run('npm test'), { say: 'the end' }));
    const item = await offer(0, 'npm test');
    const made = Date.now();
    await item.click();
    const [stored, seen] = await Promise.all([since(made, () => written().includes('npm test')), since(made, () => lists(1, 'npm test'))]);
    console.log(`      made: in the settings after ${stored} ms, in the other window after ${seen} ms`);
    assert.ok(seen - stored < propagationMs, `${seen - stored} ms from window to window`);
    writeFileSync(go[0], '');
    await conversations[1].says('permission: selected allow');
    await Promise.all(windows.map((window, at) => window.screenshot(`permissions/two-windows-${at}`)));
    await conversations[0].turnEnd();

    const revoked = await revoke(0, 'npm test');
    const [here, removed, gone] = await Promise.all([
      since(revoked, async () => !(await lists(0, 'npm test'))),
      since(revoked, () => !written().includes('npm test')),
      since(revoked, async () => !(await lists(1, 'npm test'))),
    ]);
    console.log(`      revoked: gone after ${here} ms, from the settings after ${removed} ms, from the other window after ${gone} ms`);
    assert.ok(gone - removed < propagationMs, `${gone - removed} ms from window to window`);
    writeFileSync(go[1], '');
    await conversations[1].answer('npm test', 'Reject');
    await conversations[1].says('permission: selected reject');
    await conversations[1].turnEnd();
    await isAsked(0, 'npm test');
  });

  it('rules made in both at once are all kept', async () => {
    for (let round = 0; round < rounds; round++) {
      const items = await Promise.all([0, 1].map((at) => offer(at, `npm run both-${round}-${at}`)));
      await items[0].click();
      await wait(round * 150);
      await items[1].click();
      await Promise.all(conversations.map((each) => each.turnEnd()));
    }
    const all = Array.from({ length: rounds }, (_, round) => [0, 1].map((at) => `npm run both-${round}-${at}`)).flat();
    await wait(2000);
    assert.deepEqual(written().sort(), all.sort());
  });

  it('a rule made in one does not restore what the other has just revoked', async () => {
    for (let round = 0; round < rounds; round++) {
      const item = await offer(1, `npm run made-${round}`);
      await until('the row', () => lists(0, `both-${round}-0`));
      await revoke(0, `both-${round}-0`);
      await wait(round * 150);
      await item.click();
      await conversations[1].turnEnd();
    }
    await wait(2000);
    const kept = Array.from({ length: rounds }, (_, round) => [`npm run both-${round}-1`, `npm run made-${round}`]).flat();
    assert.deepEqual(written().sort(), kept.sort());
  });

  it('the rules survive a restart, and can be revoked after it', async () => {
    const context = windows[0].page.context();
    const keeper = await context.newPage();
    await Promise.all(windows.map(({ page }) => page.close()));
    await server.stop();
    await start(server.port);
    await open(context);
    await keeper.close();
    await isUnasked(0, 'npm run made-0', 'unasked in the first');
    await isUnasked(1, 'npm run made-0', 'unasked in the second');
    await windows[0].screenshot('permissions/after-restart');
    await until('the row', () => lists(1, 'made-0'));
    await revoke(1, 'made-0');
    await until('the rule to be gone', async () => !(await lists(0, 'made-0')));
    await isAsked(0, 'npm run made-0');
  });
});

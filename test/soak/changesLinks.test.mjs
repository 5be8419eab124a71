// A process of the agent plants symbolic links between the question and the user's answer, for Undo All and for Restore. No file outside of
// the workspace is written, and no content from there reaches the agent.
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { script, scripted } from '../e2e/agents.mjs';
import { clearWindow, openWorkspace, startCommand } from '../e2e/stage.mjs';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';

const SECRET = 'SECRET-OF-THE-USER-4711';
const NAMES = ['conf/one.txt', 'conf/two.txt', 'conf/deep/three.txt', 'alone.txt', 'plain.txt'];
const agents = {
  Planter: scripted(
    {
      initialize: {
        agentCapabilities: { sessionCapabilities: { resume: {}, close: {} }, promptCapabilities: { embeddedContext: true } },
      },
      keeps: true,
    },
    'changes-links',
  ),
};

describe('links planted before the user answers', function () {
  this.retries(0);
  let window;
  let folder;
  let outside;
  let conversation;

  beforeEach(async () => {
    const files = Object.fromEntries(NAMES.map((name) => [name, `${name} of the user\n`]));
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'git.enabled': false }, files }));
    outside = mkdtempSync(join(tmpdir(), 'outside-'));
    mkdirSync(join(outside, 'deep'));
    // The same texts as the agent's in the workspace, so that an undo that only compares the text would fit.
    for (const name of ['one.txt', 'deep/three.txt']) writeFileSync(join(outside, name), `${SECRET}\nby the agent\n`);
    writeFileSync(join(outside, 'alone.txt'), `${SECRET}\nby the agent\n`);
  });
  afterEach(async () => {
    await clearWindow();
    rmSync(outside, { recursive: true, force: true });
  });

  /** The content and times of every file outside. */
  const facts = () =>
    Object.fromEntries(
      readdirSync(outside, { recursive: true }).map((name) => {
        const at = join(outside, name);
        const { ino, size, mode, mtimeMs, ctimeMs } = lstatSync(at);
        return [name, [ino, size, mode, mtimeMs, ctimeMs, lstatSync(at).isFile() ? readFileSync(at, 'utf8') : '']];
      }),
    );

  async function agentWrites() {
    conversation = await newSession(window, 'Planter');
    const writes = NAMES.map((name) => `printf '${SECRET}\\nby the agent\\n' > '${name}'`).join(' && ');
    await conversation.prompt(
      script({ sleep: 1500 }, { shell: `cd '${folder}' && ${writes} && echo new > conf/new.txt` }, { say: 'Written.' }),
    );
    await conversation.says('Written.');
    await conversation.turnEnd();
    await wait(2000);
  }

  /** Does what a still running program of the agent can do. */
  function plant() {
    renameSync(join(folder, 'conf'), join(folder, 'elsewhere'));
    symlinkSync(outside, join(folder, 'conf'));
    rmSync(join(folder, 'alone.txt'));
    symlinkSync(join(outside, 'alone.txt'), join(folder, 'alone.txt'));
  }

  /** Resolves to the blocks that the agent receives with the next prompt. */
  async function reported() {
    const before = (await conversation.toldBlocks()).length;
    await conversation.prompt(script({ sayPrompt: true }));
    await conversation.turnEnd();
    return JSON.stringify((await conversation.toldBlocks()).slice(before));
  }

  async function nothingHappened(before) {
    await until('the other file to be put back', () => readFileSync(join(folder, 'plain.txt'), 'utf8') === 'plain.txt of the user\n');
    await wait(3000);
    assert.deepEqual(facts(), before, 'something outside was written');
    const report = await reported();
    // The agent wrote the secret itself into its own files: the files outside have an additional line.
    assert.ok(!report.includes('OUTSIDE-ONLY'), report);
    assert.deepEqual(facts(), before, 'something outside was written later');
  }

  it('are not followed by Undo All', async () => {
    await agentWrites();
    writeFileSync(join(outside, 'two.txt'), 'OUTSIDE-ONLY\n');
    const before = facts();
    await startCommand('acpHost.undoAllChanges');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await window.screenshot('changes-links/undo');
    plant();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await nothingHappened(before);
  });

  it('are not followed by Restore', async () => {
    await agentWrites();
    writeFileSync(join(outside, 'two.txt'), 'OUTSIDE-ONLY\n');
    const before = facts();
    await window.command('ACP: Restore Checkpoint…');
    await window.page.locator(quickRows).first().click();
    await window.pickRow('Select Files to Restore…');
    const ok = window.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' });
    await ok.waitFor();
    await until('the files to be listed', async () => (await window.page.locator(quickRows).count()) >= NAMES.length);
    await window.screenshot('changes-links/restore');
    plant();
    await ok.click();
    await nothingHappened(before);
  });
});

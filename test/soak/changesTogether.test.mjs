// Two sessions write the same file while the user types in it: the user's text survives the undo of each, saved or not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { script, scripted } from '../e2e/agents.mjs';
import { clearWindow, openWorkspace, startCommand } from '../e2e/stage.mjs';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';

const setup = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const agents = { First: scripted(setup, 'together-first'), Second: scripted(setup, 'together-second') };
const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
const TYPED = 'typed by the user';

describe('a file that two sessions and the user write', function () {
  this.retries(0);
  let window;
  let folder;

  beforeEach(async () => {
    const files = { 'both.txt': `${lines.join('\n')}\n`, 'other.txt': 'other\n' };
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'git.enabled': false }, files }));
  });
  afterEach(clearWindow);

  const stored = () => readFileSync(join(folder, 'both.txt'), 'utf8');
  const isSomewhere = async () => stored().includes(TYPED) || (await window.editorText()).includes(TYPED);

  /** Starts a turn that waits, changes one line of the file, and continues for a while. */
  async function begins(agent, line, delayMs) {
    const conversation = await newSession(window, agent);
    await conversation.prompt(
      script(
        { info: { title: agent } },
        { sleep: delayMs },
        { shell: `cd '${folder}' && sed -i 's/^line ${line}$/line ${line} by ${agent}/' both.txt && echo ${agent} > ${agent}.txt` },
        { say: `${agent} has written.` },
        { sleep: 6000 },
        { say: `${agent} is done.` },
      ),
    );
  }

  /** Waits for the writes of the turns, and for the user's typing between them. */
  async function together(saves) {
    await begins('First', 3, 9000);
    await begins('Second', 25, 12_000);
    await window.openFile('both.txt');
    if (saves) {
      await until('the first to write', () => stored().includes('by First'), { timeoutMs: 40_000 });
      await until('the editor to show it', async () => (await window.editorText()).includes('by First'), { timeoutMs: 20_000 });
    }
    await window.typeInEditor(`${TYPED}\n`, { at: 'start' });
    if (saves) await window.page.keyboard.press('Control+s');
    await until('both to write', () => stored().includes('by First') && stored().includes('by Second'), { timeoutMs: 40_000 });
    assert.ok(await isSomewhere(), 'before any undo');
    await wait(12_000);
  }

  /** Undoes everything as the user, as long as there is a change, and removes no newer version. */
  async function undoAll(check) {
    for (let times = 0; times < 2; times++) {
      await startCommand('acpHost.undoAllChanges');
      const undo = window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Undo', exact: true });
      if (await appears(undo, 4000)) await undo.click();
      await wait(4000);
      await check();
    }
  }

  for (const saves of [true, false]) {
    it(`keeps the ${saves ? 'saved' : 'unsaved'} text of the user when all changes are undone`, async () => {
      await together(saves);
      await undoAll(async () => assert.ok(await isSomewhere(), 'the text of the user is gone'));
      await window.screenshot(`changes-together/${saves ? 'saved' : 'unsaved'}`);
      if (saves) assert.ok(stored().includes(TYPED), 'it was on the disk');
      else assert.ok(await window.isDirty('both.txt'), 'it is still the user who saves it');
    });

    it(`keeps the ${saves ? 'saved' : 'unsaved'} text of the user when the file is undone for one session after the other`, async () => {
      await together(saves);
      for (let times = 0; times < 2; times++) {
        await startCommand('acpHost.undoFileChanges');
        const undo = window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Undo', exact: true });
        if (await appears(undo, 4000)) await undo.click();
        await wait(3000);
        assert.ok(await isSomewhere(), `the text of the user is gone after ${times + 1}`);
      }
    });
  }
});

// The extension host is killed (SIGKILL) at random moments of a restore of 300 files. At that moment each file has its complete old or new
// content. The next window finishes the restore, and reports it.
//
//   ACP_HOST_SOAK_RESTORES=50 ACP_HOST_SOAK_SEED=4711 node test/harness/e2e.mjs --soak changesKill
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestProcess, script, scripted } from '../e2e/agents.mjs';
import { opens, openWorkspace } from '../e2e/stage.mjs';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';

const ROUNDS = Number(process.env.ACP_HOST_SOAK_RESTORES ?? 50);
const SEED = Number(process.env.ACP_HOST_SOAK_SEED ?? Date.now() % 1_000_000);
const FILES = 300;
/** The maximum duration in ms of the first restore of a run; later ones are measured. */
const FIRST_MS = 4000;
/** The message about a finished interrupted restore. */
const FINISHED = /An interrupted restore was completed\. Restored \d+ files?\./;

describe('a killed restore', function () {
  this.timeout(ROUNDS * 90_000 + 300_000);
  this.retries(0);
  const random = numbers(SEED);
  const agents = {
    Writer: scripted(
      { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true, uniqueIds: true },
      'changes-kill',
    ),
  };
  let window;
  let folder;
  let conversation;
  /** The time in ms from confirming a restore to its end. */
  let takes = FIRST_MS;

  opens(async () => {
    ({ window, folder } = await openWorkspace({
      userSettings: {
        'acpHost.agents': agents,
        'acpHost.defaultAgent': 'Writer',
        'acpHost.notifications': 'off',
        'acpHost.changes.review': 'off',
        'git.enabled': false,
        'files.watcherExclude': { '**/many/**': true },
      },
      // A separate window: it is reloaded repeatedly.
      prepare: (workspace) => {
        mkdirSync(join(workspace, 'many'));
        names().forEach((name, index) => writeFileSync(join(workspace, 'many', name), contentOf('begin', index)));
        return workspace;
      },
    }));
    conversation = await newSession(window, undefined);
  });

  const names = () => Array.from({ length: FILES }, (_, index) => `f${String(index).padStart(3, '0')}.txt`);
  /** The sizes are from 60 bytes to 60 KB, so that some writes take several calls. */
  const contentOf = (word, index) =>
    `${word} of file ${index}, a line of sixty bytes or about that many\n`.repeat(index % 50 === 0 ? 1000 : 1 + (index % 40));
  const read = () => new Map(names().map((name) => [name, readFileSync(join(folder, 'many', name), 'utf8')]));

  /** Makes the agent write every file, once the copies are taken. */
  async function agentWrites(word) {
    const program = `const fs=require('fs');for(let i=0;i<${FILES};i++)fs.writeFileSync('many/f'+String(i).padStart(3,'0')+'.txt',('${word} of file '+i+', a line of sixty bytes or about that many\\\\n').repeat(i%50===0?1000:1+i%40))`;
    await conversation.prompt(
      script(
        { info: { title: 'Killed restores' } },
        { sleep: 1500 },
        { shell: `cd '${folder}' && '${process.execPath}' -e "${program}"` },
        { say: `${word} written.` },
      ),
    );
    await conversation.says(`${word} written.`, { timeoutMs: 60_000 });
    await conversation.turnEnd();
  }

  /** Resolves when the restore of the newest message's files has begun. */
  async function restoreBegins() {
    // The turn's record may be written some time after its end.
    await until(
      'the files to be recorded',
      async () => {
        await window.dismiss();
        await window.command('ACP: Restore Checkpoint…');
        await window.page.locator(quickRows).first().click();
        return window.pickRow(/^\s*Restore Files\s*$/, { timeoutMs: 4000 }).then(
          () => true,
          () => false,
        );
      },
      { timeoutMs: 60_000 },
    );
  }

  /** Fails for a file with any other content; returns the number of restored files. */
  function wholeFiles(before, after, found, when) {
    let restored = 0;
    for (const [name, text] of found) {
      const [old, wanted] = [after.get(name), before.get(name)];
      assert.ok(
        text === old || text === wanted,
        `${when}: ${name} has ${text.length} bytes, neither the old ${old.length} nor the new ${wanted.length}: ${JSON.stringify(text.slice(0, 60))}`,
      );
      restored += text === wanted ? 1 : 0;
    }
    return restored;
  }

  it(`at ${ROUNDS} moments leaves each file old or new, and is finished by the next window`, async () => {
    console.log(`      ACP_HOST_SOAK_SEED=${SEED}`);
    const counts = { before: 0, during: 0, after: 0 };
    for (let round = 0; round <= ROUNDS; round++) {
      const before = read();
      await agentWrites(`r${round}`);
      const after = read();
      assert.notDeepEqual(after, before);
      await restoreBegins();
      const began = Date.now();
      if (round === 0) {
        // The duration of a restore without a kill.
        await until('the restore', () => wholeFiles(before, after, read(), 'undisturbed') === FILES, { timeoutMs: 60_000 });
        takes = Date.now() - began;
        console.log(`      a restore takes ${takes} ms`);
        continue;
      }
      const moment = Math.round(random() * takes * 1.1);
      await wait(moment);
      const host = newestProcess('--type=extensionHost');
      assert.ok(host !== undefined, 'no extension host');
      process.kill(host, 'SIGKILL');
      await wait(100);
      const when = `round ${round}, killed after ${moment} ms`;
      const restored = wholeFiles(before, after, read(), when);
      await window.page.reload({ waitUntil: 'domcontentloaded' });
      await window.ready();
      await window.panel({ timeoutMs: 60_000 });
      conversation = new Conversation(window);
      await conversation.says(`r${round} written.`, { timeoutMs: 60_000 });
      await resumed();
      const isDuring = restored > 0 && restored < FILES;
      if (isDuring) {
        await until(`${when}: the rest to be restored`, () => wholeFiles(before, after, read(), `${when}, later`) === FILES, {
          timeoutMs: 30_000,
        });
        await window.notification(FINISHED, { timeoutMs: 20_000 });
      } else {
        await wait(1500);
        const later = wholeFiles(before, after, read(), `${when}, later`);
        assert.ok(later === FILES || later === restored, `${when}: ${later} of ${FILES} are restored`);
      }
      counts[isDuring ? 'during' : restored === 0 ? 'before' : 'after']++;
      assert.deepEqual(leftovers(), [], when);
      console.log(`      ${round} of ${ROUNDS}: killed after ${moment} ms, ${restored} of ${FILES} files were restored by then`);
      await window.page.keyboard.press('Escape');
    }
    console.log(`      killed before a file was written: ${counts.before}, between: ${counts.during}, after the last: ${counts.after}`);
    assert.ok(ROUNDS < 10 || counts.during >= ROUNDS / 5, 'too few were killed between two files');
  });

  /** Names in the folder that do not belong to the user's files. */
  function leftovers() {
    const wanted = new Set(names());
    return readdirSync(join(folder, 'many')).filter((name) => !wanted.has(name));
  }

  /** Resumes the session at the agent. */
  async function resumed() {
    const resume = conversation.frame.getByRole('button', { name: /^(Resume|Restart)$/ }).first();
    if (await appears(resume, 2000)) await resume.click().catch(() => undefined);
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

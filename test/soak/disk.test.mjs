// A full disk, also when the extension host is killed: a small disk is mounted at the sessions' storage folder (Linux, as root).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { newestProcess, script } from '../e2e/agents.mjs';
import { openWorkspace, theStage } from '../e2e/stage.mjs';
import { journals, recorded, saidIn, storeOf } from './recorded.mjs';

const SIZE = '2m';
const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const SAID = "The disk is full, so this session isn't being saved.";

describe('a full disk', function () {
  this.timeout(400_000);
  const agent = recorded(resumes, 'disk');
  let window;
  let disk;

  before(async function () {
    const { dir } = await theStage();
    const place = dirname(storeOf(dir));
    ({ window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Keeper: agent.entry }, 'acpHost.changes.review': 'off', 'acpHost.checkpoints.enabled': false },
      prepare: async (workspace) => {
        rmSync(place, { recursive: true, force: true, maxRetries: 5 });
        mkdirSync(place, { recursive: true });
        try {
          execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', place], { stdio: 'pipe' });
          disk = place;
        } catch (error) {
          console.log(`      no small disk here: ${error.message.split('\n')[0]}`);
        }
        return workspace;
      },
    }));
    if (!disk) this.skip();
  });
  after(() => disk && execFileSync('umount', ['-l', disk]));

  const filler = () => join(disk, 'filler');
  /** Fills the remaining space. */
  function fill() {
    const chunk = Buffer.alloc(16 * 1024);
    for (const size of [chunk.length, 512]) {
      for (;;) {
        try {
          writeFileSync(filler(), chunk.subarray(0, size), { flag: 'a' });
        } catch (error) {
          assert.equal(error.code, 'ENOSPC');
          break;
        }
      }
    }
  }
  const free = () => rmSync(filler(), { force: true });
  const answersIn = (text) => text.replace(/@script.*/g, '');
  const wordsIn = (text, id) => answersIn(text).match(new RegExp(`${id}w\\d+`, 'g')) ?? [];
  const numbered = (id, count) => Array.from({ length: count }, (_, n) => `${id}w${n + 1}`);
  const speak = (id, times) => script({ repeat: { times, steps: [{ say: `${id}w\${n} ` }, { sleep: 20 }] } });
  const kept = () => [...journals(join(disk, 'store')).values()].find((lines) => saidIn(lines).some((each) => each.includes('Speak a;')));
  const onDisk = (id) => wordsIn(saidIn(kept() ?? []).join('\n'), id);

  it('is reported once in plain words; the session continues, and everything is saved when there is space', async () => {
    const conversation = await newSession(window, 'Keeper');
    await conversation.prompt(`Speak a; ${speak('a', 300)}`);
    await until('some words', async () => wordsIn(await conversation.log.innerText(), 'a').length > 20);
    fill();
    await conversation.frame.getByText(SAID).first().waitFor();
    await window.screenshot('disk/full');
    await conversation.turnEnd();
    assert.deepEqual(wordsIn(await conversation.log.innerText(), 'a'), numbered('a', 300));
    await conversation.prompt(`Speak b; ${speak('b', 40)}`);
    await until('the answer', async () => wordsIn(await conversation.log.innerText(), 'b').length === 40);
    await conversation.turnEnd();
    assert.equal((await conversation.log.innerText()).split(SAID).length, 2, 'it is said once');
    // All lines are complete and correct.
    const before = onDisk('a');
    assert.deepEqual(before, numbered('a', before.length));
    assert.ok(before.length < 300, 'the disk was not full');
    free();
    await until('all of it on the disk', () => onDisk('a').length === 300 && onDisk('b').length === 40, { timeoutMs: 15_000 });
    assert.deepEqual(onDisk('a'), numbered('a', 300));
    assert.deepEqual(onDisk('b'), numbered('b', 40));
  });

  it('keeps the written part when the host is killed too, and the session continues', async () => {
    const conversation = new Conversation(window);
    await conversation.prompt(`Speak c; ${speak('c', 400)}`);
    await until('some words', async () => wordsIn(await conversation.log.innerText(), 'c').length > 50);
    await wait(2000);
    const written = onDisk('c').length;
    assert.ok(written > 0);
    fill();
    await wait(1500);
    process.kill(newestProcess('--type=extensionHost'), 'SIGKILL');
    const left = onDisk('c');
    assert.deepEqual(left, numbered('c', left.length));
    assert.ok(left.length >= written);
    await wait(3000);
    await window.page.reload({ waitUntil: 'domcontentloaded' });
    await window.ready();
    // With the disk still full, the session opens, at least read-only.
    await window.command('ACP: Open Session…');
    await window.pickRow('Speak a;');
    await window.panel();
    const again = new Conversation(window);
    await until('what was written', async () => wordsIn(await again.log.innerText(), 'c').length >= left.length);
    assert.deepEqual(wordsIn(await again.log.innerText(), 'c'), left);
    await window.screenshot('disk/killed');
    await again.prompt(`Speak d; ${speak('d', 10)}`);
    await until('the answer', async () => wordsIn(await again.log.innerText(), 'd').length === 10);
    await again.turnEnd();
    assert.equal((await again.log.innerText()).split('Speak d;').length, 2);
    free();
    await until('all of it on the disk', () => onDisk('d').length === 10, { timeoutMs: 15_000 });
    assert.deepEqual(onDisk('c'), left);
    await window.command('ACP: End Session');
  });
});

/** A journal on a full disk, and one that a crash has cut: no whole event is lost, and the journal continues. */
import assert from 'node:assert/strict';
import { type FileHandle, open } from 'node:fs/promises';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { Journal, type JournalFile } from '../../../../src/session/journal/journal';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';
import { reducePortions, parseJournal } from '../../../../src/session/journal/journalReader';
import { Sessions } from '../../../../src/session/sessions';
import { SessionStore } from '../../../../src/session/state/store';
import { chunk } from '../../../support/events';
import { FakeClock } from '../permission/fakes';
import { fakeDependencies, launch, quiet, turn } from '../fakes';
import { lines } from '../earlierScene';
import { setup } from '../sessionOutline';

const header = { acpHostJournal: 1, key: 'k', agentName: 'A', cwd: '/w', createdAt: 5 } as const;

describe('a journal on a full disk', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'acp-host-full-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const text = (): string => readFileSync(path.join(folder, 'k.jsonl'), 'utf8');

  it('is always whole, reports the failure once, and has every event when there is room again', async () => {
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    let isFull = false;
    const file = new JournalFiles(folder).file('k');
    const told: string[] = [];
    // A full disk writes as much as it has room for, and then fails.
    const prototype = await handlePrototype();
    const append = prototype.appendFile;
    prototype.appendFile = async function (this: FileHandle, data, ...rest) {
      if (isFull) {
        await append.call(this, String(data).slice(0, 30), ...rest);
        throw full();
      }
      return append.call(this, data, ...rest);
    };
    try {
      const journal = new Journal(file, store, clock, quiet, header, undefined, false, {
        unsaved: (error) => told.push((error as NodeJS.ErrnoException).code!),
        saved: () => told.push('saved'),
      });
      store.append(chunk('one'));
      await journal.flush();
      isFull = true;
      for (let round = 0; round < 5; round++) {
        store.append(chunk(`lost ${round}?`));
        await journal.flush();
        clock.pass(2500);
        await journal.flush();
        const read = parseJournal(text())!;
        assert.deepEqual([read.events.length, read.skipped], [1, 0]);
      }
      assert.deepEqual(told, ['ENOSPC']);
      isFull = false;
      clock.pass(2500);
      store.append(chunk('last'));
      await journal.flush();
      assert.deepEqual(told, ['ENOSPC', 'saved']);
      const { events, skipped } = parseJournal(text())!;
      assert.equal(skipped, 0);
      assert.deepEqual(events.reduce(reduce, EMPTY_STATE).entries.slice(), store.state.entries.slice());
      assert.equal(events.length, 7);
    } finally {
      prototype.appendFile = append;
    }
  });

  it('is reported in the conversation, which continues', async () => {
    const fakes = fakeDependencies();
    const make = fakes.deps.journals.file.bind(fakes.deps.journals);
    let isFull = true;
    fakes.deps.journals.file = (of) => {
      const file: JournalFile = make(of);
      return { ...file, append: (all) => (isFull ? Promise.reject(full()) : file.append(all)) };
    };
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    await sessions.flush();
    await turn();
    assert.deepEqual(lines(session), ['notice session.disk_full']);
    assert.equal(session.store.state.status, 'ready');
    session.prompt([{ type: 'text', text: 'go' }]);
    isFull = false;
    fakes.clock.pass(3000);
    await sessions.flush();
    const read = parseJournal(fakes.journals.get(session.key)!)!;
    assert.deepEqual(read.events.reduce(reduce, EMPTY_STATE).entries.slice(), session.store.state.entries.slice());
    sessions.dispose();
  });

  (process.platform === 'linux' ? it : it.skip)('stays readable when the system stops a write in the middle of a line', () => {
    const script = `
      const { JournalFiles } = require(${JSON.stringify(path.resolve('src/session/journal/journalFiles.ts'))});
      process.on('SIGXFSZ', () => undefined);
      void (async () => {
        const file = new JournalFiles(${JSON.stringify(folder)}).file('k');
        await file.append(${JSON.stringify(JSON.stringify(header) + '\n')});
        for (let seq = 0; ; seq++) {
          await file.append(JSON.stringify({ seq, event: { at: 1, type: 'turn_cancelling', pad: 'x'.repeat(333) } }) + '\\n');
        }
      })().catch((error) => process.stdout.write(error.code));`;
    const runner = path.resolve('test/support/tsx.cjs');
    const { stdout } = spawnSync('bash', ['-c', 'ulimit -f 8; exec "$0" --require "$1" -e "$2"', process.execPath, runner, script], {
      encoding: 'utf8',
      env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    });
    assert.match(stdout, /EFBIG|ENOSPC/);
    const { events, skipped } = parseJournal(text())!;
    assert.equal(skipped, 0);
    assert.ok(events.length > 10);
  });
});

describe('a journal that a crash has cut', () => {
  it('opens at every byte of its last 4 KB, has every whole event, and continues', async function () {
    this.timeout(120_000);
    const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-cut-'));
    const file = path.join(folder, 'k.jsonl');
    const events = Array.from({ length: 60 }, (_, seq) => ({
      seq,
      event: { ...chunk(`pièce ${seq} 👋 `.repeat((seq % 7) + 1)), at: 1000 + seq },
    }));
    const all = [JSON.stringify(header), ...events.map((event) => JSON.stringify(event))];
    const bytes = Buffer.from(all.join('\n') + '\n');
    const files = new JournalFiles(folder);
    let before = -1;
    /** The file is larger than the checked part. */
    let goesOn = true;
    for (let end = bytes.length - 4096; end <= bytes.length; end++) {
      if (goesOn) {
        writeFileSync(file, bytes.subarray(0, end));
      } else {
        appendFileSync(file, bytes.subarray(end - 1, end));
      }
      goesOn = end % 64 === 0;
      const whole = bytes.subarray(0, end).toString('latin1').split('\n').length - 2;
      const read = await reducePortions(files.portions('k'));
      // A line that lacks only its line feed is whole too.
      const isLast = bytes[end] === 10;
      assert.equal(read?.next, whole + (isLast ? 1 : 0), `${end}`);
      if (read.next !== before) {
        before = read.next;
        const expected = events
          .slice(0, read.next)
          .map(({ event }) => event)
          .reduce(reduce, EMPTY_STATE);
        assert.deepEqual(read.state.entries.slice(), expected.entries.slice());
      }
      if (goesOn) {
        const clock = new FakeClock();
        const store = new SessionStore(clock);
        store.adopt(read.state, read.next);
        const journal = new Journal(new JournalFiles(folder).file('k'), store, clock, quiet, header, undefined, true);
        store.append(chunk('goes on'));
        await journal.flush();
        journal.dispose();
        const again = await reducePortions(files.portions('k'));
        assert.deepEqual(again?.state.entries.slice(), store.state.entries.slice(), `${end}`);
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });
});

async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(__filename, 'r');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

/** The lock of all processes: what a crash leaves, and what Windows refuses, never makes a later writer wait without end. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { withFileLock } from '../../../src/util/fileLock';

describe('a file lock', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'acp-host-lock-'));
    file = path.join(folder, 'a.lock');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is held by one at a time, and leaves nothing', async () => {
    let running = 0;
    const run = async (): Promise<number> => {
      assert.equal(++running, 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      return running--;
    };
    assert.equal((await Promise.all(Array.from({ length: 12 }, () => withFileLock(file, run)))).length, 12);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is taken from a process that is gone, and from one that wrote nothing before it ended', async () => {
    for (const left of [`4194303 ${hostname()} left`, '']) {
      writeFileSync(file, left);
      utimesSync(file, new Date(0), new Date(0));
      assert.equal(await withFileLock(file, async () => 'run'), 'run');
      assert.equal(existsSync(file), false);
    }
  });

  it('is not waited for when a folder has its name', async () => {
    mkdirSync(file);
    for (const platform of ['win32', 'linux'] as const) {
      await assert.rejects(
        withFileLock(file, async () => 'run', 5000, { platform }),
        (error: NodeJS.ErrnoException) => /^(?:EEXIST|EISDIR|EPERM|EACCES)$/.test(error.code ?? ''),
      );
    }
  });

  it('is not waited for without end when Windows refuses to create it', async () => {
    let calls = 0;
    const create = async (): Promise<void> => {
      calls++;
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    await assert.rejects(
      withFileLock(file, async () => 'run', 5000, { platform: 'linux', create }),
      { code: 'EPERM' },
    );
    assert.equal(calls, 1);
    await assert.rejects(
      withFileLock(file, async () => 'run', 5000, { platform: 'win32', refusedMs: 50, create }),
      { code: 'EPERM' },
    );
    assert.ok(calls > 2);
  });
});

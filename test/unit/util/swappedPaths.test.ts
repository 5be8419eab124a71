/** Files and folders that are swapped between the check of a path and its use: no byte may come from outside or go there. */
import { strict as assert } from 'node:assert';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import nodeFiles from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { DiskBytes } from '../../../src/util/checkedBytes';
import type { DiskSystem } from '../../../src/util/diskSystem';
import { RootCheck } from '../../../src/util/roots';

const ROUNDS = 300;
const INSIDE = 'inside';
const OUTSIDE = 'SECRET';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `resolved ${value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)}`,
    (error: NodeJS.ErrnoException) => error.code ?? String(error),
  );
}

describe('a path that is swapped', () => {
  let top: string;
  let at: (name: string) => string;

  beforeEach(() => {
    top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-swap-')));
    at = (name) => path.join(top, name);
    for (const folder of ['root/sub', 'outside/sub']) {
      mkdirSync(at(folder), { recursive: true });
    }
    for (const name of ['a.txt', 'sub/a.txt']) {
      writeFileSync(at(`root/${name}`), INSIDE);
      writeFileSync(at(`outside/${name}`), OUTSIDE);
    }
  });

  afterEach(function () {
    this.timeout(20_000);
    rmSync(top, { recursive: true, force: true });
  });

  /** All contents of a folder, as text. */
  const contents = (folder: string): string[] =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => `${name} ${statSync(at(path.join(folder, name))).isFile() ? readFileSync(at(path.join(folder, name)), 'utf8') : '/'}`);

  const swapFile = (): void => {
    unlinkSync(at('root/sub/a.txt'));
    symlinkSync(at('outside/sub/a.txt'), at('root/sub/a.txt'));
  };
  const swapFolder = (): void => {
    renameSync(at('root/sub'), at('root/moved'));
    symlinkSync(at('outside/sub'), at('root/sub'));
  };
  const swapBack = (): void => {
    unlinkSync(at('root/sub'));
    renameSync(at('root/moved'), at('root/sub'));
  };

  for (const platform of ['linux', 'darwin'] as const) {
    describe(`on ${platform}`, () => {
      /** The system with callbacks directly before and after each opening. */
      const disk = (before: () => void, after: () => void = () => undefined): DiskBytes => {
        const system: DiskSystem = {
          ...nodeFiles,
          platform,
          open: async (...asked) => {
            before();
            try {
              return await nodeFiles.open(...asked);
            } finally {
              after();
            }
          },
        };
        return new DiskBytes(system);
      };
      const once = (act: () => void): (() => void) => {
        let done = false;
        return () => {
          if (!done) {
            act();
          }
          done = true;
        };
      };

      for (const [what, swap] of [
        ['file', swapFile],
        ['folder', swapFolder],
      ] as const) {
        it(`is not read when its ${what} became a symlink`, async () => {
          assert.match(await codeOf(disk(once(swap)).read(at('root/sub/a.txt'))), /^(ELOOP|ESTALE)$/);
        });

        it(`is not written when its ${what} became a symlink`, async () => {
          for (const before of [INSIDE, OUTSIDE]) {
            assert.match(await codeOf(disk(once(swap)).replace(at('root/sub/a.txt'), bytesOf(before), bytesOf('new'))), /^(ELOOP|ESTALE)$/);
            rmSync(at('root'), { recursive: true });
            mkdirSync(at('root/sub'), { recursive: true });
            writeFileSync(at('root/sub/a.txt'), INSIDE);
          }
          assert.deepEqual(contents('outside'), ['a.txt SECRET', 'sub /', 'sub/a.txt SECRET']);
        });
      }

      it('is not created in a folder that became a symlink', async () => {
        for (const name of ['new.txt', 'deep/er/new.txt']) {
          assert.match(
            await codeOf(disk(once(swapFolder)).create(at(`root/sub/${name}`), bytesOf('new'))),
            /^(ELOOP|ENOENT|ENOTDIR|ESTALE)$/,
            name,
          );
          swapBack();
        }
        assert.deepEqual(contents('outside'), ['a.txt SECRET', 'sub /', 'sub/a.txt SECRET']);
      });

      it('is not created through a symlink at its own path', async () => {
        symlinkSync(at('outside/made.txt'), at('root/made.txt'));
        assert.equal(await codeOf(disk(() => undefined).create(at('root/made.txt'), bytesOf('new'))), 'EEXIST');
        assert.equal(existsSync(at('outside/made.txt')), false);
      });

      it('is detected even when it was swapped back directly after the opening', async () => {
        const swapped = disk(swapFolder, swapBack);
        assert.equal(await codeOf(swapped.read(at('root/sub/a.txt'))), 'ESTALE');
        assert.equal(await codeOf(swapped.replace(at('root/sub/a.txt'), bytesOf(OUTSIDE), bytesOf('new'))), 'ESTALE');
        assert.deepEqual(contents('outside'), ['a.txt SECRET', 'sub /', 'sub/a.txt SECRET']);
      });

      it('is used when another program saved it meanwhile as a new file', async () => {
        const save = (text: string) => () => {
          writeFileSync(at('root/sub/~a'), text);
          renameSync(at('root/sub/~a'), at('root/sub/a.txt'));
        };
        assert.equal(await codeOf(disk(() => undefined, once(save('saved'))).read(at('root/sub/a.txt'))), 'resolved saved');
        assert.equal(
          await codeOf(disk(() => undefined, once(save('again'))).replace(at('root/sub/a.txt'), bytesOf('saved'), bytesOf('new'))),
          'resolved false',
        );
        assert.equal(readFileSync(at('root/sub/a.txt'), 'utf8'), 'again');
      });

      it('keeps inode, mode and links when it is written, and is not written when it is read-only', async () => {
        const file = at('root/sub/a.txt');
        linkSync(file, at('root/second'));
        await nodeFiles.chmod(file, 0o640);
        const before = statSync(file);
        const plain = disk(() => undefined);
        assert.equal(await plain.replace(file, bytesOf(INSIDE), bytesOf('in')), true);
        assert.equal(readFileSync(at('root/second'), 'utf8'), 'in');
        const after = statSync(file);
        assert.deepEqual([after.ino, after.mode & 0o777, after.nlink], [before.ino, 0o640, 2]);
        await nodeFiles.chmod(file, 0o440);
        assert.equal(await codeOf(plain.replace(file, bytesOf('in'), bytesOf('no'))), 'EACCES');
      });

      it('is refused when it is a folder or too long', async () => {
        const plain = disk(() => undefined);
        assert.equal(await codeOf(plain.read(at('root/sub'))), 'EISDIR');
        assert.equal(await codeOf(plain.read(at('root/sub/a.txt'), 3)), 'EFBIG');
        assert.equal((await plain.stat(at('root/sub'))).kind, 'directory');
        symlinkSync(at('root/a.txt'), at('root/link'));
        assert.equal((await plain.stat(at('root/link'))).kind, 'other', 'links lead nowhere here');
      });

      it('is created with its folders', async () => {
        const plain = disk(() => undefined);
        await plain.create(at('root/x/y/z.txt'), bytesOf('new'));
        assert.equal(readFileSync(at('root/x/y/z.txt'), 'utf8'), 'new');
        assert.equal(await codeOf(plain.create(at('root/x/y/z.txt'), bytesOf('newer'))), 'EEXIST');
        assert.equal(await codeOf(plain.create(at('root/a.txt/y/z.txt'), bytesOf('new'))), 'ENOTDIR');
        assert.deepEqual(
          readdirSync('/proc/self/fd').filter(
            (fd) => lstatSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false }) && linkOf(fd).startsWith(top),
          ),
          [],
          'nothing is left open',
        );
      });
    });
  }

  const linkOf = (fd: string): string => {
    try {
      return realpathSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  };

  (process.platform === 'linux' ? it : it.skip)(
    'never reads or writes a byte outside, while another thread swaps as fast as it can',
    async function () {
      this.timeout(60_000);
      const worker = new Worker(
        `const fs = require('node:fs');
       const { sub, moved, outside, file, fileOutside } = require('node:worker_threads').workerData;
       const attempt = (act) => { try { act(); } catch {} };
       for (;;) {
         // Who made files in a place that was empty for a moment has made the folder anew.
         if (fs.existsSync(moved)) attempt(() => fs.rmSync(sub, { recursive: true, force: true }));
         attempt(() => fs.renameSync(moved, sub));
         attempt(() => fs.renameSync(sub, moved));
         attempt(() => fs.symlinkSync(outside, sub));
         attempt(() => fs.unlinkSync(sub));
         attempt(() => fs.renameSync(moved, sub));
         attempt(() => { fs.unlinkSync(file); fs.symlinkSync(fileOutside, file); });
         attempt(() => { fs.unlinkSync(file); fs.writeFileSync(file, 'inside'); });
       }`,
        {
          eval: true,
          workerData: {
            sub: at('root/sub'),
            moved: at('root/moved'),
            outside: at('outside/sub'),
            file: at('root/a.txt'),
            fileOutside: at('outside/a.txt'),
          },
        },
      );
      const bytes = new DiskBytes();
      const check = new RootCheck({ cwd: at('root'), additionalDirectories: [] });
      const seen: Record<string, number> = {};
      const count = (name: string): void => void (seen[name] = (seen[name] ?? 0) + 1);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          for (const name of ['root/sub/a.txt', 'root/a.txt']) {
            await check.resolve(at(name)).then(
              async (real) => {
                const text = await bytes.read(real).then(
                  (read) => Buffer.from(read).toString(),
                  () => undefined,
                );
                count(text === undefined ? 'not read' : 'read');
                assert.ok(text === undefined || text === INSIDE || text === '', `read ${text}`);
                await bytes.replace(real, bytesOf(OUTSIDE), bytesOf('overwritten')).then(
                  (done) => assert.equal(done, false),
                  () => count('not written'),
                );
              },
              () => count('refused'),
            );
          }
          await check.resolve(at(`root/sub/new-${round}/x`)).then(
            (real) =>
              bytes.create(real, bytesOf('made')).then(
                () => count('made'),
                () => count('not made'),
              ),
            () => count('refused'),
          );
        }
      } finally {
        await worker.terminate();
      }
      assert.deepEqual(contents('outside'), ['a.txt SECRET', 'sub /', 'sub/a.txt SECRET']);
      // The swaps must have hit every kind of moment, or the test would prove nothing.
      assert.ok(
        seen['read'] && seen['made'] && seen['refused'] && (seen['not read'] ?? 0) + (seen['not made'] ?? 0) > 0,
        JSON.stringify(seen),
      );
    },
  );
});

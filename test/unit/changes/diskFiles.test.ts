/** Files are accessed only by their real path, and replaced as a whole. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DiskFiles, diskFilesOn } from '../../../src/changes/disk/diskFiles';
import { isGitPath } from '../../../src/changes/disk/gitFolders';
import { isTorn } from '../../../src/changes/disk/inPlace';
import { type DiskFault, FaultyDisk } from '../../support/changes/faultyDisk';

const system = { ...nodeFiles, platform: process.platform };
const isRoot = process.geteuid?.() === 0;
const TEMP_ID = '0123456789abcdef01234567';

let root: string;
const at = (...names: string[]): string => path.join(root, ...names);
const read = (...names: string[]): string => fs.readFileSync(at(...names), 'utf8');
const write = (name: string, text = `${name}\n`, mode = 0o644): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
  fs.chmodSync(at(name), mode);
  return at(name);
};
const modeOf = (name: string): string => (fs.lstatSync(at(name)).mode & 0o7777).toString(8);
const code = (name: string) => (error: NodeJS.ErrnoException) => error.code === name || assert.fail(`${error.stack}, not ${name}`);
const bytes = (text: string): Buffer => Buffer.from(text);

beforeEach(() => (root = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'disk-files-')))));
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

for (const platform of new Set<NodeJS.Platform>([process.platform, 'darwin'])) {
  describe(`files on disk, as on ${platform}`, () => {
    const files: DiskFiles = diskFilesOn({ ...system, platform });

    /** Asserts that every operation on `file` rejects. */
    async function refuses(file: string, name: string): Promise<void> {
      await assert.rejects(files.read(file, 1000), code(name));
      await assert.rejects(files.statAndRead(file, 1000), code(name));
      await assert.rejects(files.write(file, bytes('evil'), 0o755), code(name));
      await assert.rejects(files.link(file, 'evil'), code(name));
      await assert.rejects(files.chmod(file, 0o755), code(name));
      await assert.rejects(files.remove(file), code(name));
      await assert.rejects(files.removeEmptyFolder(file), code(name));
      await assert.rejects(files.list(path.dirname(file)), code(name));
      await assert.rejects(files.readLink(file), code(name));
    }

    it('reject reads and writes through a link in their path', async () => {
      write('outside/k');
      fs.mkdirSync(at('outside/deep/empty'), { recursive: true });
      write('outside/deep/k');
      fs.mkdirSync(at('work'));
      fs.symlinkSync('../outside', at('work/conf'));
      const before = fs.readdirSync(at('outside'), { recursive: true });
      await refuses(at('work/conf/k'), 'ESTALE');
      await refuses(at('work/conf/deep/k'), 'ESTALE');
      await assert.rejects(files.write(at('work/conf/new/nested/k'), bytes('evil'), 0o644), code('ESTALE'));
      await assert.rejects(files.removeEmptyFolder(at('work/conf/deep/empty')), code('ESTALE'));
      assert.deepEqual(fs.readdirSync(at('outside'), { recursive: true }), before);
      assert.equal(read('outside/k'), 'outside/k\n');
    });

    it('replace a link, not the file that it points to', async () => {
      write('target');
      fs.symlinkSync('target', at('link'));
      fs.symlinkSync('nowhere', at('dangling'));
      assert.equal(await files.read(at('link'), 1000), undefined);
      assert.equal(await files.readLink(at('dangling')), 'nowhere');
      await files.write(at('link'), bytes('new'), 0o755);
      await files.write(at('dangling'), bytes('new'), 0o644);
      assert.deepEqual([read('link'), modeOf('link'), read('dangling'), read('target')], ['new', '755', 'new', 'target\n']);
      await files.link(at('link'), 'elsewhere');
      await files.link(at('new/nested/link'), '../../target');
      assert.deepEqual([fs.readlinkSync(at('link')), fs.readlinkSync(at('new/nested/link'))], ['elsewhere', '../../target']);
      await files.remove(at('link'));
      assert.deepEqual(fs.readdirSync(root).sort(), ['dangling', 'new', 'target']);
    });

    it('leave a file that another program saves while Windows refuses to replace it', async () => {
      write('a', 'old');
      let calls = 0;
      const rename: typeof nodeFiles.rename = async (from, to) => {
        if (++calls === 1) {
          write('a', 'saved by the user');
          throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        }
        await nodeFiles.rename(from, to);
      };
      const refusing = diskFilesOn({ ...system, platform: 'win32', rename });
      await assert.rejects(refusing.write(at('a'), bytes('new'), 0o644), code('ECHANGED'));
      assert.deepEqual([calls, read('a'), fs.readdirSync(root)], [1, 'saved by the user', ['a']]);
    });

    it('refuse everything that belongs to Git', async () => {
      write('.git/hooks/pre-commit');
      await refuses(at('.git/hooks/pre-commit'), 'EGITDIR');
      await assert.rejects(files.write(at('.GIT/config'), bytes('evil'), 0o644), code('EGITDIR'));
      await assert.rejects(files.write(at('work/.git'), bytes('gitdir: evil'), 0o644), code('EGITDIR'));
      for (const name of ['HEAD', 'config', 'objects/x', 'refs/x', 'hooks/x']) {
        write(`bare/${name}`);
      }
      for (const name of ['config', 'hooks/post-checkout', 'hooks/x']) {
        await assert.rejects(files.write(at('bare', name), bytes('evil'), 0o755), code('EGITDIR'), name);
        await assert.rejects(files.remove(at('bare', name)), code('EGITDIR'), name);
      }
      // A work tree inside the folder of a bare repository.
      fs.mkdirSync(at('bare/main'));
      await files.write(at('bare/main/src/a.txt'), bytes('fine'), 0o644);
      assert.equal(read('bare/main/src/a.txt'), 'fine');
      assert.deepEqual(fs.readdirSync(at('bare/hooks')), ['x']);
    });

    it('keep the permissions of a file, except the executable bits', async () => {
      const cases: readonly (readonly [number, number, string])[] = [
        [0o600, 0o644, '600'],
        [0o600, 0o755, '700'],
        [0o644, 0o755, '755'],
        [0o755, 0o644, '644'],
        [0o711, 0o644, '600'],
        [0o600, 0o711, '711'],
        [0o664, 0o755, '775'],
      ];
      for (const [now, wanted, then] of cases) {
        for (const act of ['write', 'chmod'] as const) {
          const file = write('file', 'before', now);
          await (act === 'write' ? files.write(file, bytes('after'), wanted) : files.chmod(file, wanted));
          assert.equal(modeOf('file'), then, `${act} ${now.toString(8)} ${wanted.toString(8)}`);
        }
      }
      await files.write(at('made'), bytes('made'), 0o600);
      assert.equal(modeOf('made'), '600');
    });

    it('are not written when they are read-only, a folder, or a pipe', async () => {
      const file = write('file', 'before', 0o444);
      await assert.rejects(files.write(file, bytes('after'), 0o644), code('EACCES'));
      fs.mkdirSync(at('folder'));
      await assert.rejects(files.write(at('folder'), bytes('after'), 0o644), code('EISDIR'));
      await assert.rejects(files.remove(at('folder')), code('EISDIR'));
      execFileSync('mkfifo', [at('pipe')]);
      assert.equal(await files.read(at('pipe'), 1000), undefined);
      await assert.rejects(files.write(at('pipe'), bytes('after'), 0o644), code('ENOTSUP'));
      assert.equal(read('file'), 'before');
      assert.deepEqual(fs.readdirSync(root).sort(), ['file', 'folder', 'pipe']);
    });

    it('keep the inode of a file with several names', async () => {
      const file = write('one', 'before, and longer');
      fs.linkSync(file, at('two'));
      await assert.rejects(files.write(file, bytes('after'), 0o644), code('EMLINK'));
      for (const text of ['after', 'after that, and longer than ever', '', 'x']) {
        await files.write(file, bytes(text), 0o755, { inPlace: true });
        assert.deepEqual([read('one'), read('two'), fs.statSync(file).nlink, modeOf('two')], [text, text, 2, '755']);
      }
      assert.deepEqual(fs.readdirSync(root).sort(), ['one', 'two']);
    });

    it('are not written when they are not the expected file', async () => {
      const file = write('file', 'before');
      const expected = (await files.stat(file))!;
      fs.writeFileSync(file, 'by another program');
      await assert.rejects(files.write(file, bytes('after'), 0o644, { expected }), code('ECHANGED'));
      await assert.rejects(files.link(file, 'after', { expected }), code('ECHANGED'));
      await assert.rejects(files.remove(file, { expected }), code('ECHANGED'));
      await assert.rejects(files.chmod(file, 0o755, { expected }), code('ECHANGED'));
      await assert.rejects(files.write(file, bytes('after'), 0o644, { expected: null }), code('ECHANGED'));
      await assert.rejects(files.write(at('gone'), bytes('after'), 0o644, { expected }), code('ECHANGED'));
      assert.equal(read('file'), 'by another program');
      assert.deepEqual(fs.readdirSync(root), ['file']);
    });

    it('report an error of the system, and ignore a missing file', async () => {
      await assert.rejects(files.stat(at('x'.repeat(300))), code('ENAMETOOLONG'));
      assert.equal(await files.stat(at('nothing', 'below')), undefined);
      await assert.rejects(files.list(at('nothing')), code('ENOENT'));
      assert.deepEqual(await files.list(root), []);
      await files.remove(at('nothing', 'below'));
    });

    (isRoot ? it : it.skip)('keep the owner and the group of a file', async () => {
      const file = write('file', 'before', 0o640);
      fs.chownSync(file, 1234, 2345);
      await files.write(file, bytes('after'), 0o644);
      const { uid, gid } = fs.statSync(file);
      assert.deepEqual([uid, gid, modeOf('file'), read('file')], [1234, 2345, '640', 'after']);
    });

    it('are unchanged when their owner cannot be kept', async () => {
      const file = write('file', 'before');
      const refusing = diskFilesOn({
        ...system,
        platform,
        open: (async (...args: Parameters<typeof nodeFiles.open>) => {
          const handle = await nodeFiles.open(...args);
          if (String(args[0]).endsWith('.tmp')) {
            const stat = handle.stat.bind(handle) as (options?: object) => Promise<fs.Stats>;
            const other = async (options?: object): Promise<fs.Stats> => Object.assign(await stat(options), options ? {} : { uid: 4321 });
            Object.assign(handle, { stat: other, chown: () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' })) });
          }
          return handle;
        }) as typeof nodeFiles.open,
      });
      await assert.rejects(refusing.write(file, bytes('after'), 0o644), code('EPERM'));
      assert.equal(read('file'), 'before');
      assert.deepEqual(fs.readdirSync(root), ['file']);
    });

    it('are not written into a folder that is replaced by a link at any call', async () => {
      for (const act of ['write', 'link', 'remove'] as const) {
        for (let swapAt = 1; swapAt < 30; swapAt++) {
          fs.rmSync(root, { recursive: true, force: true });
          write('work/conf/k', 'inside');
          write('outside/k', 'outside');
          let calls = 0;
          const swapping = new Proxy(
            { ...system, platform },
            {
              get: (target, name) => {
                const value: unknown = Reflect.get(target, name);
                return typeof value !== 'function'
                  ? value
                  : async (...args: unknown[]) => {
                      if (++calls === swapAt) {
                        fs.renameSync(at('work/conf'), at('moved'));
                        fs.symlinkSync('../outside', at('work/conf'));
                      }
                      return (value as (...args: unknown[]) => unknown)(...args);
                    };
              },
            },
          );
          const racing = diskFilesOn(swapping);
          const file = at('work/conf/k');
          const done =
            act === 'write' ? racing.write(file, bytes('after'), 0o644) : act === 'link' ? racing.link(file, 'after') : racing.remove(file);
          await done.catch(() => undefined);
          // Without folder handles, a swap between the last check and the call itself is detected, but not prevented.
          if (platform === 'linux') {
            assert.equal(read('outside/k'), 'outside', `${act}, swapped at call ${swapAt}`);
            assert.deepEqual(fs.readdirSync(at('outside')), ['k'], `${act}, swapped at call ${swapAt}`);
          }
        }
      }
    });
  });
}

describe('a write into a file with several names', () => {
  for (const [before, wanted] of [
    ['b'.repeat(90), 'a'.repeat(50)],
    ['b'.repeat(50), 'a'.repeat(90)],
    ['b'.repeat(50), 'a'.repeat(50)],
  ] as const) {
    it(`leaves the old content of ${before.length} bytes, or the new one of ${wanted.length}, at each failure`, async () => {
      const disk = new FaultyDisk();
      for (const fault of ['ENOSPC', 'EIO', 'EACCES', 'half', 'killHalf'] as const satisfies readonly DiskFault[]) {
        for (let failing = 1, isOver = false; !isOver; failing++) {
          fs.rmSync(root, { recursive: true });
          const file = write('one', before);
          fs.linkSync(file, at('two'));
          disk.arm(failing, fault);
          const error = await disk.files.write(file, bytes(wanted), 0o755, { inPlace: true, tempId: TEMP_ID }).then(
            () => undefined,
            (thrown: NodeJS.ErrnoException) => thrown,
          );
          isOver = disk.failed === undefined;
          const what = `${fault} at ${failing}: ${disk.failed}`;
          const content = read('two');
          const hasTrace = fs.existsSync(at(`.acp-host-${TEMP_ID}.tmp`));
          if (content === before || content === wanted) {
            assert.ok(content === wanted || error, what);
          } else {
            assert.equal(fault, 'killHalf', what);
            assert.ok(hasTrace && isTorn(bytes(content), bytes(before), bytes(wanted), true), what);
          }
          assert.ok(failing < 100, what);
        }
      }
    });
  }
});

describe('an interrupted write', () => {
  const torn = (content: string, isInPlace: boolean): boolean => isTorn(bytes(content), bytes('old old'), bytes('new text'), isInPlace);

  it('has left the beginning of the new content', () => {
    assert.ok(['', 'new', 'new tex', 'new text'].every((content) => torn(content, false)));
  });

  it('has left a mixture only in a file that was written in place', () => {
    for (const content of ['old oldt', 'new old', 'nld text', 'old old\0']) {
      assert.deepEqual([torn(content, true), torn(content, false)], [true, false], content);
    }
  });

  it('has left no other content', () => {
    assert.ok(!['old', 'old ol', 'Old old', 'new text, and more', 'new\0text'].some((content) => torn(content, true)));
  });
});

describe('a path of Git', () => {
  it('has a component that a file system takes for .git', () => {
    for (const name of [
      '.git',
      '.GIT',
      '.Git/config',
      'git~1',
      'GIT~1/x',
      '.git.',
      '.git ',
      '.git::$INDEX_ALLOCATION',
      '.g\u200cit',
      'gi7d29~1',
      '．git',
    ]) {
      assert.ok(isGitPath(`/work/${name}`), JSON.stringify(name));
    }
    for (const name of ['.gitignore', '.github', 'git', '.git2', 'x.git', 'git~', 'digit~1', 'legit']) {
      assert.ok(!isGitPath(`/work/${name}/a`), name);
    }
  });
});

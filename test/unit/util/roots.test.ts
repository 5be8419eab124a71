import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { failureOf } from '../../../src/core/failure';
import { nodePaths } from '../../../src/util/realPath';
import type { PathSystem } from '../../../src/util/realPath';
import { RootCheck } from '../../../src/util/roots';

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `resolved ${JSON.stringify(value)}`,
    (error: unknown) => failureOf(error).code,
  );
}

describe('RootCheck on a real disk', () => {
  let top: string;
  let check: RootCheck;

  beforeEach(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
    await mkdir(join(top, 'root/sub'), { recursive: true });
    await mkdir(join(top, 'extra'));
    await mkdir(join(top, 'outside/deep'), { recursive: true });
    await writeFile(join(top, 'root/a.txt'), 'a');
    await writeFile(join(top, 'outside/secret.txt'), 's');
    check = new RootCheck({ cwd: join(top, 'root'), additionalDirectories: [join(top, 'extra')] });
  });

  afterEach(() => rm(top, { recursive: true, force: true }));

  it('gives the real path of what is inside, whether it exists or not', async () => {
    assert.equal(await check.resolve(join(top, 'root/a.txt')), join(top, 'root/a.txt'));
    assert.equal(await check.resolve(join(top, 'root')), join(top, 'root'));
    assert.equal(await check.resolve(join(top, 'extra/new.txt')), join(top, 'extra/new.txt'));
    assert.equal(await check.resolve(join(top, 'root/new/deep/file.txt')), join(top, 'root/new/deep/file.txt'));
    assert.equal(await check.contains(join(top, 'root/sub')), true);
  });

  it('refuses what is outside, a neighbour with the same beginning, and paths that are not absolute', async () => {
    assert.equal(await codeOf(check.resolve(join(top, 'outside/secret.txt'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'rooted.txt'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(top)), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve('root/a.txt')), 'fs.not_absolute');
    assert.equal(await codeOf(check.resolve('')), 'fs.not_absolute');
    assert.equal(await codeOf(check.resolve(`${top}/root/a\0.txt`)), 'fs.not_absolute');
    assert.equal(await check.contains(join(top, 'outside')), false);
  });

  it('follows symlinks before it decides', async () => {
    await symlink(join(top, 'outside'), join(top, 'root/out'));
    await symlink('../outside/secret.txt', join(top, 'root/file-out'));
    await symlink(join(top, 'root'), join(top, 'outside/in'));
    assert.equal(await codeOf(check.resolve(join(top, 'root/out/secret.txt'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'root/out/new.txt'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'root/file-out'))), 'fs.outside_roots');
    assert.equal(await check.resolve(join(top, 'outside/in/a.txt')), join(top, 'root/a.txt'));
  });

  it('follows a symlink to nothing: writing there would create the file it names', async () => {
    await symlink(join(top, 'outside/created.txt'), join(top, 'root/dangling'));
    await symlink('sub/created.txt', join(top, 'root/inner'));
    await symlink('../outside/no/such', join(top, 'root/relative'));
    assert.equal(await codeOf(check.resolve(join(top, 'root/dangling'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'root/dangling/below'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'root/relative'))), 'fs.outside_roots');
    assert.equal(await check.resolve(join(top, 'root/inner')), join(top, 'root/sub/created.txt'));
  });

  it('reads .. as the system does, after the symlink before it', async () => {
    await symlink(join(top, 'outside/deep'), join(top, 'root/out'));
    await symlink(join(top, 'outside'), join(top, 'root/link'));
    assert.equal(await codeOf(check.resolve(`${top}/root/../outside/secret.txt`)), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(`${top}/root/out/../secret.txt`)), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(`${top}/root/out/../new.txt`)), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(`${top}/root/nothing/../link/new.txt`)), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(`${top}/root/nothing/../../outside/new.txt`)), 'fs.outside_roots');
    assert.equal(await check.resolve(`${top}/root/sub/../a.txt`), join(top, 'root/a.txt'));
    assert.equal(await check.resolve(`${top}/root/nothing/../new.txt`), join(top, 'root/new.txt'));
  });

  it('is closed for loops, for a root that does not exist, and for a root given as a relative path', async () => {
    await symlink('loop-b', join(top, 'root/loop-a'));
    await symlink('loop-a', join(top, 'root/loop-b'));
    assert.equal(await codeOf(check.resolve(join(top, 'root/loop-a'))), 'fs.outside_roots');
    const gone = new RootCheck({ cwd: join(top, 'gone'), additionalDirectories: ['.', ''] });
    assert.equal(await codeOf(gone.resolve(join(top, 'gone/a.txt'))), 'fs.outside_roots');
    assert.equal(await codeOf(gone.resolve(join(process.cwd(), 'package.json'))), 'fs.outside_roots');
  });

  it('takes a root that is itself a symlink', async () => {
    await symlink(join(top, 'root'), join(top, 'alias'));
    const aliased = new RootCheck({ cwd: join(top, 'alias'), additionalDirectories: [] });
    assert.equal(await aliased.resolve(join(top, 'alias/a.txt')), join(top, 'root/a.txt'));
    assert.equal(await aliased.resolve(join(top, 'root/new.txt')), join(top, 'root/new.txt'));
  });

  it('is closed when the system will not say', async () => {
    const forbidden: PathSystem = { ...nodePaths, realpath: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })) };
    const closed = new RootCheck({ cwd: join(top, 'root'), additionalDirectories: [] }, forbidden);
    assert.equal(await codeOf(closed.resolve(join(top, 'root/a.txt'))), 'fs.outside_roots');
  });
});

/** A volume in memory. `folded`: names are found in any case, and a real path keeps the case that was asked for. */
function volume(path: typeof posix, entries: readonly string[], folded: boolean): PathSystem {
  const key = (name: string) => (folded ? name.toLowerCase() : name);
  const known = new Map(entries.map((entry, index) => [key(entry), BigInt(index + 1)]));
  const inode = async (name: string) => {
    const ino = known.get(key(path.normalize(name)));
    if (ino === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    return { dev: 1n, ino };
  };
  return { path, inodeOf: inode, linkOf: (name) => inode(name).then(() => null), realpath: (name) => inode(name).then(() => path.normalize(name)) };
}

describe('RootCheck on other volumes', () => {
  const mac = ['/', '/Users', '/Users/me', '/Users/me/Project', '/Users/me/Project/a.txt', '/Users/me/other'];

  it('knows the root by any case of its name where the volume ignores case', async () => {
    const check = new RootCheck({ cwd: '/Users/me/Project', additionalDirectories: [] }, volume(posix, mac, true));
    assert.equal(await check.resolve('/users/ME/project/a.txt'), '/users/ME/project/a.txt');
    assert.equal(await check.resolve('/Users/me/PROJECT/new.txt'), '/Users/me/PROJECT/new.txt');
    assert.equal(await codeOf(check.resolve('/users/me/OTHER/new.txt')), 'fs.outside_roots');
  });

  it('does not where the volume minds case', async () => {
    const check = new RootCheck({ cwd: '/Users/me/Project', additionalDirectories: [] }, volume(posix, mac, false));
    assert.equal(await codeOf(check.resolve('/Users/me/project/a.txt')), 'fs.outside_roots');
  });

  const windows = ['C:\\', 'C:\\work', 'C:\\work\\a.txt', 'C:\\workshop', 'D:\\', '\\\\server.lan\\share\\', '\\\\server.lan\\share\\repo'];

  it('reads drive letters and network shares', async () => {
    const check = new RootCheck({ cwd: 'C:\\work', additionalDirectories: ['\\\\server.lan\\share\\repo'] }, volume(win32, windows, true));
    assert.equal(await check.resolve('c:\\work\\a.txt'), 'c:\\work\\a.txt');
    assert.equal(await check.resolve('C:/work/new.txt'), 'C:\\work\\new.txt');
    assert.equal(await check.resolve('\\\\SERVER.lan\\share\\repo\\new.txt'), '\\\\SERVER.lan\\share\\repo\\new.txt');
    assert.equal(await codeOf(check.resolve('C:\\workshop\\x')), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve('D:\\work\\a.txt')), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve('C:\\work\\..\\workshop\\x')), 'fs.outside_roots');
  });

  it('refuses what Windows reads as another name', async () => {
    const check = new RootCheck({ cwd: 'C:\\work', additionalDirectories: [] }, volume(win32, windows, true));
    for (const path of ['\\work\\a.txt', 'C:work\\a.txt', '\\\\?\\C:\\work\\a.txt', '\\\\.\\C:\\work\\a.txt']) {
      assert.equal(await codeOf(check.resolve(path)), 'fs.not_absolute', path);
    }
    for (const path of ['C:\\work\\a.txt:stream', 'C:\\work\\new.txt.', 'C:\\work\\new ', 'C:\\work\\. .\\x']) {
      assert.equal(await codeOf(check.resolve(path)), 'fs.outside_roots', path);
    }
  });
});

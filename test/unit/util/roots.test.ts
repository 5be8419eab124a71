import { strict as assert } from 'node:assert';
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { failureOf, Fault } from '../../../src/core/model/failure';
import { SessionRoots } from '../../../src/session/lifecycle/sessionRoots';
import { nodePaths } from '../../../src/util/realPath';
import type { PathSystem } from '../../../src/util/realPath';
import { RootPins } from '../../../src/util/rootPins';
import { RootCheck } from '../../../src/util/roots';
import { volume, type Volume } from '../../support/volumes';

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

  it('returns the real path of a file inside, whether it exists or not', async () => {
    assert.equal(await check.resolve(join(top, 'root/a.txt')), join(top, 'root/a.txt'));
    assert.equal(await check.resolve(join(top, 'root')), join(top, 'root'));
    assert.equal(await check.resolve(join(top, 'extra/new.txt')), join(top, 'extra/new.txt'));
    assert.equal(await check.resolve(join(top, 'root/new/deep/file.txt')), join(top, 'root/new/deep/file.txt'));
    assert.equal(await check.contains(join(top, 'root/sub')), true);
  });

  it('refuses paths outside, a neighbour with the same beginning, and relative paths', async () => {
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

  it('follows a symlink to a missing file, because writing there would create that file', async () => {
    await symlink(join(top, 'outside/created.txt'), join(top, 'root/dangling'));
    await symlink('sub/created.txt', join(top, 'root/inner'));
    await symlink('../outside/no/such', join(top, 'root/relative'));
    assert.equal(await codeOf(check.resolve(join(top, 'root/dangling'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'root/dangling/below'))), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve(join(top, 'root/relative'))), 'fs.outside_roots');
    assert.equal(await check.resolve(join(top, 'root/inner')), join(top, 'root/sub/created.txt'));
  });

  it('resolves .. like the system, after the symlink before it', async () => {
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

  it('refuses loops, a root that does not exist, and a root given as a relative path', async () => {
    await symlink('loop-b', join(top, 'root/loop-a'));
    await symlink('loop-a', join(top, 'root/loop-b'));
    assert.equal(await codeOf(check.resolve(join(top, 'root/loop-a'))), 'fs.outside_roots');
    const gone = new RootCheck({ cwd: join(top, 'gone'), additionalDirectories: ['.', ''] });
    assert.equal(await codeOf(gone.resolve(join(top, 'gone/a.txt'))), 'fs.outside_roots');
    assert.equal(await codeOf(gone.resolve(join(process.cwd(), 'package.json'))), 'fs.outside_roots');
  });

  it('accepts a root that is itself a symlink', async () => {
    await symlink(join(top, 'root'), join(top, 'alias'));
    const aliased = new RootCheck({ cwd: join(top, 'alias'), additionalDirectories: [] });
    assert.equal(await aliased.resolve(join(top, 'alias/a.txt')), join(top, 'root/a.txt'));
    assert.equal(await aliased.resolve(join(top, 'root/new.txt')), join(top, 'root/new.txt'));
  });

  it('refuses when the system does not answer', async () => {
    const forbidden: PathSystem = { ...nodePaths, realpath: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })) };
    const closed = new RootCheck({ cwd: join(top, 'root'), additionalDirectories: [] }, forbidden);
    assert.equal(await codeOf(closed.resolve(join(top, 'root/a.txt'))), 'fs.outside_roots');
  });
});

describe('RootCheck on other volumes', () => {
  const mac = ['/', '/Users', '/Users/me', '/Users/me/Project', '/Users/me/Project/a.txt', '/Users/me/other'];

  it('recognizes the root in any case of its name when the volume ignores case', async () => {
    const check = new RootCheck({ cwd: '/Users/me/Project', additionalDirectories: [] }, volume(posix, mac, true));
    assert.equal(await check.resolve('/users/ME/project/a.txt'), '/users/ME/project/a.txt');
    assert.equal(await check.resolve('/Users/me/PROJECT/new.txt'), '/Users/me/PROJECT/new.txt');
    assert.equal(await codeOf(check.resolve('/users/me/OTHER/new.txt')), 'fs.outside_roots');
  });

  it('does not when the volume is case-sensitive', async () => {
    const check = new RootCheck({ cwd: '/Users/me/Project', additionalDirectories: [] }, volume(posix, mac, false));
    assert.equal(await codeOf(check.resolve('/Users/me/project/a.txt')), 'fs.outside_roots');
  });

  const windows = ['C:\\', 'C:\\work', 'C:\\work\\a.txt', 'C:\\workshop', 'D:\\', '\\\\server.lan\\share\\', '\\\\server.lan\\share\\repo'];

  it('supports drive letters and network shares', async () => {
    const check = new RootCheck({ cwd: 'C:\\work', additionalDirectories: ['\\\\server.lan\\share\\repo'] }, volume(win32, windows, true));
    assert.equal(await check.resolve('c:\\work\\a.txt'), 'c:\\work\\a.txt');
    assert.equal(await check.resolve('C:/work/new.txt'), 'C:\\work\\new.txt');
    assert.equal(await check.resolve('\\\\SERVER.lan\\share\\repo\\new.txt'), '\\\\SERVER.lan\\share\\repo\\new.txt');
    assert.equal(await codeOf(check.resolve('C:\\workshop\\x')), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve('D:\\work\\a.txt')), 'fs.outside_roots');
    assert.equal(await codeOf(check.resolve('C:\\work\\..\\workshop\\x')), 'fs.outside_roots');
  });

  it('refuses paths that Windows reads as another name', async () => {
    const check = new RootCheck({ cwd: 'C:\\work', additionalDirectories: [] }, volume(win32, windows, true));
    for (const path of ['\\work\\a.txt', 'C:work\\a.txt', '\\\\?\\C:\\work\\a.txt', '\\\\.\\C:\\work\\a.txt']) {
      assert.equal(await codeOf(check.resolve(path)), 'fs.not_absolute', path);
    }
    for (const path of ['C:\\work\\a.txt:stream', 'C:\\work\\new.txt.', 'C:\\work\\new ', 'C:\\work\\. .\\x']) {
      assert.equal(await codeOf(check.resolve(path)), 'fs.outside_roots', path);
    }
  });

  describe('shares of other machines', () => {
    const away = [
      '\\\\evil\\share',
      '\\\\evil\\share\\a.txt',
      '//evil/share/a.txt',
      '\\/evil/share/a.txt',
      '\\\\?\\UNC\\evil\\share\\a.txt',
      '\\\\.\\UNC\\evil\\share\\a.txt',
      '\\??\\UNC\\evil\\share\\a.txt',
      '\\\\evil@SSL@8080\\DavWWWRoot\\a.txt',
      '\\\\server.lan\\other\\a.txt',
      '\\\\wsl$\\Ubuntu\\home',
      '\\\\wsl.localhost\\Ubuntu\\home',
      '\\\\localhost\\C$\\work\\a.txt',
      '\\\\.\\pipe\\x',
    ];

    for (const path of away) {
      it(`are not accessed for ${path}`, async () => {
        const disk = volume(win32, windows, true);
        const check = new RootCheck({ cwd: 'C:\\work', additionalDirectories: ['\\\\server.lan\\share\\repo'] }, disk);
        assert.match(await codeOf(check.resolve(path)), /^fs\.(outside_roots|not_absolute)$/);
        assert.equal(await check.contains(path), false);
        assert.deepEqual(
          disk.asked.filter((asked) => /evil|other|wsl|localhost|pipe/i.test(asked)),
          [],
        );
      });
    }

    it('are not accessed for the target of a symlink in a folder', async () => {
      const disk = volume(win32, windows, true, { 'C:\\work\\out': '\\\\evil\\share', 'C:\\work\\again': 'C:\\work\\out' });
      const check = new RootCheck({ cwd: 'C:\\work', additionalDirectories: [] }, disk);
      for (const path of ['C:\\work\\out', 'C:\\work\\out\\a.txt', 'C:\\work\\again\\a.txt']) {
        assert.equal(await codeOf(check.resolve(path)), 'fs.outside_roots', path);
        assert.equal(await check.leadsAway(path), true, path);
      }
      assert.equal(await check.leadsAway('C:\\work\\a.txt'), false);
      assert.equal(await check.leadsAway('D:\\work\\a.txt'), false, 'outside, but here');
      assert.deepEqual(
        disk.asked.filter((asked) => /evil/i.test(asked)),
        [],
      );
    });

    it('are allowed when a folder of the session is there, by its name or by its real path', async () => {
      const linux = ['\\\\wsl.localhost\\Ubuntu\\', '\\\\wsl.localhost\\Ubuntu\\home', '\\\\wsl.localhost\\Ubuntu\\home\\a.txt'];
      const wsl = new RootCheck({ cwd: '\\\\wsl.localhost\\Ubuntu\\home', additionalDirectories: [] }, volume(win32, linux, true));
      assert.equal(await wsl.resolve('\\\\wsl.localhost\\ubuntu\\home\\a.txt'), '\\\\wsl.localhost\\ubuntu\\home\\a.txt');
      assert.equal(await codeOf(wsl.resolve('\\\\wsl.localhost\\Debian\\home\\a.txt')), 'fs.outside_roots');
      const mapped = volume(win32, windows, true, { 'Z:\\repo': '\\\\server.lan\\share\\repo' });
      const check = new RootCheck({ cwd: 'Z:\\repo', additionalDirectories: [] }, mapped);
      assert.equal(await check.resolve('Z:\\repo\\new.txt'), '\\\\server.lan\\share\\repo\\new.txt');
      assert.equal(await check.resolve('\\\\server.lan\\share\\repo\\new.txt'), '\\\\server.lan\\share\\repo\\new.txt');
    });

    it('are not accessed for a folder that now points there', async () => {
      const disk = volume(win32, [...windows, 'C:\\real'], true, { 'C:\\link': 'C:\\real' });
      const check = new RootCheck({ cwd: 'C:\\link', additionalDirectories: [] }, disk);
      assert.equal(await check.resolve('C:\\link\\new.txt'), 'C:\\real\\new.txt');
      disk.links.set('c:\\link', '\\\\evil\\share');
      assert.equal(await codeOf(check.resolve('C:\\link\\new.txt')), 'session.root_changed');
      assert.deepEqual(
        disk.asked.filter((asked) => /evil/i.test(asked)),
        [],
      );
    });

    it('include those that Linux and macOS mount on demand', async () => {
      const disk = volume(posix, ['/', '/work', '/net'], false, { '/work/out': '/net/evil/share' });
      const check = new RootCheck({ cwd: '/work', additionalDirectories: [] }, disk);
      for (const path of ['/net/evil/share/a', '/work/out/a', '/work/../net/evil/x', '/net/evil/../../work/a']) {
        assert.equal(await codeOf(check.resolve(path)), 'fs.outside_roots', path);
      }
      assert.deepEqual(
        disk.asked.filter((asked) => asked.includes('evil')),
        [],
      );
    });
  });
});

describe('a folder of a session that is replaced later', () => {
  let top: string;
  let changed: string[];
  let pins: RootPins;
  let check: RootCheck;

  beforeEach(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), 'pins-')));
    for (const name of ['real/sub', 'extra', 'outside/sub']) {
      await mkdir(join(top, name), { recursive: true });
    }
    for (const name of ['real', 'extra', 'outside']) {
      await writeFile(join(top, name, 'a.txt'), name);
    }
    await symlink(join(top, 'real'), join(top, 'link'));
    changed = [];
    pins = new RootPins();
    pins.onChanged = (folder) => void changed.push(folder);
    check = new RootCheck({ cwd: join(top, 'link'), additionalDirectories: [join(top, 'extra'), join(top, 'later')], pins });
    assert.equal(await check.resolve(join(top, 'link/a.txt')), join(top, 'real/a.txt'));
    assert.equal(await check.resolve(join(top, 'extra/a.txt')), join(top, 'extra/a.txt'));
  });

  afterEach(() => rm(top, { recursive: true, force: true }));

  async function pointTo(name: string): Promise<void> {
    await rm(join(top, 'link'));
    await symlink(join(top, name), join(top, 'link'));
  }

  it('is refused under every name when its symlink points elsewhere, but the others are not', async () => {
    await pointTo('outside');
    for (const path of ['link/a.txt', 'link', 'link/new/deep.txt', 'link/../link/a.txt', 'outside/a.txt', 'real/a.txt']) {
      assert.equal(await codeOf(check.resolve(`${top}/${path}`)), 'session.root_changed', path);
    }
    assert.equal(await check.resolve(join(top, 'extra/a.txt')), join(top, 'extra/a.txt'));
    assert.equal(await codeOf(check.resolve(join(top, 'elsewhere'))), 'fs.outside_roots', 'that has nothing to do with it');
    assert.deepEqual(changed, [join(top, 'link')], 'said once');
  });

  it('is reported to the agent', async () => {
    await pointTo('outside');
    const error: unknown = await check.resolve(join(top, 'link/a.txt')).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Fault);
    assert.equal(error.rpcCode, -32602);
    assert.match(error.message, /link was replaced or leads elsewhere .* new session/);
    assert.deepEqual(error.failure.params, { folder: join(top, 'link') });
  });

  it('is accepted again when it is the original one', async () => {
    await pointTo('outside');
    assert.equal(await check.contains(join(top, 'link/a.txt')), false);
    await pointTo('real');
    assert.equal(await check.contains(join(top, 'link/a.txt')), true);
  });

  it('is refused when another folder replaced it, and when it was deleted and created again', async () => {
    await rename(join(top, 'extra'), join(top, 'old'));
    assert.equal(await codeOf(check.resolve(join(top, 'extra/a.txt'))), 'fs.outside_roots', 'not there at all');
    await rename(join(top, 'outside'), join(top, 'extra'));
    assert.equal(await codeOf(check.resolve(join(top, 'extra/a.txt'))), 'session.root_changed');
    await rm(join(top, 'extra'), { recursive: true });
    await rename(join(top, 'old'), join(top, 'extra'));
    assert.equal(await check.contains(join(top, 'extra/a.txt')), true, 'the very same');
    for (let round = 0; round < 20; round++) {
      // Some file systems immediately reuse the inode number of the old folder.
      await rm(join(top, 'extra'), { recursive: true });
      await mkdir(join(top, 'extra'));
      await writeFile(join(top, 'extra/a.txt'), 'new');
      assert.equal(await codeOf(check.resolve(join(top, 'extra/a.txt'))), 'session.root_changed');
    }
  });

  it('is refused when it did not exist at first', async () => {
    await symlink(join(top, 'outside'), join(top, 'later'));
    assert.equal(await codeOf(check.resolve(join(top, 'later/a.txt'))), 'session.root_changed');
    assert.deepEqual(changed, [join(top, 'later')]);
  });

  it('is accepted when only its contents, mode or times changed', async () => {
    await writeFile(join(top, 'extra/b.txt'), 'b');
    await chmod(join(top, 'extra'), 0o700);
    await utimes(join(top, 'extra'), new Date(1000), new Date(1000));
    assert.equal(await check.contains(join(top, 'extra/b.txt')), true);
    assert.deepEqual(changed, []);
  });

  it('is pinned again when it was removed from the session and added again', async () => {
    await pointTo('outside');
    const roots = new SessionRoots({ cwd: join(top, 'extra'), additionalDirectories: [join(top, 'link')] }, pins);
    const other = new RootCheck(roots);
    assert.equal(await codeOf(other.resolve(join(top, 'link/a.txt'))), 'session.root_changed');
    roots.change([join(top, 'link'), join(top, 'real')]);
    assert.equal(await codeOf(other.resolve(join(top, 'link/a.txt'))), 'session.root_changed', 'another folder came, this one stayed');
    roots.change([]);
    roots.change([join(top, 'link')]);
    assert.equal(await other.resolve(join(top, 'link/a.txt')), join(top, 'outside/a.txt'));
  });

  it('is identified only by its real path when inodes do not last', async () => {
    const mac = ['/', '/w', '/w/a', '/v'];
    const roots = { cwd: '/w', additionalDirectories: [] };
    const lasting = volume(posix, mac, false);
    const first = new RootCheck(roots, lasting);
    assert.equal(await first.contains('/w/a'), true);
    lasting.replace('/w');
    assert.equal(await codeOf(first.resolve('/w/a')), 'session.root_changed');

    const changing: Volume = { ...volume(posix, mac, false), lastingOf: async () => 'nothing' };
    const second = new RootCheck(roots, changing);
    assert.equal(await second.contains('/w/a'), true);
    changing.replace('/w');
    assert.equal(await second.contains('/w/a'), true);

    const none: Volume = { ...volume(posix, mac, false), inodeOf: async () => ({ dev: 1n, ino: 0n }) };
    assert.equal(await new RootCheck(roots, none).contains('/w/a'), true);
    assert.equal(await codeOf(new RootCheck(roots, none).resolve('/v/a')), 'fs.outside_roots');

    const windows = volume(win32, ['C:\\', 'C:\\w', 'C:\\w\\a'], true);
    const third = new RootCheck({ cwd: 'C:\\w', additionalDirectories: [] }, windows);
    assert.equal(await third.contains('C:\\w\\a'), true);
    windows.replace('C:\\w');
    assert.equal(await third.contains('C:\\w\\a'), true);
  });
});

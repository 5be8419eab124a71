import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { RootCheck } from '../../../../src/util/roots';
import { foldersToAgreeTo, rootsToOpen } from '../../../../src/application/sessions/folderConsent';
import { volume } from '../../../support/volumes';

describe('the folders of a listed session', () => {
  const listed = { cwd: '/elsewhere', additionalDirectories: ['/more'] };

  it('are its own, or the workspace when it can only be read', () => {
    assert.deepEqual(rootsToOpen(listed, false, ['/w']), listed);
    assert.deepEqual(rootsToOpen({ cwd: '/elsewhere' }, false, ['/w']), { cwd: '/elsewhere', additionalDirectories: [] });
    assert.deepEqual(rootsToOpen(listed, true, ['/w', '/x']), { cwd: '/w', additionalDirectories: [] });
    assert.deepEqual(rootsToOpen(listed, true, []), listed, 'there is no workspace');
  });
});

describe('folders that an agent names', () => {
  it('need consent when they are outside the workspace', async () => {
    const disk = volume(posix, ['/', '/work', '/work/deep/er', '/lib/a', '/lib', '/works', '/etc', '/work/..a'], false);
    const asked = async (workspace: readonly string[], cwd: string, ...additionalDirectories: string[]): Promise<string[]> =>
      (await foldersToAgreeTo({ cwd, additionalDirectories }, workspace, disk)).asked.map(({ folder }) => folder);
    assert.deepEqual(await asked(['/work', '/lib/a'], '/work', '/work/deep/er', '/lib/a/', '/lib/a'), []);
    assert.deepEqual(await asked(['/work', '/lib/a'], '/works', '/lib', '/', '/work/../etc', '/work/..a', 'work'), [
      '/works',
      '/lib',
      '/',
      '/work/../etc',
      'work',
    ]);
    assert.deepEqual(await asked([], '/work'), ['/work'], 'without a workspace all are');
    assert.deepEqual(await asked(['/work'], '/work/gone', '/gone'), ['/gone'], 'also what is not there');
  });

  it('are shown and pinned by their real paths', async () => {
    const top = await realpath(await mkdtemp(join(tmpdir(), 'consent-')));
    try {
      for (const name of ['work', 'home', 'other']) {
        await mkdir(join(top, name));
      }
      await symlink(join(top, 'home'), join(top, 'work/docs'));
      await symlink(join(top, 'work'), join(top, 'alias'));
      const roots = { cwd: join(top, 'alias'), additionalDirectories: [join(top, 'work/docs')] };
      const { asked, pins } = await foldersToAgreeTo(roots, [join(top, 'work')]);
      assert.deepEqual(asked, [{ folder: join(top, 'work/docs'), real: join(top, 'home') }]);
      // The link is replaced while the question is open.
      await rm(join(top, 'work/docs'));
      await symlink(join(top, 'other'), join(top, 'work/docs'));
      const check = new RootCheck({ ...roots, pins });
      await assert.rejects(check.resolve(join(top, 'work/docs/a')), /was replaced or leads elsewhere/);
      assert.equal(await check.resolve(join(top, 'alias/a')), join(top, 'work/a'));
    } finally {
      await rm(top, { recursive: true, force: true });
    }
  });

  it('are refused on shares of other machines, without access to them', async () => {
    const entries = ['C:\\', 'C:\\work', '\\\\own\\share\\', '\\\\own\\share\\repo', '\\\\own\\share\\lib'];
    const disk = volume(win32, entries, true, { 'C:\\work\\out': '\\\\evil\\share' });
    const named = { cwd: '\\\\evil\\share\\x', additionalDirectories: ['C:\\work\\out', '\\\\own\\share\\lib', 'C:\\work'] };
    const { foreign, asked } = await foldersToAgreeTo(named, ['C:\\work', '\\\\own\\share\\repo'], disk);
    assert.deepEqual(foreign, ['\\\\evil\\share\\x', 'C:\\work\\out']);
    assert.deepEqual(asked, [{ folder: '\\\\own\\share\\lib', real: '\\\\own\\share\\lib' }]);
    assert.deepEqual(
      disk.asked.filter((each) => each.includes('evil')),
      [],
    );
  });
});

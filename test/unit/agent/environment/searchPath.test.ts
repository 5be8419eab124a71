import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { liesIn } from '../../../../src/agent/environment/liesIn';
import { withoutProjectPath } from '../../../../src/agent/environment/searchPath';

const onWindows = process.platform === 'win32' ? it : it.skip;

describe('the PATH of an agent', () => {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-path-')));
  const at = (...parts: string[]): string => path.join(root, ...parts);
  mkdirSync(at('home', 'bin'), { recursive: true });
  mkdirSync(at('home', 'project', 'sub', 'bin'), { recursive: true });
  mkdirSync(at('home', 'project', 'node_modules', '.bin'), { recursive: true });
  mkdirSync(at('home', 'project-other', 'bin'), { recursive: true });
  symlinkSync(at('home', 'project'), at('link'));
  symlinkSync(at('home', 'project', 'sub', 'bin'), at('home', 'linked-bin'));

  const left = async (entries: readonly string[], projects: readonly string[], home = at('home')): Promise<string[]> =>
    (await withoutProjectPath({ PATH: entries.join(':') }, projects, home))['PATH']!.split(':');

  it('contains no folder of the project, whatever path leads to it', async () => {
    const inside = [
      at('home/project'),
      at('home/project/sub/bin'),
      at('link/sub/bin'),
      at('home/linked-bin'),
      `${at('home/project')}//sub/../missing`,
      `${at('home')}/./project/sub/bin/`,
    ];
    for (const project of [at('home', 'project'), at('link')]) {
      assert.deepEqual(await left([...inside, at('home/bin'), at('home/project-other/bin'), '/usr/bin'], [project]), [
        at('home/bin'),
        at('home/project-other/bin'),
        '/usr/bin',
      ]);
    }
  });

  it('contains no relative folder, with or without a project, and is never empty', async () => {
    assert.deepEqual(await left(['', '.', 'bin', './bin', '../bin', '~/bin', '/usr/bin'], []), ['/usr/bin']);
    assert.deepEqual(await left(['', '.'], []), ['/usr/local/bin', '/usr/bin', '/bin']);
    assert.deepEqual(await withoutProjectPath({ A: '1' }, [root], '/home/x'), { A: '1' });
  });

  it('contains no node_modules/.bin of a parent folder', async () => {
    assert.deepEqual(
      await left([at('home/project/node_modules/.bin'), at('link/node_modules/.bin'), '/usr/bin'], [at('home/project/sub')]),
      ['/usr/bin'],
    );
  });

  it('keeps the folders of a home directory that is opened as the project', async () => {
    assert.deepEqual(await left([at('home/bin'), at('home/project/sub/bin'), '/usr/bin'], [at('home')]), [
      at('home/bin'),
      at('home/project/sub/bin'),
      '/usr/bin',
    ]);
    assert.deepEqual(await left([at('home/project/sub/bin'), '/usr/bin'], [at('home'), at('home/project')]), ['/usr/bin']);
  });

  onWindows('contains no folder of the project on Windows, in any case and in quotes, and none of the current drive', async () => {
    const bin = at('home', 'project', 'sub', 'bin');
    const inside = [
      bin,
      bin.toUpperCase(),
      bin.replaceAll('\\', '/'),
      `"${bin}"`,
      `${bin}\\`,
      `\\\\?\\${bin}`,
      at('home', 'project', 'missing'),
    ];
    const relative = ['', '.', 'bin', '\\Windows', 'C:bin', '..\\bin'];
    const outside = [at('home', 'bin'), `"${at('home', 'project-other', 'bin')}"`, 'C:\\Windows'];
    for (const name of ['PATH', 'Path']) {
      const environment = { [name]: [...inside, ...relative, ...outside].join(';') };
      assert.deepEqual(await withoutProjectPath(environment, [at('home', 'project')], at('home')), { [name]: outside.join(';') });
    }
  });

  it('is checked by real paths', async () => {
    assert.equal(await liesIn(at('home/linked-bin'), [at('link')]), true);
    assert.equal(await liesIn(at('link'), [at('home/project')]), true);
    assert.equal(await liesIn(at('home/project-other'), [at('home/project')]), false);
    assert.equal(await liesIn(at('home'), [at('home/project')]), false);
    assert.equal(await liesIn(at('home'), []), false);
  });
});

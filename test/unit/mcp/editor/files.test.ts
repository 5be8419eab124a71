import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SessionFiles } from '../../../../src/mcp/editor/files';
import { RetryError } from '../../../../src/mcp/editor/retry';

describe('the files of a tool', () => {
  let base: string;
  let cwd: string;
  let other: string;
  let files: SessionFiles;

  before(async () => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'acp-tool-files-')));
    for (const folder of ['app/src', 'lib', 'outside']) {
      mkdirSync(path.join(base, folder), { recursive: true });
    }
    for (const file of ['app/src/a.ts', 'lib/b.ts', 'outside/c.ts']) {
      writeFileSync(path.join(base, file), '');
    }
    symlinkSync(path.join(base, 'outside'), path.join(base, 'app/link'));
    symlinkSync(path.join(base, 'app'), path.join(base, 'alias'));
    [cwd, other] = [path.join(base, 'alias'), path.join(base, 'lib')];
    files = await SessionFiles.of({ cwd, additionalDirectories: [other] });
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  it('are named relative to any folder of the session, absolutely, by real path, or as a URI', async () => {
    const a = { path: path.join(cwd, 'src/a.ts'), real: path.join(base, 'app/src/a.ts'), shown: 'src/a.ts' };
    for (const name of ['src/a.ts', './src/../src/a.ts', a.path, a.real, pathToFileURL(a.path).href, ' src/a.ts ']) {
      assert.deepEqual(await files.resolve(name, 'file'), a, name);
    }
    const b = { path: path.join(other, 'b.ts'), real: path.join(other, 'b.ts'), shown: path.join(other, 'b.ts') };
    assert.deepEqual(await files.resolve('b.ts'), b);
    assert.deepEqual((await files.resolve('.', 'folder')).shown, '.');
  });

  it('are refused outside the folders of the session', async () => {
    const hostile = [
      '../outside/c.ts',
      path.join(base, 'outside/c.ts'),
      'link/c.ts',
      '/etc/passwd',
      '../../../../etc/passwd',
      'file:///etc/passwd',
    ];
    for (const name of hostile) {
      await assert.rejects(files.resolve(name), (error) => error instanceof RetryError && /^Outside the folders/.test(error.message), name);
    }
  });

  it('are refused when they do not exist, are of the other kind, or are no paths', async () => {
    for (const name of [
      'src/b.ts',
      'src',
      '\0',
      ' ',
      'untitled:Untitled-1',
      'https://example.com/a.ts',
      'file://host/share/%',
      'src/a.ts/x',
    ]) {
      await assert.rejects(files.resolve(name, 'file'), RetryError, name);
    }
    await assert.rejects(files.resolve('src/a.ts', 'folder'), RetryError);
  });

  it('have their place in answers', async () => {
    assert.equal(files.shown(path.join(base, 'app/src/a.ts')), 'src/a.ts');
    assert.equal(files.shown('/usr/lib/lib.d.ts'), '/usr/lib/lib.d.ts');
    assert.equal(files.isInside(path.join(other, 'b.ts')), true);
    assert.equal(files.isInside(path.join(base, 'library/b.ts')), false);
    assert.equal(await files.realInside(path.join(cwd, 'link/c.ts')), undefined);
    assert.equal(await files.realInside(path.join(cwd, 'src/a.ts')), path.join(base, 'app/src/a.ts'));
  });
});

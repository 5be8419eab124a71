import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findExecutable } from '../../../src/util/executable';

describe('findExecutable', () => {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-path-')));
  const file = (name: string, mode = 0o755): string => {
    const full = path.join(root, name);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, '', { mode });
    return full;
  };

  if (process.platform !== 'win32') {
    it('finds the first program on PATH, skipping folders and files that are not executable', async () => {
      const plain = file('a/tool', 0o644);
      mkdirSync(path.join(root, 'b/tool'), { recursive: true });
      const program = file('c/tool');
      const find = (PATH: string) => findExecutable('tool', { cwd: root, environment: { PATH }, platform: 'linux' });
      assert.deepEqual(await find(`${root}/a:${root}/b:${root}/c`), { file: program, executable: true });
      assert.deepEqual(await find(`${root}/a:${root}/b`), { file: plain, executable: false });
      assert.deepEqual(await find('b:c'), { file: program, executable: true });
      assert.equal(await find(`${root}/b`), undefined);
      assert.equal(await find(''), undefined);
    });

    it('resolves a path against the working folder, and uses the usual folders without a PATH', async () => {
      const program = file('d/own');
      const find = (command: string, cwd = root) => findExecutable(command, { cwd, environment: {}, platform: 'linux' });
      assert.deepEqual(await find('./d/own'), { file: program, executable: true });
      assert.deepEqual(await find('./own', `${root}/d`), { file: program, executable: true });
      assert.deepEqual(await find(program), { file: program, executable: true });
      assert.equal(await find('own', `${root}/d`), undefined);
      assert.equal((await find('sh'))?.executable, true);
      assert.equal(await find(''), undefined);
      assert.equal(await find('a\0b'), undefined);
    });
  }

  it('tries the extensions of Windows, but not the working folder', async () => {
    const batch = file('w/npx.cmd');
    file('w/npx');
    const find = (command: string, environment: Record<string, string>, cwd = root) =>
      findExecutable(command, { cwd, environment, platform: 'win32' });
    assert.deepEqual(await find('npx', { Path: `${root}/w` }), { file: batch, executable: true });
    assert.deepEqual(await find('npx.cmd', { Path: `"${root}/w"`, PathExt: '.EXE;.CMD' }), { file: batch, executable: true });
    assert.equal(await find('npx', { PATH: `${root}/w`, PATHEXT: '.EXE' }), undefined);
    assert.equal(await find('npx', { PATH: 'C:\\none' }, `${root}/w`), undefined);
    assert.deepEqual(await find('./npx', {}, `${root}/w`), { file: batch, executable: true });
  });
});

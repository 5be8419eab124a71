/** Renames over files that another program has open. Windows refuses them for that time. */
import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeFile, renameOver } from '../../../../src/util/windows/renameOver';
import { writeFileSafely } from '../../../../src/util/writeFileSafely';

const onWindows = process.platform === 'win32' ? it : it.skip;

describe('a rename over a file in use', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'acp-host-rename-'));
    writeFileSync(at('from'), 'new');
    writeFileSync(at('to'), 'old');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A system that refuses this often. */
  function refusing(count: number, code: string): { readonly calls: () => number; rename(from: string, to: string): Promise<void> } {
    let calls = 0;
    return {
      calls: () => calls,
      rename: async (from, to) => {
        if (++calls <= count) {
          throw Object.assign(new Error(code), { code });
        }
        await rename(from, to);
      },
    };
  }

  it('is tried again on Windows, for each code with which a file in use is refused', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      writeFileSync(at('from'), code);
      const system = refusing(3, code);
      await renameOver(at('from'), at('to'), { platform: 'win32', rename: (from, to) => system.rename(from, to) });
      assert.deepEqual([system.calls(), readFileSync(at('to'), 'utf8')], [4, code]);
    }
  });

  it('is not tried again when the program that had the file open has changed it', async () => {
    const system = refusing(1, 'EPERM');
    const check = (): void => assert.equal(readFileSync(at('to'), 'utf8'), 'old');
    const rename = async (from: string, to: string): Promise<void> => {
      await system.rename(from, to).finally(() => writeFileSync(at('to'), 'saved'));
    };
    await assert.rejects(renameOver(at('from'), at('to'), { platform: 'win32', rename, check }), assert.AssertionError);
    assert.deepEqual([system.calls(), readFileSync(at('to'), 'utf8')], [1, 'saved']);
  });

  it('fails at once elsewhere, for other errors, and over a folder', async () => {
    mkdirSync(at('folder'));
    for (const [platform, code, to] of [
      ['linux', 'EPERM', 'to'],
      ['win32', 'ENOENT', 'to'],
      ['win32', 'EPERM', 'folder'],
    ] as const) {
      const system = refusing(9, code);
      await assert.rejects(renameOver(at('from'), at(to), { platform, rename: (from, target) => system.rename(from, target) }), { code });
      assert.equal(system.calls(), 1);
    }
  });

  it('fails with the last error when the file stays in use', async () => {
    const system = refusing(1e6, 'EBUSY');
    const failing = renameOver(at('from'), at('to'), { platform: 'win32', limitMs: 50, rename: (from, to) => system.rename(from, to) });
    await assert.rejects(failing, { code: 'EBUSY' });
    assert.equal(readFileSync(at('to'), 'utf8'), 'old');
  });

  onWindows('waits for a reader, and so does a safe write', async () => {
    for (const write of [() => renameOver(at('from'), at('to')), () => writeFileSafely(at('to'), ['newer'], { overwrite: true })]) {
      const reader = openSync(at('to'), 'r');
      setTimeout(() => closeSync(reader), 200);
      await write();
    }
    assert.equal(readFileSync(at('to'), 'utf8'), 'newer');
  });

  it('lets a file be deleted while it is read', async () => {
    const reader = openSync(at('to'), 'r');
    await removeFile(at('to'));
    await removeFile(at('missing'));
    closeSync(reader);
    assert.equal(existsSync(at('to')), false);
  });
});

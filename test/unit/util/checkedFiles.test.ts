/** Files are distinguished by real path, device and inode. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskBytes } from '../../../src/util/checkedBytes';
import { identityOf, isSameFile } from '../../../src/util/checkedFiles';
import { nodePaths } from '../../../src/util/realPath';

describe('the identity of a file', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-identity-')));
    writeFileSync(at('a.txt'), 'a');
    writeFileSync(at('b.txt'), 'b');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is the same for each name that points to the file, and survives a write in place', async () => {
    const before = (await identityOf(at('a.txt')))!;
    symlinkSync('a.txt', at('link'));
    writeFileSync(at('a.txt'), 'longer');
    const now = (await identityOf(at('link')))!;
    assert.equal(isSameFile(before, now), true);
    assert.equal(now.real, at('a.txt'));
  });

  it('differs for another file at the path, and for the same file at another path', async () => {
    const before = (await identityOf(at('a.txt')))!;
    renameSync(at('a.txt'), at('c.txt'));
    assert.equal(isSameFile(before, (await identityOf(at('c.txt')))!), false);
    renameSync(at('b.txt'), at('a.txt'));
    assert.equal(isSameFile(before, (await identityOf(at('a.txt')))!), false);
    rmSync(at('a.txt'));
    symlinkSync('c.txt', at('a.txt'));
    assert.equal(isSameFile(before, (await identityOf(at('a.txt')))!), false);
  });

  it('is unknown for a missing file, and when the file system has no inode numbers', async () => {
    assert.equal(await identityOf(at('none')), undefined);
    const system = { ...nodePaths, inodeOf: () => Promise.resolve({ dev: 1n, ino: 0n }) };
    assert.equal(await identityOf(at('a.txt'), system), undefined);
  });

  it('limits a read to the file it belongs to', async () => {
    const identity = (await identityOf(at('a.txt')))!;
    const read = async (): Promise<string> => Buffer.from(await diskBytes.read(identity.real, 10, identity)).toString();
    assert.equal(await read(), 'a');
    renameSync(at('b.txt'), at('a.txt'));
    await assert.rejects(read(), { code: 'ESTALE' });
    rmSync(at('a.txt'));
    writeFileSync(at('b.txt'), 'b');
    symlinkSync('b.txt', at('a.txt'));
    await assert.rejects(read(), { code: process.platform === 'linux' ? 'ELOOP' : /ELOOP|ESTALE/ });
  });
});

/** Objects of a repository, read by their ids. */
import assert from 'node:assert/strict';
import { type Blob, eachBlob, readBlob, withCrlf } from '../../../src/changes/disk/gitBlobs';
import { run, Workspace } from '../../support/changes/workspace';

describe('the objects of a repository', () => {
  let workspace: Workspace;
  before(() => {
    workspace = new Workspace(true);
    workspace.write('a.txt', 'a\n');
    workspace.write('large.txt', 'x'.repeat(100));
    workspace.commit();
  });
  after(() => workspace.dispose());
  const oidOf = (name: string): string => workspace.git('rev-parse', `HEAD:${name}`).trim();
  const shown = (blob: Blob): string => (!blob ? 'missing' : 'bytes' in blob ? Buffer.from(blob.bytes).toString() : `${blob.size} bytes`);

  it('have their bytes, or their size when they exceed the limit, or are missing', async () => {
    const found: Record<string, string> = {};
    const names: Record<string, string> = { [oidOf('a.txt')]: 'a', [oidOf('large.txt')]: 'large', ['0'.repeat(39) + '1']: 'unknown' };
    await eachBlob(run, { cwd: workspace.folder }, Object.keys(names), 50, async (oid, blob) => {
      found[names[oid]!] = shown(blob);
    });
    assert.deepEqual(found, { a: 'a\n', large: '100 bytes', unknown: 'missing' });
  });

  it('are missing when git fails', async () => {
    const found: string[] = [];
    await eachBlob(
      async () => undefined,
      { cwd: workspace.folder },
      [oidOf('a.txt')],
      50,
      async (_, blob) => void found.push(shown(blob)),
    );
    assert.deepEqual(found, ['missing']);
  });

  it('distinguish a missing object from a failing git', async () => {
    assert.equal(Buffer.from((await readBlob(run, workspace.folder, oidOf('a.txt')))!).toString(), 'a\n');
    assert.equal(await readBlob(run, workspace.folder, '0'.repeat(39) + '1'), undefined);
    await assert.rejects(readBlob(async () => undefined, workspace.folder, oidOf('a.txt')));
  });

  it('have CRLF line ends unless a CR makes that uncertain', () => {
    assert.equal(Buffer.from(withCrlf(Buffer.from('a\nb\n'))!).toString(), 'a\r\nb\r\n');
    assert.equal(withCrlf(Buffer.from('a\r\nb\n')), undefined);
  });
});

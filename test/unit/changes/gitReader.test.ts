/** Objects of a repository that are read in batches. */
import assert from 'node:assert/strict';
import type { RunGit } from '../../../src/changes/disk/git';
import { batchedGitReader } from '../../../src/changes/disk/gitReader';
import { run, Workspace } from '../../support/changes/workspace';

describe('the reader of objects', function () {
  this.timeout(30_000);
  let workspace: Workspace;

  beforeEach(() => {
    workspace = new Workspace(true);
  });

  afterEach(() => workspace.dispose());

  const oidOf = (name: string): string => workspace.git('hash-object', '-w', name).trim();

  it('reads many objects with one process, once', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `file${index}.txt`);
    names.forEach((name) => workspace.write(name, `${name}\n`));
    const oids = names.map(oidOf);
    let processes = 0;
    const counting: RunGit = (...args) => {
      processes++;
      return run(...args);
    };
    const read = batchedGitReader(counting);
    const texts = await Promise.all(oids.map(async (oid) => Buffer.from((await read(workspace.folder, oid))!).toString()));
    assert.deepEqual(
      texts,
      names.map((name) => `${name}\n`),
    );
    await Promise.all(oids.map((oid) => read(workspace.folder, oid)));
    assert.equal(processes, 1);
  });

  it('distinguishes a missing object from a failing git', async () => {
    workspace.write('a.txt', 'a\n');
    const read = batchedGitReader(run);
    const gone = 'f'.repeat(40);
    const [known, missing] = await Promise.all([read(workspace.folder, oidOf('a.txt')), read(workspace.folder, gone)]);
    assert.equal(Buffer.from(known!).toString(), 'a\n');
    assert.equal(missing, undefined);
    const failing = batchedGitReader(async () => undefined);
    await assert.rejects(failing(workspace.folder, gone), /git cat-file failed/);
  });
});

/** The paths by which the user's file operations are compared with the agent's changes. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { entryPathOf } from '../../../../../src/application/changes/documents/realPaths';

describe('the path of an entry', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'entries-')));
    mkdirSync(path.join(folder, 'project'));
    symlinkSync('project', path.join(folder, 'link'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the real one at the first question, even for a deleted file', async () => {
    assert.equal(await entryPathOf(path.join(folder, 'link', 'new.txt')), path.join(folder, 'project', 'new.txt'));
    assert.equal(await entryPathOf(path.join(folder, 'link', 'gone', 'new.txt')), path.join(folder, 'project', 'gone', 'new.txt'));
  });

  it('does not follow a link that is the entry itself', async () => {
    writeFileSync(path.join(folder, 'project', 'a.txt'), '');
    symlinkSync('a.txt', path.join(folder, 'project', 'second'));
    assert.equal(await entryPathOf(path.join(folder, 'link', 'second')), path.join(folder, 'project', 'second'));
  });
});

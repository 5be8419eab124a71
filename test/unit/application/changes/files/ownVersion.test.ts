/** A restored file replaces the version that the editor saved, but never one that another program saved meanwhile. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { diskFiles, type FileStat } from '../../../../../src/changes/disk/diskFiles';
import { isOwnVersion } from '../../../../../src/application/changes/files/ownVersion';

describe('a file after the save of its document', () => {
  let folder: string;
  let expected: FileStat;
  let now: FileStat;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'versions-'));
    const file = path.join(folder, 'a.txt');
    writeFileSync(file, 'by the agent\n');
    expected = (await diskFiles.stat(file))!;
    writeFileSync(file, 'a newer text\n');
    now = (await diskFiles.stat(file))!;
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is replaced while it is as expected, even if the editor did not save', () => {
    assert.ok(isOwnVersion({ stat: expected, text: 'by the agent\n', saved: undefined }, expected));
  });

  it("is replaced when it has the editor's text, whatever its line ends", () => {
    assert.ok(isOwnVersion({ stat: now, text: 'formatted\r\n', saved: 'formatted\n' }, expected));
  });

  it('is left when another program saved it', () => {
    assert.ok(!isOwnVersion({ stat: now, text: 'a newer text\n', saved: 'formatted\n' }, expected));
    assert.ok(!isOwnVersion({ stat: now, text: 'a newer text\n', saved: undefined }, expected));
    assert.ok(!isOwnVersion({ stat: now, text: undefined, saved: 'formatted\n' }, expected));
  });

  it('is left when it was created or deleted meanwhile', () => {
    assert.ok(!isOwnVersion({ stat: now, text: 'a newer text\n', saved: undefined }, null));
    assert.ok(!isOwnVersion({ stat: null, text: undefined, saved: 'formatted\n' }, expected));
  });
});

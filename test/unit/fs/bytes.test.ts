import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskBytes } from '../../../src/util/checkedBytes';
import { StoredFiles } from '../../../src/fs/files';
import { FakeCodec } from '../../support/fakeBuffers';
import { faultOf } from '../../support/fakeFileService';

describe('files on disk', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-bytes-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are created with their folders, never over an existing one, and not inside a file', async () => {
    const files = new StoredFiles(new FakeCodec(), diskBytes);
    const file = path.join(folder, 'a', 'b.txt');
    assert.equal(await files.create(file, 'text'), true);
    assert.equal(await files.create(file, 'other'), false);
    assert.equal(readFileSync(file, 'utf8'), 'text');
    writeFileSync(path.join(folder, 'plain'), '');
    for (const inside of ['plain/x', 'plain/x/y']) {
      const { failure } = await faultOf(files.create(path.join(folder, inside), 'text'));
      assert.equal(failure.code, 'fs.write_failed', 'not "changed meanwhile", which would be tried again');
      assert.match(failure.detail ?? '', /ENOTDIR/);
    }
  });
});

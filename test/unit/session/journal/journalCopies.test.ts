import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { COPY_MS, copyJournal, MAX_COPIES, pruneCopies } from '../../../../src/session/journal/journalCopies';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';

describe('copies of a journal', () => {
  let folder: string;
  let files: JournalFiles;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'copies-'));
    files = new JournalFiles(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const copies = async (key: string): Promise<string[]> => {
    const names = (await readdir(path.join(folder, `${key}.copies`)).catch(() => [])).sort();
    return Promise.all(names.map((name) => readFile(path.join(folder, `${key}.copies`, name), 'utf8')));
  };

  it('are made before it is rewritten, but not before it is appended to', async () => {
    await files.file('k').append('one\n');
    await files.file('k').append('two\n');
    assert.deepEqual(await copies('k'), []);
    await files.file('k').replace('three\n');
    assert.deepEqual(await copies('k'), ['one\ntwo\n']);
    assert.equal(await readFile(path.join(folder, 'k.jsonl'), 'utf8'), 'three\n');
    const [name] = await readdir(path.join(folder, 'k.copies'));
    if (process.platform !== 'win32') {
      assert.equal((await stat(path.join(folder, 'k.copies', name!))).mode & 0o777, 0o600);
      assert.equal((await stat(path.join(folder, 'k.copies'))).mode & 0o777, 0o700);
    }
  });

  it('are limited to the newest', async () => {
    const journal = path.join(folder, 'k.jsonl');
    for (let number = 1; number <= MAX_COPIES + 2; number++) {
      await writeFile(journal, `${number}\n`);
      await copyJournal(journal, path.join(folder, 'k.copies'), 1_700_000_000_000);
    }
    assert.deepEqual(await copies('k'), ['3\n', '4\n', '5\n']);
  });

  it('are deleted when they are old', async () => {
    const journal = path.join(folder, 'k.jsonl');
    await writeFile(journal, 'old\n');
    const now = Date.now();
    await copyJournal(journal, path.join(folder, 'k.copies'), now - COPY_MS + 10_000);
    await pruneCopies(path.join(folder, 'k.copies'), now);
    assert.deepEqual(await copies('k'), ['old\n']);
    await pruneCopies(path.join(folder, 'k.copies'), now + 20_000);
    assert.deepEqual(await readdir(folder), ['k.jsonl']);
  });

  it('are deleted with their session, without those of other sessions', async () => {
    for (const key of ['k', 'k-2']) {
      await files.file(key).append('one\n');
      await files.file(key).replace('two\n');
    }
    await files.remove('k');
    assert.deepEqual((await readdir(folder)).sort(), ['k-2.copies', 'k-2.jsonl']);
  });

  it('stop the rewrite when they cannot be made', async () => {
    await files.file('k').append('one\n');
    await writeFile(path.join(folder, 'k.copies'), 'a file in the way');
    await assert.rejects(files.file('k').replace('two\n'));
    assert.equal(await readFile(path.join(folder, 'k.jsonl'), 'utf8'), 'one\n');
  });
});

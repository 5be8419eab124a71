import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalFiles } from '../../../src/session/journalFiles';

describe('journal files', () => {
  let folder: string;
  const header = (key: string): string => JSON.stringify({ acpHostJournal: 1, key, agentName: 'A', cwd: '/w', createdAt: 5 }) + '\n';
  const line = (event: object): string => JSON.stringify({ seq: 0, event: { at: 1, ...event } }) + '\n';

  beforeEach(() => (folder = path.join(mkdtempSync(path.join(tmpdir(), 'acp-host-journals-')), 'deep', 'sessions')));
  afterEach(() => rmSync(path.dirname(path.dirname(folder)), { recursive: true, force: true }));

  it('can be read by the user only, and hold what was appended in order', async () => {
    const journals = new JournalFiles(folder);
    const file = journals.file('k-1');
    await file.append(header('k-1'));
    await file.append(line({ type: 'turn_cancelling' }));
    assert.equal(await journals.read('k-1'), header('k-1') + line({ type: 'turn_cancelling' }));
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder, 'k-1.jsonl')).mode & 0o777, 0o600);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }
    assert.equal(await journals.read('k-2'), undefined);
  });

  it('refuse a key that would leave the folder', async () => {
    const journals = new JournalFiles(folder);
    for (const key of ['../../etc/passwd', 'A', '', 'a/b', 'x'.repeat(65)]) {
      await assert.rejects(journals.read(key), RangeError);
      await assert.rejects(journals.file(key).append('x'), RangeError);
    }
  });

  it('are listed newest first with what they are about, and only the readable ones', async () => {
    const journals = new JournalFiles(folder);
    assert.deepEqual(await journals.list(10), []);
    await journals.file('old').append(header('old') + line({ type: 'message', role: 'user', messageId: '1', content: [{ type: 'text', text: '  Fix\n the bug ' }] }));
    await journals.file('new').append(header('new') + line({ type: 'session_info', title: 'Named' }) + '{"torn');
    writeFileSync(path.join(folder, 'bad.jsonl'), 'nonsense');
    utimesSync(path.join(folder, 'old.jsonl'), 1, 1);
    assert.deepEqual((await journals.list(10)).map(({ key, title }) => [key, title]), [['new', 'Named'], ['old', 'Fix the bug']]);
    assert.equal((await journals.list(2)).length, 1);
  });

  it('are listed with what was kept of them last, whatever their beginning says', async () => {
    const journals = new JournalFiles(folder);
    const file = journals.file('k-1');
    await file.append(header('k-1') + line({ type: 'session_ready', sessionId: 'FIRST' }) + line({ type: 'session_info', title: 'First' }));
    assert.deepEqual(await journals.list(1), [{ key: 'k-1', agentName: 'A', cwd: '/w', createdAt: 5, title: 'First', sessionId: 'FIRST' }]);
    const summary = { key: 'k-1', agentName: 'A', cwd: '/w', createdAt: 5, title: 'Later', sessionId: 'SECOND', changedAt: 9 };
    await file.describe(JSON.stringify(summary));
    assert.deepEqual(await journals.list(1), [summary]);
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder, 'k-1.summary.json')).mode & 0o777, 0o600);
    }
    // Of another conversation, or damaged: the journal itself speaks.
    for (const text of [JSON.stringify({ ...summary, key: 'k-2' }), '{"torn', 'null', JSON.stringify({ ...summary, title: 7 })]) {
      await file.describe(text);
      assert.equal((await journals.list(1))[0]?.title, 'First', text);
    }
  });

  it('leave nothing behind when they are removed, and nothing else goes with them', async () => {
    const journals = new JournalFiles(folder);
    for (const key of ['gone', 'gone-not']) {
      await journals.file(key).append(header(key));
      await journals.file(key).describe('{}');
      await journals.writeDraft(key, '{}');
    }
    await journals.remove('gone');
    await journals.remove('gone');
    assert.deepEqual(readdirSync(folder).sort(), ['gone-not.draft.json', 'gone-not.jsonl', 'gone-not.summary.json']);
    await assert.rejects(journals.remove('../gone-not'), RangeError);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Drafts } from '../../../../src/session/journal/drafts';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';
import { MemoryHost } from '../../../../webview/base/host';
import { Draft } from '../../../../webview/state/draft';
import { quiet } from '../fakes';

describe('drafts', () => {
  let folder: string;
  const drafts = (): Drafts => new Drafts(new JournalFiles(folder), quiet);
  const draft = (at: number, text: string) => ({ at, content: [{ type: 'text' as const, text }] });

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'acp-host-drafts-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are restored from disk, the newest of each session, readable by the user only', async () => {
    const before = drafts();
    before.set('a', draft(1, 'h'));
    before.set('a', draft(2, 'half a thought'));
    before.set('b', draft(3, 'another'));
    await before.flush();
    const after = drafts();
    await Promise.all(['a', 'b', 'c'].map((key) => after.load(key)));
    assert.deepEqual(after.get('a'), draft(2, 'half a thought'));
    assert.deepEqual(after.get('b'), draft(3, 'another'));
    assert.equal(after.get('c'), undefined);
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder, 'a.draft.json')).mode & 0o777, 0o600);
    }
  });

  it('leave only their time on disk once they are emptied or sent, and are never replaced by older ones', async () => {
    const all = drafts();
    all.set('a', draft(1, 'old'));
    await all.flush();
    all.set('a', { at: 2, content: [] });
    await all.load('a');
    assert.deepEqual(all.get('a'), { at: 2, content: [] });
    await all.flush();
    assert.equal(readFileSync(path.join(folder, 'a.draft.json'), 'utf8'), '{"at":2,"content":[]}');
    all.forget('a');
    await all.flush();
    assert.equal(existsSync(path.join(folder, 'a.draft.json')), false);
  });

  it('win over the older text in the saved state of a page once they are emptied', async () => {
    const before = drafts();
    before.set('a', draft(1, 'half a thought'));
    before.set('a', { at: 2, content: [] });
    await before.flush();
    const after = drafts();
    await after.load('a');
    const page = new Draft(new MemoryHost(() => undefined, { read: () => ({ draft: 'half a thought', at: 1 }), write: () => undefined }));
    assert.equal(page.text, 'half a thought');
    page.adopt(after.get('a') ?? { at: 0, content: [] });
    assert.equal(page.text, '');
  });

  it('do no harm when they cannot be read', async () => {
    for (const text of ['{"at":1,"con', '[]', 'null', '{"at":1,"content":[{"type":"unknown"}]}']) {
      writeFileSync(path.join(folder, 'a.draft.json'), text);
      const all = drafts();
      await all.load('a');
      assert.equal(all.get('a'), undefined);
    }
    await drafts().load('../a');
  });
});

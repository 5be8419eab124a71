/**
 * This version reads the files of earlier versions. Journals (made by an early version with the scenarios of test/agent) reduce to the conversation in
 * test/golden/restored, and drafts are restored unchanged. `test/unit/acp/replay/savedLogs.test.ts` reads their protocol logs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { Drafts } from '../../../../src/session/journal/drafts';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';
import { reducePortions } from '../../../../src/session/journal/journalReader';
import { SessionStorage } from '../../../../src/session/storage/sessionStorage';
import { assertGolden } from '../../../support/golden';
import { quiet } from '../fakes';

const FIXTURES = path.join(__dirname, '../../../fixtures/earlierVersions');
const GOLDEN = path.join(__dirname, '../../../golden/restored');
const keys = readdirSync(path.join(FIXTURES, 'journals')).map((name) => path.basename(name, '.jsonl'));

describe('files of earlier versions', () => {
  const journals = new JournalFiles(path.join(FIXTURES, 'journals'));

  for (const key of keys) {
    it(`include the journal ${key}`, async () => {
      const journal = await reducePortions(journals.portions(key));
      assert.ok(journal);
      const { state, skipped, next, header, wasReady } = journal;
      assert.equal(skipped, 0);
      assertGolden(`restored/${key}.txt`, [
        `# ${header.agentName}, in ${header.cwd}, session ${state.sessionId}, ${state.status}${wasReady ? '' : ', never ready'}, next ${next}`,
        ...[...state.entries].map((slot) => `- ${slot.entryId}: ${slot.kind}`),
        '',
        ...toMarkdown(state).split('\n'),
      ]);
    });
  }

  it('are moved into the store of all windows, with their titles', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-earlier-'));
    const earlier = path.join(folder, 'workspaceStorage', 'abc-1', 'acp.host', 'sessions');
    // Node's `cpSync` copies nothing into a folder with an umlaut on Windows.
    await cp(path.join(FIXTURES, 'journals'), earlier, { recursive: true });
    const storage = new SessionStorage({
      root: path.join(folder, 'global', 'store'),
      earlier: { storage: path.join(folder, 'workspaceStorage', 'abc', 'acp.host'), globalStorage: path.join(folder, 'global') },
      maxBytes: () => Infinity,
      log: quiet,
    });
    const { summaries, total } = await storage.list({ limit: 100 });
    assert.deepEqual(summaries.map(({ key }) => key).sort(), [...keys].sort());
    assert.equal(total, keys.length);
    assert.deepEqual(readdirSync(earlier), []);
    for (const key of keys) {
      const moved = await reducePortions(storage.portions(key));
      const was = await reducePortions(journals.portions(key));
      assert.deepEqual(moved?.state.entries.slice(), was?.state.entries.slice(), key);
    }
    storage.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have a journal for every golden text', () => {
    assert.deepEqual(readdirSync(GOLDEN).sort(), keys.map((key) => `${key}.txt`).sort());
  });

  it('include drafts', async () => {
    const log = { debug: () => undefined, info: () => undefined, warn: assert.fail, error: assert.fail };
    const drafts = new Drafts(new JournalFiles(path.join(FIXTURES, 'drafts')), log);
    await drafts.load('v0-1-journey');
    const draft = drafts.get('v0-1-journey');
    assert.equal(draft?.at, 1760000200000);
    assert.deepEqual(
      draft.content.map((block) => block.type),
      ['text', 'resource_link', 'image'],
    );
  });
});

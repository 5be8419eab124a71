/** Sessions in which the user has sent nothing: they are hidden from lists, and their files are deleted later. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../../../src/core/model/event';
import { emptiedDraft } from '../../../../src/session/journal/emptiedDraft';
import { folderNameOf } from '../../../../src/session/storage/folderName';
import type { SessionStorage } from '../../../../src/session/storage/sessionStorage';
import { headerOf, lineOf, said, StorageScene } from './storageScene';

const FAILED: EventInput = { type: 'session_failed', failure: { code: 'agent.not_found' } };
const OPENED: EventInput = { type: 'session_opened', agentName: 'A', cwd: '/w' };
const DAY_MS = 24 * 60 * 60 * 1000;

describe('a session without a message', () => {
  let scene: StorageScene;
  beforeEach(() => (scene = new StorageScene()));
  afterEach(() => scene.end());

  const folder = () => path.join(scene.root, 'folders', folderNameOf('/w'));
  const keys = async (storage: SessionStorage): Promise<string[]> => (await storage.list({ limit: 100 })).summaries.map(({ key }) => key);
  /** Stores a session. @param summary the summary of the last window; missing after a crash */
  const store = async (storage: SessionStorage, key: string, events: readonly EventInput[], summary?: object, at = Date.now()) => {
    const file = storage.file(headerOf(key));
    await file.append(JSON.stringify(headerOf(key)) + '\n' + events.map((event, index) => lineOf(event, index)).join(''));
    await file.describe(
      JSON.stringify({ key, agentName: 'A', cwd: '/w', createdAt: at, title: '', prompt: '', changedAt: at, ...summary }),
    );
    if (!summary) {
      writeFileSync(path.join(folder(), `${key}.summary.json`), 'torn');
    }
    await storage.release(key);
  };

  const cases: readonly (readonly [what: string, events: readonly EventInput[], summary?: object])[] = [
    ['that never started', [OPENED, FAILED], { isUnused: true }],
    ['that never started, of a version that did not mark it', [OPENED, FAILED], {}],
    ['that crashed before its first summary', [OPENED]],
    [
      'with a banner of the agent',
      [OPENED, { type: 'session_ready', sessionId: 's' }, said('Welcome', 'b', 'agent')],
      { title: 'New session', isUnused: true },
    ],
  ];
  for (const [what, events, summary] of cases) {
    it(`is listed nowhere: one ${what}`, async () => {
      await store(scene.open(), 'empty', events, summary);
      const next = scene.open();
      const page = await next.list({ limit: 100 });
      assert.deepEqual([page.summaries, page.total], [[], 0]);
      const hits: string[] = [];
      for await (const { key } of next.search('New session', new AbortController().signal)) {
        hits.push(key);
      }
      assert.deepEqual(hits, []);
    });
  }

  it('is listed with a draft, a queued message, a comment, a name, a pin or in the archive', async () => {
    const storage = scene.open();
    const all = ['draft', 'queue', 'comments', 'name', 'pin', 'archive'];
    for (const key of all) {
      await store(storage, key, [OPENED, FAILED], { isUnused: true });
    }
    await storage.writeDraft('draft', '{}');
    await storage.writeQueue('queue', '[]');
    await storage.writeComments('comments', '[]');
    await storage.mark('name', { name: 'Mine' });
    await storage.mark('pin', { pinned: true });
    await storage.mark('archive', { archived: true });
    assert.deepEqual((await keys(scene.open())).sort(), all.sort());
    await storage.writeDraft('draft', emptiedDraft(1));
    assert.ok(!(await keys(scene.open())).includes('draft'));
  });

  it('is listed once its journal has a message, whatever its summary says', async () => {
    const storage = scene.open();
    await store(storage, 'used', [OPENED, said('hello')], { isUnused: true });
    await store(storage, 'listed', [{ ...OPENED, sessionId: 'at-agent' } as EventInput], { isUnused: true });
    const long = [...Array(200).keys()].map((index) => said('x'.repeat(400), `b${index}`, 'agent'));
    await store(storage, 'long', [OPENED, ...long, said('hello')], { isUnused: true });
    assert.deepEqual((await keys(scene.open())).sort(), ['listed', 'long', 'used']);
  });

  it('is listed when a later version has stored it, because this version may not understand all of it', async () => {
    const storage = scene.open();
    const file = storage.file(headerOf('later'));
    await file.append(
      `${JSON.stringify({ ...headerOf('later'), acpHostJournal: 2 })}\n${JSON.stringify({ seq: 0, event: { type: 'said', at: 1 } })}\n`,
    );
    await file.describe(JSON.stringify({ key: 'later', agentName: 'A', cwd: '/w', createdAt: 1, title: '', prompt: '', changedAt: 1 }));
    await storage.release('later');
    assert.deepEqual(await keys(scene.open()), ['later']);
  });

  it('is found by the agent’s id, so that no agent’s list shows it as another session', async () => {
    const storage = scene.open();
    await store(storage, 'empty', [OPENED, { type: 'session_ready', sessionId: 's' }], { isUnused: true, sessionId: 's' });
    assert.equal((await scene.open().find({ agentId: 'A' }, 's')).length, 1);
  });

  describe('is deleted', () => {
    const gone = async (key: string): Promise<boolean> => {
      for (let tries = 0; tries < 100; tries++) {
        if (!existsSync(folder()) || !readdirSync(folder()).some((name) => name.startsWith(`${key}.`))) {
          return true;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return false;
    };

    it('by a later window, a day after it was left', async () => {
      const first = scene.open();
      await store(first, 'old', [OPENED, FAILED], { isUnused: true }, Date.now() - 2 * DAY_MS);
      await store(first, 'fresh', [OPENED, FAILED], { isUnused: true });
      await store(first, 'draft', [OPENED, FAILED], { isUnused: true }, Date.now() - 2 * DAY_MS);
      await first.writeDraft('draft', '{}');
      first.dispose();
      const next = scene.open({ tidyMs: 1 });
      await keys(next);
      assert.ok(await gone('old'));
      const left = new Set(readdirSync(folder()).map((name) => name.split('.')[0]));
      assert.deepEqual([...left].sort(), ['draft', 'fresh']);
    });

    it('never while another window shows it', async () => {
      const first = scene.open();
      await store(first, 'shown', [OPENED, FAILED], { isUnused: true }, Date.now() - 2 * DAY_MS);
      assert.ok(await first.acquire('shown'));
      await keys(scene.open({ tidyMs: 1 }));
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.ok(readdirSync(folder()).some((name) => name === 'shown.jsonl'));
    });
  });
});

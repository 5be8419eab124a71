/** Listing and deleting the stored changes of sessions. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeLog } from '../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { keptChanges, removeKept, sessionsOverLimit } from '../../../src/changes/store/changeStorage';
import { keep, StorageScene } from '../session/storage/storageScene';
import { ObjectStore } from '../../../src/changes/store/objectStore';

describe('stored changes', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'kept-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('are listed for all sessions and deleted oldest first, but never for an open session', async () => {
    for (const [index, key] of ['one', 'two', 'three'].entries()) {
      const folder = path.join(root, `project-${index % 2}`, `${key}.changes`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'pack-0'), Buffer.alloc(1000));
      utimesSync(path.join(folder, 'pack-0'), index + 1, index + 1);
      writeFileSync(path.join(root, `project-${index % 2}`, `${key}.jsonl`), 'journal');
    }
    const kept = await keptChanges(root);
    assert.deepEqual(kept.map(({ sessionKey, bytes }) => `${sessionKey} ${bytes}`).sort(), ['one 1000', 'three 1000', 'two 1000']);
    const going = async (maxBytes: number): Promise<string[]> =>
      (await sessionsOverLimit(kept, maxBytes, async (key) => key === 'two')).map(({ sessionKey }) => sessionKey);
    assert.deepEqual(await going(3000), []);
    assert.deepEqual(await going(2999), ['one']);
    assert.deepEqual(await going(0), ['one', 'three']);
    await removeKept(kept.find(({ sessionKey }) => sessionKey === 'one')!);
    assert.deepEqual(readdirSync(path.join(root, 'project-0')).sort(), ['one.jsonl', 'three.changes', 'three.jsonl']);
  });

  it('keep the wanted contents when the others are deleted, also after a reload', async () => {
    const folder = new DiskStoreFolder(path.join(root, 'a.changes'));
    const store = new ObjectStore(folder, 1_000_000);
    const log = new ChangeLog(folder);
    const bytes = (text: string): Buffer => Buffer.from(text.repeat(5000));
    const [first, second] = [await store.put(bytes('first')), await store.put(bytes('second'))];
    await log.append({ type: 'checkpoint', turnId: 'turn-1', at: 1 });
    const before = await folder.size();
    await log.keepOnly(() => []);
    await store.keepOnly(new Set([second!]));
    const third = await store.put(bytes('third'));
    await log.append({ type: 'checkpoint', turnId: 'turn-2', at: 2 });
    const contents = (from: ObjectStore): Promise<(string | undefined)[]> =>
      Promise.all([first, second, third].map(async (hash) => (await from.get(hash!))?.subarray(0, 5).toString()));
    assert.deepEqual(await contents(store), [undefined, 'secon', 'third']);
    const again = new DiskStoreFolder(path.join(root, 'a.changes'));
    assert.deepEqual(await contents(new ObjectStore(again, 1_000_000)), [undefined, 'secon', 'third']);
    assert.deepEqual(
      (await new ChangeLog(again).records()).map((record) => record.type === 'checkpoint' && record.turnId),
      ['turn-2'],
    );
    assert.ok((await folder.size()) < before + 200);
    assert.equal(readdirSync(path.join(root, 'a.changes')).filter((name) => name.startsWith('pack-')).length, 1);
  });

  describe('during their deletion', () => {
    const project = (): string => path.join(root, 'project');
    const folder = (): string => path.join(project(), 'one.changes');
    const write = (): void => {
      mkdirSync(folder(), { recursive: true });
      writeFileSync(path.join(folder(), 'objects.jsonl'), 'objects');
    };
    beforeEach(write);

    it('stay when a window opens the session', async () => {
      const [kept] = await keptChanges(root);
      assert.equal(await removeKept(kept!, async () => true), false);
      let calls = 0;
      assert.equal(await removeKept(kept!, async () => ++calls > 1), false, 'opened while the folder was renamed');
      assert.deepEqual([readdirSync(project()), readdirSync(folder())], [['one.changes'], ['objects.jsonl']]);
    });

    it('stay when they were written since they were listed', async () => {
      const [kept] = await keptChanges(root);
      utimesSync(path.join(folder(), 'objects.jsonl'), kept!.at / 1000 + 1, kept!.at / 1000 + 1);
      assert.equal(await removeKept(kept!), false);
      assert.deepEqual(readdirSync(folder()), ['objects.jsonl']);
    });

    it('leave no part of a store under the session’s name', async () => {
      const [kept] = await keptChanges(root);
      const left: string[][] = [];
      const isInUse = async (): Promise<boolean> => {
        left.push(readdirSync(project()).map((name) => name.replace(/[0-9a-f]{24}/, '#')));
        return false;
      };
      assert.equal(await removeKept(kept!, isInUse), true);
      assert.deepEqual(left, [['one.changes'], ['.one.changes.#.tmp']]);
      assert.deepEqual(readdirSync(project()), []);
    });

    it('are deleted later when a crash has interrupted the deletion', async () => {
      const away = path.join(project(), `.one.changes.${'0'.repeat(24)}.tmp`);
      renameSync(folder(), away);
      assert.deepEqual(await keptChanges(root), []);
      assert.deepEqual(readdirSync(project()), [path.basename(away)], 'another window may be deleting it now');
      assert.deepEqual(await keptChanges(root, Date.now() + 120_000), []);
      assert.deepEqual(readdirSync(project()), []);
    });
  });

  it('are listed in the folder where sessions store them', async () => {
    const scene = new StorageScene();
    try {
      const storage = scene.open();
      await keep(storage, 'a', { cwd: '/w' });
      await keep(storage, 'b', { cwd: '/other' });
      for (const key of ['a', 'b']) {
        await new DiskStoreFolder((await storage.changesFolder(key))!).append('objects', Buffer.from(key));
      }
      const kept = await keptChanges(storage.folders);
      assert.deepEqual(kept.map(({ sessionKey, bytes }) => [sessionKey, bytes]).sort(), [
        ['a', 1],
        ['b', 1],
      ]);
    } finally {
      scene.end();
    }
  });
});

/** How much earlier versions take, and how they go. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeLog } from '../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { keptChanges, removeKept, tooMuch } from '../../../src/changes/store/keptChanges';
import { keep, StorageScene } from '../session/storage/storageScene';
import { ObjectStore } from '../../../src/changes/store/objectStore';

describe('what is kept of changes', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'kept-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is found for all sessions; the oldest go first, and none that is open', async () => {
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
      (await tooMuch(kept, maxBytes, async (key) => key === 'two')).map(({ sessionKey }) => sessionKey);
    assert.deepEqual(await going(3000), []);
    assert.deepEqual(await going(2999), ['one']);
    assert.deepEqual(await going(0), ['one', 'three']);
    await removeKept(kept.find(({ sessionKey }) => sessionKey === 'one')!);
    assert.deepEqual(readdirSync(path.join(root, 'project-0')).sort(), ['one.jsonl', 'three.changes', 'three.jsonl']);
  });

  it('can go but for some contents, which are still there after a reload', async () => {
    const folder = new DiskStoreFolder(path.join(root, 'a.changes'));
    const store = new ObjectStore(folder, 1_000_000);
    const log = new ChangeLog(folder);
    const bytes = (text: string): Buffer => Buffer.from(text.repeat(5000));
    const [first, second] = [await store.put(bytes('first')), await store.put(bytes('second'))];
    await log.append({ type: 'checkpoint', turnId: 'turn-1', at: 1 });
    const before = await folder.size();
    await log.clear();
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

  it('is found where sessions keep it', async () => {
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

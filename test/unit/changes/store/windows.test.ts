/** Two windows with the same store folder. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import nodeFs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeLog } from '../../../../src/changes/store/changeLog';
import { DiskStoreFolder, type StoreFs } from '../../../../src/changes/store/diskStoreFolder';
import { hashOf, ObjectStore } from '../../../../src/changes/store/objectStore';

describe('a store in two windows', function () {
  this.timeout(60_000);
  let place: string;
  beforeEach(() => (place = path.join(mkdtempSync(path.join(tmpdir(), 'windows-')), 'k.changes')));
  afterEach(() => rmSync(path.dirname(place), { recursive: true, force: true }));

  const open = (): ObjectStore => new ObjectStore(new DiskStoreFolder(place), 10_000_000);
  const bytes = (text: string): Buffer => Buffer.from(text);
  const index = (): string => path.join(place, 'objects.jsonl');
  const verified = (store: ObjectStore, hashes: readonly string[]): Promise<boolean[]> =>
    Promise.all(hashes.map((hash) => store.verify(hash)));

  async function putAll(store: ObjectStore, ...texts: string[]): Promise<string[]> {
    return Promise.all(texts.map(async (text) => (await store.put(bytes(text)))!));
  }

  /** One window deletes objects, then stores so many that the index is longer than the other window expects. */
  async function replacedAndGrown(one: ObjectStore, wanted: readonly string[]): Promise<string[]> {
    const { length } = readFileSync(index());
    await one.keepOnly(new Set(wanted));
    const later = await putAll(one, ...Array.from({ length: 20 }, (_, count) => `later ${count}`));
    assert.ok(readFileSync(index()).length > length);
    return later;
  }

  it('forgets objects that the other window has deleted, although the index is longer than before', async () => {
    const [one, other] = [open(), open()];
    const [kept, gone] = (await putAll(one, 'kept', 'gone')) as [string, string];
    assert.deepEqual(await verified(other, [kept, gone]), [true, true]);
    await replacedAndGrown(one, [kept]);
    assert.deepEqual([await other.has(kept), await other.has(gone)], [true, false]);
    assert.equal(await other.put(bytes('gone')), gone);
    const fresh = open();
    assert.deepEqual(await verified(fresh, [kept, gone]), [true, true]);
    assert.equal(other.size, fresh.size);
  });

  it('keeps the wanted objects that the other window has moved to another pack', async () => {
    const [one, other] = [open(), open()];
    const [kept, gone] = (await putAll(one, 'kept', 'gone')) as [string, string];
    assert.deepEqual(await verified(other, [kept, gone]), [true, true]);
    const later = await replacedAndGrown(one, [kept]);
    await other.keepOnly(new Set([kept, later[0]!]));
    for (const store of [other, one, open()]) {
      assert.deepEqual(await verified(store, [kept, later[0]!, gone]), [true, true, false]);
    }
    assert.equal(readdirSync(place).filter((name) => /pack-/.test(name)).length, 1, 'the other packs are deleted');
  });

  it('keeps the objects that both want when both delete at the same time, and those that they store meanwhile', async () => {
    const stores = [open(), open()] as const;
    const both = await putAll(stores[0], 'both 1', 'both 2');
    for (let round = 0; round < 25; round++) {
      const own = await Promise.all(stores.map((store, window) => putAll(store, `own ${window} of ${round}`)));
      const stored = await Promise.all(
        stores.flatMap((store, window) => [
          store.keepOnly(new Set([...both, ...own[window]!])).then(() => []),
          putAll(store, `meanwhile ${window} of ${round}`, `also ${window} of ${round}`),
        ]),
      );
      for (const store of [...stores, open()]) {
        assert.ok((await verified(store, [...both, ...stored.flat()])).every(Boolean), `round ${round}`);
      }
    }
  });

  /** Opens a window's folder. Its first rename to the given name calls `meanwhile` first, unless the window has locked the others out. */
  function interrupted(to: string, meanwhile: () => Promise<unknown>, platform: NodeJS.Platform, isRefused: boolean): DiskStoreFolder {
    let isFirst = true;
    const rename: StoreFs['rename'] = async (from, target) => {
      if (isFirst && path.basename(String(target)) === to) {
        isFirst = false;
        const done = meanwhile();
        await (existsSync(path.join(place, '.lock')) ? undefined : done);
        if (isRefused) {
          throw Object.assign(new Error('EPERM: a scanner has the file open'), { code: 'EPERM' });
        }
      }
      await nodeFs.rename(from, target);
    };
    return new DiskStoreFolder(place, { ...nodeFs, rename }, platform);
  }

  for (const [when, platform, isRefused] of [
    ['while Windows refuses to replace the index', 'win32', true],
    ['right before the index is replaced', process.platform, false],
  ] as const) {
    it(`keeps the objects that the other window wants when that deletes ${when}`, async () => {
      const other = open();
      let deleted: Promise<void> = Promise.resolve();
      const folder = interrupted('objects.jsonl', () => (deleted = other.keepOnly(new Set([ours, theirs]))), platform, isRefused);
      const one = new ObjectStore(folder, 10_000_000);
      const [ours] = (await putAll(one, 'ours')) as [string];
      const [theirs] = (await putAll(other, 'theirs')) as [string];
      await one.keepOnly(new Set([ours]));
      await deleted;
      const [later] = (await putAll(other, 'later')) as [string];
      for (const store of [one, other, open()]) {
        assert.deepEqual(await verified(store, [ours, theirs, later]), [true, true, true]);
      }
    });
  }

  it('keeps the record that the other window adds while records are deleted', async () => {
    const other = new ChangeLog(new DiskStoreFolder(place));
    const log = new ChangeLog(new DiskStoreFolder(place));
    await log.append({ type: 'checkpoint', turnId: 'kept', at: 1 });
    await log.append({ type: 'checkpoint', turnId: 'gone', at: 1 });
    let added: Promise<void> = Promise.resolve();
    await log.keepOnly((records) => {
      appendFileSync(path.join(place, 'records.jsonl'), '\n{"type":"checkpoint","turnId":"meanwhile","at":2}');
      added = other.append({ type: 'checkpoint', turnId: 'later', at: 3 });
      return records.filter((record) => 'turnId' in record && record.turnId !== 'gone');
    });
    await added;
    for (const each of [log, other, new ChangeLog(new DiskStoreFolder(place))]) {
      assert.deepEqual(
        (await each.records()).map((record) => 'turnId' in record && record.turnId),
        ['kept', 'meanwhile', 'later'],
      );
    }
    await log.keepOnly(() => {
      appendFileSync(path.join(place, 'records.jsonl'), '\n{"type":"checkpoint","turnId":"last","at":4}');
      return [];
    });
    assert.equal((await other.records()).length, 1);
  });

  it('deletes again when the other window has removed the new pack that no index named yet', async () => {
    const folder = new DiskStoreFolder(place);
    const store = new ObjectStore(folder, 10_000_000);
    const [kept, gone] = (await putAll(store, 'kept', 'gone')) as [string, string];
    const append = folder.append.bind(folder);
    let failures = 0;
    folder.append = async (name, ...rest) => {
      if (name.startsWith('pack-') && failures++ === 0) {
        throw Object.assign(new Error('replaced or deleted while it was written'), { code: 'ESTALE' });
      }
      return append(name, ...rest);
    };
    await store.keepOnly(new Set([kept]));
    assert.ok(failures > 1);
    assert.deepEqual(await verified(open(), [kept, gone]), [true, false]);
  });

  it('finds a pack again that the other window had only renamed for a moment', async () => {
    const [one, other] = [open(), open()];
    const [first] = (await putAll(one, 'first')) as [string];
    const pack = readdirSync(place).find((name) => name.startsWith('pack-'))!;
    assert.equal(await other.has(first), true);
    renameSync(path.join(place, pack), path.join(place, `unused-${pack}`));
    for (const store of [one, other]) {
      assert.equal(await store.has(first), false);
      await putAll(store, 'later');
    }
    renameSync(path.join(place, `unused-${pack}`), path.join(place, pack));
    assert.deepEqual([await other.has(first), await one.verify(first)], [true, true]);
    await other.keepOnly(new Set([first]));
    assert.equal(await open().verify(first), true);
  });

  it('forgets the objects of an index that was cut', async () => {
    const [one, other] = [open(), open()];
    const [first] = (await putAll(one, 'first')) as [string];
    const { length } = readFileSync(index());
    const [second] = (await putAll(one, 'second')) as [string];
    assert.deepEqual(await verified(other, [first, second]), [true, true]);
    truncateSync(index(), length);
    for (const store of [one, other]) {
      assert.deepEqual([await store.has(first), await store.has(second)], [true, false]);
    }
    assert.equal(await one.put(bytes('second')), second);
    assert.deepEqual(await verified(open(), [first, second]), [true, true]);
  });

  it('reads the objects that the other window has added, without its torn line', async () => {
    const [one, other] = [open(), open()];
    const [first] = (await putAll(one, 'first')) as [string];
    assert.equal(await other.has(first), true);
    const [second] = (await putAll(one, 'second')) as [string];
    appendFileSync(index(), `\n{"hash":"${hashOf(bytes('third'))}","pack":"pa`);
    assert.deepEqual(await verified(other, [first, second]), [true, true]);
    assert.equal(await other.has(hashOf(bytes('third'))), false);
  });
});

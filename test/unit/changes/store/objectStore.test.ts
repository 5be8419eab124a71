/** A store reports only existing objects, after failures, deletions and restarts. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DiskStoreFolder } from '../../../../src/changes/store/diskStoreFolder';
import { hashOf, ObjectStore, type StoreTrouble } from '../../../../src/changes/store/objectStore';

const oidOf = (bytes: Uint8Array): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** The time limit of a block. An idle machine stays below 30 ms; all the work in one block takes seconds. */
const LONGEST_HOLD_MS = 100;

/** A folder that counts appends, and whose next append of a pack writes half of the bytes and fails. */
class FailingFolder extends DiskStoreFolder {
  failing: 'pack' | 'index' | undefined;
  readonly appended: string[] = [];

  constructor(private readonly place: string) {
    super(place);
  }

  override async append(...args: Parameters<DiskStoreFolder['append']>): ReturnType<DiskStoreFolder['append']> {
    const [name, bytes] = args;
    this.appended.push(name);
    if (this.failing === (name.startsWith('pack-') ? 'pack' : 'index')) {
      this.failing = undefined;
      appendFileSync(path.join(this.place, name), bytes.subarray(0, bytes.length / 2));
      throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' });
    }
    return super.append(...args);
  }
}

/** The longest time in ms for which `run` blocked the event loop. Time in which other processes had the processor does not count. */
async function longestHold(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = { at: performance.now(), cpu: process.cpuUsage() };
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last.cpu);
    longest = Math.max(longest, Math.min(performance.now() - last.at, (user + system) / 1000));
    last = { at: performance.now(), cpu: process.cpuUsage() };
  }, 1);
  await run();
  await delay(2);
  clearInterval(timer);
  return longest;
}

describe('a store of file contents', () => {
  let place: string;
  beforeEach(() => (place = path.join(mkdtempSync(path.join(tmpdir(), 'objects-')), 'k.changes')));
  afterEach(() => rmSync(path.dirname(place), { recursive: true, force: true }));

  const open = (maxBytes = 1_000_000, onTrouble?: (trouble: StoreTrouble) => void): ObjectStore =>
    new ObjectStore(new DiskStoreFolder(place), maxBytes, onTrouble);
  const textOf = async (store: ObjectStore, hash: string | undefined): Promise<string | undefined> =>
    hash === undefined ? undefined : (await store.get(hash))?.toString();
  const bytes = (text: string): Buffer => Buffer.from(text);
  const packs = (): string[] => readdirSync(place).filter((name) => name.startsWith('pack-'));

  it('stores a text after an empty file', async () => {
    const troubles: StoreTrouble[] = [];
    const store = open(1_000_000, (trouble) => troubles.push(trouble));
    const empty = await store.put(bytes(''));
    const text = await store.put(bytes('the text of the user'));
    for (const each of [store, open()]) {
      assert.equal(await textOf(each, empty), '');
      assert.equal(await textOf(each, text), 'the text of the user');
    }
    assert.deepEqual(troubles, []);
  });

  it('has an empty file after everything else was deleted', async () => {
    const store = open();
    await store.put(bytes('the text of the user'));
    const empty = (await store.put(bytes('')))!;
    await store.keepOnly(new Set([empty]));
    for (const each of [store, open()]) {
      assert.equal(await each.has(empty), true);
      assert.equal(await each.verify(empty), true);
      assert.equal(await textOf(each, empty), '');
    }
  });

  for (const failing of ['pack', 'index'] as const) {
    it(`reads back what is stored after a full disk stopped the ${failing} in its middle`, async () => {
      const troubles: StoreTrouble[] = [];
      const folder = new FailingFolder(place);
      const store = new ObjectStore(folder, 1_000_000, (trouble) => troubles.push(trouble));
      const first = await store.put(bytes('the first text'));
      folder.failing = failing;
      assert.equal(await store.put(bytes('no room for it')), undefined);
      assert.equal(await store.has(hashOf(bytes('no room for it'))), false);
      assert.deepEqual(
        troubles.map(({ kind, error }) => `${kind} ${(error as NodeJS.ErrnoException).code}`),
        ['failed ENOSPC'],
      );
      const later = await store.put(bytes('room again'));
      for (const each of [store, open()]) {
        assert.equal(await textOf(each, first), 'the first text');
        assert.equal(await textOf(each, later), 'room again');
      }
    });
  }

  it('reports each kind of trouble once until an object is stored again', async () => {
    const troubles: string[] = [];
    const folder = new FailingFolder(place);
    const store = new ObjectStore(folder, 100, ({ kind }) => troubles.push(kind));
    const fail = async (text: string): Promise<void> => {
      folder.failing = 'pack';
      assert.equal(await store.put(bytes(text)), undefined);
    };
    await fail('a');
    await fail('b');
    assert.equal(await store.put(Buffer.alloc(101, 1)), undefined);
    assert.equal(await store.put(Buffer.alloc(102, 1)), undefined);
    assert.deepEqual(troubles, ['failed', 'full']);
    assert.ok(await store.put(bytes('c')));
    await fail('d');
    assert.deepEqual(troubles, ['failed', 'full', 'failed']);
  });

  it('notices that its folder was deleted, and stores in a new one', async () => {
    const store = open();
    const first = (await store.put(bytes('first')))!;
    rmSync(place, { recursive: true });
    assert.equal(await store.get(first), undefined);
    assert.equal(await store.has(first), false);
    assert.equal(store.size, 0);
    assert.equal(await store.put(bytes('second')), hashOf(bytes('second')));
    assert.equal(await store.put(bytes('first')), first);
    assert.equal(await textOf(open(), first), 'first');
  });

  it('stores again an object that was deleted without being read', async () => {
    const store = open();
    store.useGit(async () => bytes('in git'));
    const first = (await store.put(bytes('first')))!;
    const inGit = { top: '/repo', oid: oidOf(bytes('in git')) };
    const second = (await store.putGit(bytes('in git'), inGit))!;
    rmSync(place, { recursive: true });
    await Promise.all([store.put(bytes('first')), store.putGit(bytes('in git'), inGit)]);
    const fresh = open();
    fresh.useGit(async () => bytes('in git'));
    assert.deepEqual([await textOf(fresh, first), await textOf(fresh, second)], ['first', 'in git']);
  });

  it('omits an object whose pack is missing, cut or damaged', async () => {
    const texts = ['one', 'two', 'three'].map((each) => bytes(each.repeat(20)));
    const hashes = [];
    for (const each of texts) {
      hashes.push((await open().put(each))!);
    }
    const [missing, cut, damaged] = hashes as [string, string, string];
    const packOf = (hash: string): string => path.join(place, /"pack":"([^"]+)"/.exec(lineOf(hash))![1]!);
    const lineOf = (hash: string): string =>
      readFileSync(path.join(place, 'objects.jsonl'), 'utf8')
        .split('\n')
        .find((line) => line.includes(hash))!;
    rmSync(packOf(missing));
    truncateSync(packOf(cut), 30);
    writeFileSync(packOf(damaged), Buffer.alloc(texts[2]!.length, 'x'));
    const store = open();
    assert.equal(await store.has(missing), false);
    assert.equal(await store.has(cut), false);
    assert.equal(await store.verify(damaged), false);
    assert.equal(await store.has(damaged), false);
    await Promise.all(texts.map((each) => store.put(each)));
    for (const each of [store, open()]) {
      assert.deepEqual(await Promise.all(hashes.map((hash) => each.verify(hash))), [true, true, true]);
    }
    writeFileSync(packOf(hashes[0]!), 'x');
    const third = open();
    assert.equal(await third.put(texts[0]!), missing, 'a damaged object that was never read is stored again');
    assert.equal(await textOf(open(), missing), texts[0]!.toString());
  });

  it('keeps only the location of an object that git has', async () => {
    const content = randomBytes(50_000);
    const at = { top: '/repo', oid: oidOf(content) };
    const blobs = new Map([[at.oid, content]]);
    const readGit = async (_: string, oid: string): Promise<Uint8Array | undefined> => blobs.get(oid);
    const store = open();
    store.useGit(readGit);
    const hash = (await store.putGit(content, at))!;
    assert.equal(hash, hashOf(content));
    assert.deepEqual([store.size, packs()], [0, []]);
    const fresh = open();
    assert.deepEqual([await fresh.has(hash), await fresh.get(hash)], [false, undefined], 'not without a reader');
    fresh.useGit(readGit);
    assert.deepEqual([await fresh.has(hash), await fresh.get(hash)], [true, content]);
    fresh.useGit(() => Promise.reject(new Error('git has timed out')));
    assert.deepEqual([await fresh.get(hash), await fresh.has(hash)], [undefined, true]);
    fresh.useGit(readGit);
    blobs.clear();
    assert.equal(await fresh.verify(hash), false);
    assert.equal(await fresh.has(hash), false);
    assert.equal(await fresh.put(content), hash);
    assert.deepEqual(await open().get(hash), content, 'the pack is used first');
  });

  it('stores the bytes themselves when a filter has changed them, or no reader is set', async () => {
    const store = open();
    const unset = (await store.putGit(bytes('no reader'), { top: '/repo', oid: oidOf(bytes('no reader')) }))!;
    store.useGit(async () => bytes('a\n'));
    const filtered = (await store.putGit(bytes('a\r\n'), { top: '/repo', oid: oidOf(bytes('a\n')) }))!;
    assert.deepEqual([await textOf(open(), unset), await textOf(open(), filtered)], ['no reader', 'a\r\n']);
  });

  it('runs git only in an absolute folder and only for an object, and reads only packs', async () => {
    const hash = hashOf(bytes('secret'));
    const oid = oidOf(bytes('secret'));
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(path.dirname(place), 'secret'), 'secret');
    const lines: readonly unknown[] = [
      ...['../secret', 'pack-../../secret', 'pack-/../../secret', '/etc/passwd'].map((pack) => ({ hash, pack, offset: 0, length: 6 })),
      ...[-1, 0.5, '0', 2 ** 53].map((offset) => ({ hash, pack: 'pack-00', offset, length: 6 })),
      ...['..', 'repo', '/repo/../..', '/re\0po', 7].map((top) => ({ hash, git: { top, oid }, length: 6 })),
      ...['--help', `${oid}\n`, 'HEAD', '', {}].map((id) => ({ hash, git: { top: '/repo', oid: id }, length: 6 })),
      ...[null, [], 7, 'text', { hash: { length: 1 } }],
    ];
    writeFileSync(path.join(place, 'objects.jsonl'), lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
    const asked: unknown[] = [];
    const store = open();
    store.useGit(async (...place) => {
      asked.push(place);
      return bytes('secret');
    });
    assert.deepEqual([await store.has(hash), await store.get(hash), store.size, asked], [false, undefined, 0, []]);
    assert.equal(await store.put(bytes('secret')), hash);
    assert.equal(await textOf(open(), hash), 'secret');
  });

  it('counts the remaining objects after others were deleted', async () => {
    const store = open();
    const contents = Array.from({ length: 4 }, () => randomBytes(1000));
    const hashes = await Promise.all(contents.map((each) => store.put(each)));
    assert.equal(store.size, 4000);
    await store.keepOnly(new Set([hashes[1]!]));
    assert.equal(store.size, 1000);
    await store.put(contents[0]!);
    assert.deepEqual([store.size, packs().length], [2000, 1]);
    const fresh = open();
    assert.deepEqual(await Promise.all(hashes.map((hash) => fresh.has(hash!))), [true, true, false, false]);
    assert.equal(fresh.size, 2000);
    assert.equal(statSync(path.join(place, packs()[0]!)).size, 2000);
  });

  it('keeps an object that is stored while others are deleted', async () => {
    const store = open();
    const first = (await store.put(bytes('first')))!;
    const second = (await store.put(bytes('second')))!;
    const before = store.put(bytes('first'));
    const deleting = store.keepOnly(new Set());
    const after = store.put(bytes('second'));
    await Promise.all([before, deleting, after]);
    assert.deepEqual([await textOf(open(), first), await textOf(open(), second)], ['first', 'second']);
  });

  it('keeps the objects that two windows store while one of them deletes', async () => {
    const [one, other] = [open(10_000_000), open(10_000_000)];
    const old = (await one.put(bytes('old')))!;
    await other.put(bytes('other'));
    const stored: string[] = [];
    let isDone = false;
    const putting = (async (): Promise<void> => {
      for (let count = 0; !isDone || count < 12; count++) {
        stored.push((await other.put(bytes(`text ${count}`)))!);
      }
    })();
    const lost: string[] = [];
    for (let round = 0; round < 6; round++) {
      const known = stored.length;
      await one.keepOnly(new Set([old, ...stored]));
      // An object whose `put` resolved after the deletion began must stay too.
      for (const hash of stored.slice(known)) {
        if (!(await other.verify(hash)) || !(await open().verify(hash))) {
          lost.push(hash);
        }
      }
    }
    isDone = true;
    await putting;
    assert.deepEqual(lost, []);
    for (const each of [one, other, open()]) {
      assert.equal(await textOf(each, old), 'old');
      assert.equal(await each.verify(stored.at(-1)!), true);
    }
  });

  it('never blocks the event loop for a large index or a burst', async () => {
    const lines = Array.from(
      { length: 50_000 },
      (_, index) => `\n{"hash":"${hashOf(bytes(String(index)))}","pack":"pack-00","offset":0,"length":1}`,
    );
    const folder = new FailingFolder(place);
    await folder.replace('objects.jsonl', Buffer.from(lines.join('')));
    const store = new ObjectStore(folder, 100_000_000);
    const load = await longestHold(() => store.has('x'));
    store.useGit(async () => undefined);
    const contents = Array.from({ length: 5000 }, (_, index) => Buffer.alloc(5000, String(index)));
    const places = contents.map((each) => ({ top: '/repo', oid: oidOf(each) }));
    const putGit = await longestHold(() => Promise.all(contents.map((each, index) => store.putGit(each, places[index]!))));
    assert.ok(folder.appended.length <= 8, `${folder.appended.length} appends`);
    const large = Array.from({ length: 12 }, () => randomBytes(2 * 1024 * 1024));
    const put = await longestHold(() => Promise.all(large.map((each) => store.put(each))));
    assert.ok(Math.max(load, putGit, put) < LONGEST_HOLD_MS, `load ${load}, putGit ${putGit}, put ${put}`);
  });
});

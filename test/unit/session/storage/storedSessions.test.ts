import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anyCharacter } from '../../../support/characters';
import fc from 'fast-check';
import type { KeptSessionsQuery } from '../../../../src/session/journal/sessionCatalog';
import { folderNameOf } from '../../../../src/session/storage/folderName';
import { entryOf, folderIn, isArchived, nameOf } from '../../../../src/session/storage/indexEntry';
import type { SessionStorage } from '../../../../src/session/storage/sessionStorage';
import { headerOf, keep, lineOf, said, StorageScene } from './storageScene';

describe('stored sessions', () => {
  let scene: StorageScene;
  beforeEach(() => (scene = new StorageScene()));
  afterEach(() => scene.end());

  const keys = async (storage: SessionStorage, query: Partial<KeptSessionsQuery> = {}): Promise<string[]> =>
    (await storage.list({ limit: 100, ...query })).summaries.map(({ key }) => key);

  it('are the same for all windows, newest first, by folder', async () => {
    const [one, two] = [scene.open(), scene.open()];
    await keep(one, 'a', { at: 10, cwd: '/w' });
    await keep(two, 'b', { at: 30, cwd: '/w/' });
    await keep(one, 'c', { at: 20, cwd: '/other' });
    for (const window of [one, two, scene.open()]) {
      assert.deepEqual(await keys(window), ['b', 'c', 'a']);
      assert.deepEqual(await keys(window, { folders: ['/w'] }), ['b', 'a']);
      assert.deepEqual(await keys(window, { folders: ['/w'], elsewhere: true }), ['c']);
      assert.deepEqual(await keys(window, { folders: [] }), []);
    }
    await keep(one, 'a', { at: 40 });
    assert.deepEqual(await keys(two), ['a', 'b', 'c']);
    if (process.platform !== 'win32') {
      for (const folder of ['', 'index', `folders/${folderNameOf('/w')}`]) {
        assert.equal(statSync(path.join(scene.root, folder)).mode & 0o777, 0o700, folder);
      }
    }
  });

  it('are listed page by page, each once, while others are added', async () => {
    const storage = scene.open();
    for (let index = 0; index < 25; index++) {
      await keep(storage, `k-${index}`, { at: 1000 + index });
    }
    const seen: string[] = [];
    for (let after: string | undefined, pages = 0; pages < 3; pages++) {
      const page = await storage.list({ limit: 10, ...(after !== undefined && { after }) });
      seen.push(...page.summaries.map(({ key }) => key));
      assert.equal(page.total, 25 + pages);
      assert.equal(page.next === undefined, pages === 2);
      after = page.next;
      await keep(storage, `later-${pages}`, { at: 9000 });
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, index) => `k-${24 - index}`),
    );
  });

  it('are read only as far as the page lists them', async () => {
    const storage = scene.open();
    for (let index = 0; index < 20; index++) {
      await keep(storage, `k-${index}`, { at: 1000 + index });
    }
    const folder = path.join(scene.root, 'folders', folderNameOf('/w'));
    const atimes = new Map(readdirSync(folder).map((name) => [name, name]));
    // These files would be noticed as malformed if they were read.
    for (const name of atimes.keys()) {
      if (!/^k-1[5-9]\./.test(name)) {
        writeFileSync(path.join(folder, name), 'nonsense');
      }
    }
    const page = await storage.list({ limit: 5 });
    assert.deepEqual(
      page.summaries.map(({ key }) => key),
      ['k-19', 'k-18', 'k-17', 'k-16', 'k-15'],
    );
    assert.equal(page.total, 20);
    assert.deepEqual(await keys(scene.open(), { limit: 10 }), ['k-19', 'k-18', 'k-17', 'k-16', 'k-15']);
  });

  it("are found by the agent's id", async () => {
    const storage = scene.open();
    await keep(storage, 'a', { at: 1, ...{ sessionId: 'S' } });
    await keep(storage, 'b', { at: 2, ...{ sessionId: 'T' } });
    await keep(storage, 'c', { at: 3, ...{ sessionId: 'S' } });
    assert.deepEqual(
      (await storage.find({ agentId: 'A' }, 'S')).map(({ key }) => key),
      ['c', 'a'],
    );
    assert.deepEqual(await storage.find({ agentId: 'Other' }, 'S'), []);
  });

  it('are found by the name of an earlier version as well, unless they have an id', async () => {
    const storage = scene.open();
    await keep(storage, 'old', { at: 1, ...{ sessionId: 'S' } });
    await keep(storage, 'new', { at: 2, ...{ sessionId: 'S', agentId: 'extension/a' } });
    await keep(storage, 'another', { at: 3, ...{ sessionId: 'S', agentId: 'another' } });
    const found = async (agentId: string, earlierId?: string) =>
      (await storage.find({ agentId, ...(earlierId !== undefined && { earlierId }) }, 'S')).map(({ key }) => key);
    assert.deepEqual(await found('extension/a', 'A'), ['new', 'old']);
    assert.deepEqual(await found('extension/a'), ['new']);
    assert.deepEqual([await found('A'), await found('another', 'A')], [['old'], ['another', 'old']]);
  });

  it('keep the marks that two windows set at once', async function () {
    this.timeout(30_000);
    const windows = [scene.open(), scene.open()];
    await keep(windows[0]!, 'a');
    for (let round = 0; round < 20; round++) {
      await windows[0]!.mark('a', { name: undefined, pinned: undefined, archived: undefined });
      await Promise.all([
        windows[0]!.mark('a', { pinned: true }),
        windows[1]!.mark('a', { archived: true }),
        windows[0]!.mark('a', { name: `n${round}` }),
        windows[1]!.mark('a', { seenAt: round }),
      ]);
      const { summaries } = await windows[1]!.list({ limit: 1 });
      assert.deepEqual(summaries[0]?.marks, { name: `n${round}`, pinned: true, archived: true, seenAt: round });
    }
    assert.deepEqual(await keys(windows[0]!, { archived: false }), []);
    assert.deepEqual(await keys(windows[0]!, { archived: true }), ['a']);
    await windows[0]!.mark('a', { archived: false });
    assert.deepEqual(await keys(windows[1]!, { archived: false }), ['a']);
  });

  it('notify each window when something changes', async () => {
    const [one, two] = [scene.open(), scene.open()];
    await keep(one, 'a');
    let told = 0;
    const subscription = two.onDidChange(() => told++);
    await two.list({ limit: 1 });
    const wait = async (count: number): Promise<void> => {
      for (let tries = 0; told < count; tries++) {
        assert.ok(tries < 500, `told ${told} times of ${count}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await keep(one, 'b', { at: 7 });
    await wait(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = told;
    await one.mark('a', { name: 'N' });
    await wait(before + 1);
    subscription.dispose();
  });

  it('are found again when the index is missing, or does not name them', async () => {
    await keep(scene.open(), 'a', { text: 'Alpha' });
    rmSync(path.join(scene.root, 'index'), { recursive: true });
    assert.deepEqual(
      (await scene.open().list({ limit: 9 })).summaries.map(({ title }) => title),
      ['Alpha'],
    );
  });

  it('leave nothing behind when they are removed', async () => {
    const storage = scene.open();
    await keep(storage, 'gone');
    await keep(storage, 'gone-not');
    await storage.mark('gone', { pinned: true });
    await storage.writeDraft('gone', '{}');
    await storage.remove('gone');
    await storage.remove('gone');
    assert.deepEqual(await keys(storage), ['gone-not']);
    const left = readdirSync(path.join(scene.root, 'folders', folderNameOf('/w'))).filter((name) => !name.startsWith('gone-not'));
    assert.deepEqual(left, []);
    await storage.writeDraft('gone', '{}');
    assert.equal(await storage.readDraft('gone'), undefined, 'nothing is kept of what is not there');
    await assert.rejects(storage.remove('../gone-not'), RangeError);
  });

  it('are stored under a valid folder name, whatever the folder is called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { maxLength: 4 }), (parts) => {
        const cwd = '/' + parts.map((part) => part.replaceAll('/', '')).join('/');
        const name = folderNameOf(cwd, 'linux');
        assert.match(name, /^[a-z0-9][a-z0-9-]{0,40}$/);
        assert.equal(name, folderNameOf(`${cwd}/`, 'linux'));
      }),
    );
    assert.equal(folderNameOf('C:\\Work\\App', 'win32'), folderNameOf('c:\\work\\app\\', 'win32'));
    assert.notEqual(folderNameOf('/a/w', 'linux'), folderNameOf('/b/w', 'linux'));
    assert.match(folderNameOf('/home/me/My Project', 'linux'), /^my-project-/);
    assert.match(folderNameOf('/', 'linux'), /^folder-/);
  });

  it('have an index whose names contain the stored facts, ordered by time', () => {
    const entry = fc.record({
      key: fc.stringMatching(/^[a-z0-9-]{1,64}$/),
      folder: fc.stringMatching(/^[a-z0-9-]{1,64}$/),
      at: fc.nat({ max: 5_000_000_000_000 }),
      archived: fc.boolean(),
      pinned: fc.boolean(),
      revision: fc.nat({ max: 35 }),
      tag: fc.stringMatching(/^(?:[0-9a-f]{8})?$/),
    });
    fc.assert(
      fc.property(entry, entry, (one, two) => {
        assert.deepEqual(entryOf(nameOf(one)), { ...one });
        assert.deepEqual([folderIn(nameOf(one)), isArchived(nameOf(one))], [one.folder, one.archived]);
        assert.ok(one.at === two.at || nameOf(one) < nameOf(two) === one.at < two.at);
      }),
    );
    assert.equal(entryOf('.DS_Store'), undefined);
  });

  it('continue in the journal of their key, in its folder', async () => {
    const storage = scene.open();
    await keep(storage, 'a', { cwd: '/w' });
    storage.dispose();
    const later = scene.open();
    assert.equal(await later.acquire('a', false), true);
    await later.file(headerOf('a', '/w')).append('\n' + lineOf(said('more', 'n'), 1));
    const folder = path.join(scene.root, 'folders', folderNameOf('/w'));
    assert.match(readFileSync(path.join(folder, 'a.jsonl'), 'utf8'), /"a"[\s\S]*more/);
    assert.equal(await later.acquire('none', false), false);
  });
});

/** Files that a crash has cut at any byte: the session is listed, opens, has everything that is whole, and continues. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ChangeLog } from '../../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../../src/changes/store/objectStore';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { Drafts } from '../../../../src/session/journal/drafts';
import { parseJournal } from '../../../../src/session/journal/journalReader';
import { readQueue } from '../../../../src/session/journal/queueFile';
import type { Session } from '../../../../src/session/session';
import { Sessions } from '../../../../src/session/sessions';
import { folderNameOf } from '../../../../src/session/storage/folderName';
import { SessionOwners } from '../../../../src/session/storage/sessionOwners';
import { SessionComments } from '../../../../src/application/comments/sessionComments';
import { agentSays, back, lines, setup, text } from '../earlierScene';
import { fakeDependencies, launch, quiet, turn } from '../fakes';
import { headerOf, keep, lineOf, said, StorageScene } from './storageScene';

/** The number of bytes from one cut of a journal to the next. With 1 the test takes half a minute. */
const EVERY = Number(process.env['ACP_HOST_CUT_EVERY'] ?? 47);

const saidIn = (session: Session): string[] => lines(session).filter((line) => /^(user|agent):/.test(line));

describe('a crash that cuts a file', function () {
  this.timeout(120_000);
  let scene: StorageScene;
  beforeEach(() => (scene = new StorageScene()));
  afterEach(() => scene.end());

  const folder = (): string => path.join(scene.root, 'folders', folderNameOf('/w'));
  const fileOf = (name: string): string => path.join(folder(), name);

  /** Cuts a file at every length, and restores it afterwards. */
  async function* beginnings(file: string, every = 1): AsyncGenerator<number> {
    const whole = readFileSync(file);
    for (let end = 0; end < whole.length; end += every) {
      writeFileSync(file, whole.subarray(0, end));
      yield end;
    }
    writeFileSync(file, whole);
    yield whole.length;
  }

  it('does not break the journal, even a short one or in its first line', async () => {
    const before = fakeDependencies();
    const first = scene.open();
    Object.assign(before.deps, { journals: first });
    const sessions = new Sessions(before.deps);
    const session = sessions.create(launch(), setup);
    const { key } = session;
    before.agents[0]!.offer('resume');
    before.agents[0]!.open();
    session.prompt(text('the question'));
    before.agents[0]!.client.onUpdate('S', [agentSays('a', 'the answer')]);
    before.agents[0]!.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    await sessions.flush();
    sessions.dispose();
    first.dispose();
    const journal = fileOf(`${key}.jsonl`);
    const whole = readFileSync(journal);
    const header = whole.indexOf('\n');
    const ends = Array.from({ length: Math.ceil(whole.length / EVERY) }, (_, step) => step * EVERY);
    ends.push(header - 1, header, header + 1, header + 2, whole.length - 1);
    const summary = readFileSync(fileOf(`${key}.summary.json`));
    for (const end of ends) {
      writeFileSync(journal, whole.subarray(0, end));
      writeFileSync(fileOf(`${key}.summary.json`), summary);
      const kept = parseJournal(whole.subarray(0, end).toString())?.events ?? [];
      const storage = scene.open();
      const fakes = fakeDependencies();
      Object.assign(fakes.deps, { journals: storage });
      const window = new Sessions(fakes.deps);
      const { summaries } = await storage.list({ limit: 10 });
      assert.deepEqual([summaries.map((each) => [each.key, each.title])], [[[key, 'the question']]], `${end}`);
      const again = await window.restore(key, launch);
      assert.ok(again, `cut at ${end} it does not open`);
      const isWhole = { store: { state: kept.reduce(reduce, EMPTY_STATE) } } as unknown as Session;
      assert.deepEqual(saidIn(again), saidIn(isWhole), `${end}`);
      assert.equal(again.submit(text('go on')), undefined, `${end}`);
      await turn();
      const agent = fakes.agents[0]!;
      agent.offer('resume');
      agent.ready(agent.dialect);
      if (again.store.state.sessionId === undefined) {
        agent.newSession[0]!(back('S'));
      } else {
        agent.again[0]!(back('S'));
      }
      await turn();
      agent.client.onUpdate('S', [agentSays('b', 'on and on')]);
      await window.flush();
      const expected = saidIn(again);
      assert.ok(expected.includes('user: go on') && expected.includes('agent: on and on'), `${end}: ${expected.join('; ')}`);
      window.dispose();
      storage.dispose();
      const read = parseJournal(readFileSync(journal, 'utf8'));
      assert.ok(read && read.events.length > kept.length, `${end}`);
      assert.equal(read.header.key, key);
      const last = scene.open();
      const deps = fakeDependencies();
      Object.assign(deps.deps, { journals: last });
      const sure = (await new Sessions(deps.deps).restore(key, launch))!;
      assert.deepEqual(saidIn(sure), expected, `${end}`);
      last.dispose();
    }
  });

  it('does not remove the session from the list when it cuts the summary', async () => {
    await keep(scene.open(), 'k', { text: 'What it says', at: 7 });
    for await (const end of beginnings(fileOf('k.summary.json'))) {
      const { summaries } = await scene.open().list({ limit: 10 });
      assert.deepEqual(
        summaries.map(({ key, title }) => [key, title]),
        [['k', 'What it says']],
        `${end}`,
      );
    }
  });

  it('loses only the draft, queue, marks or comments that it cuts, which can be written again', async () => {
    const storage = scene.open();
    await keep(storage, 'k');
    const content = [{ type: 'text', text: 'unsent' }] as const;
    await storage.writeDraft('k', JSON.stringify({ at: 5, content }));
    await storage.writeQueue('k', JSON.stringify({ acpHostQueue: 1, messages: [{ queueId: 'q', content }] }));
    await storage.mark('k', { name: 'Mine', pinned: true });
    const comments = SessionComments.from(undefined, 'c');
    const lineSpan = { start: 1, end: 2 };
    comments.add({ uri: 'file:///w/a', place: 'a', span: lineSpan, comments: [] }, 'Why?', 'a line');
    await storage.writeComments('k', comments.stored);
    const files = ['k.draft.json', 'k.queue.json', 'k.marks.json', 'k.comments.json'];
    const read = async (): Promise<readonly number[]> => {
      const drafts = new Drafts(storage, quiet);
      await drafts.load('k');
      const marks = await storage.readMarks('k');
      return [
        drafts.get('k')?.content.length ?? 0,
        (await readQueue(storage, 'k', quiet)).messages.length,
        marks.name === 'Mine' ? 1 : 0,
        SessionComments.from(await storage.readComments('k'), 'x').threads.length,
      ];
    };
    for (const [index, file] of files.entries()) {
      const { length } = readFileSync(fileOf(file));
      for await (const end of beginnings(fileOf(file))) {
        assert.deepEqual(
          await read(),
          files.map((_, other) => (other === index && end < length ? 0 : 1)),
          `${file} at ${end}`,
        );
      }
      writeFileSync(fileOf(file), readFileSync(fileOf(file)).subarray(0, 9));
      await storage.writeDraft('k', JSON.stringify({ at: 5, content }));
      await storage.writeQueue('k', JSON.stringify({ acpHostQueue: 1, messages: [{ queueId: 'q', content }] }));
      await storage.mark('k', { name: 'Mine' });
      await storage.writeComments('k', comments.stored);
      assert.deepEqual(await read(), [1, 1, 1, 1], file);
    }
  });

  it('leaves the session without an owner when it cuts the owner’s file', async () => {
    mkdirSync(folder(), { recursive: true });
    const hosts = path.join(scene.root, 'hosts');
    const owners = (): SessionOwners => new SessionOwners({ hosts, releaseSession: async () => false });
    const one = owners();
    assert.equal(await one.acquire('k', folder()), true);
    const whole = readFileSync(fileOf('k.owner'));
    for (let end = 0; end < whole.length; end++) {
      writeFileSync(fileOf('k.owner'), whole.subarray(0, end));
      const two = owners();
      assert.equal(await two.isLiveElsewhere('k', folder()), false, `${end}`);
      assert.equal(await two.acquire('k', folder()), true, `${end}`);
      assert.deepEqual([two.isOwner('k'), one.isOwner('k')], [true, false], `${end}`);
      two.dispose();
    }
    one.dispose();
  });

  it('makes the search read the journal again when it cuts the search index', async () => {
    await keep(scene.open(), 'k', { text: 'a needle in here' });
    const found = async (word: string): Promise<string[]> => {
      const hits: string[] = [];
      for await (const { entryId, excerpt, from, to } of scene.open().search(word, new AbortController().signal)) {
        hits.push(`${entryId ?? 'title'}: ${excerpt.slice(from, to)}`);
      }
      return hits;
    };
    const whole = await found('needle');
    assert.deepEqual(whole, ['title: needle', 'user:m: needle']);
    for (const name of ['k.text', 'k.fold']) {
      const file = path.join(scene.root, 'search', name);
      for await (const end of beginnings(file, 9)) {
        assert.deepEqual(await found('needle'), whole, `${name} at ${end}`);
        // The file was written again, so the next cut applies to the original.
      }
    }
  });

  it('does not confuse the search when the journal then grew longer than before', async () => {
    const storage = scene.open();
    const found = async (word: string): Promise<number> => {
      let count = 0;
      for await (const { entryId } of scene.open().search(word, new AbortController().signal)) {
        count += entryId === undefined ? 0 : 1;
      }
      return count;
    };
    const MANY = 30;
    for (const cut of [1, 150, 3000]) {
      const key = `k-${cut}`;
      const file = fileOf(`${key}.jsonl`);
      await keep(storage, key, { text: 'title' });
      for (let index = 0; index < MANY; index++) {
        await storage.file(headerOf(key)).append(lineOf(said(`old${cut}at${index};`, `m${index}`, 'agent')));
      }
      assert.equal(await found(`old${cut}at${MANY - 1};`), 1);
      const { length } = readFileSync(file);
      writeFileSync(file, readFileSync(file).subarray(0, length - cut));
      const news = Array.from({ length: MANY }, (_, index) => lineOf(said(`new${cut}at${index};`, `n${index}`, 'agent')));
      appendFileSync(file, `\n${news.join('')}`);
      assert.ok(readFileSync(file).length > length);
      const journal = readFileSync(file, 'utf8');
      for (const word of [0, 1, 9, 10, MANY - 1].flatMap((index) => [`old${cut}at${index};`, `new${cut}at${index};`])) {
        const isWhole = parseJournal(journal)!.events.some((event) => JSON.stringify(event).includes(word));
        assert.equal(await found(word), isWhole ? 1 : 0, word);
      }
    }
  });

  it('keeps whole earlier versions of files and their records, and allows further ones', async () => {
    const place = path.join(scene.folder, 'k.changes');
    const contents = ['one', 'two', 'three'].map((each) => Buffer.from(each.repeat(9)));
    const first = new ObjectStore(new DiskStoreFolder(place), 1e6);
    const firstLog = new ChangeLog(new DiskStoreFolder(place));
    const hashes: string[] = [];
    for (const [index, bytes] of contents.entries()) {
      hashes.push((await first.put(bytes))!);
      await firstLog.append({ type: 'checkpoint', turnId: `turn-${index}`, at: index });
    }
    const saved = readdirSync(place).map((each) => [each, readFileSync(path.join(place, each))] as const);
    const putBack = (): void => saved.forEach(([each, bytes]) => writeFileSync(path.join(place, each), bytes));
    for (const name of ['objects.jsonl', 'records.jsonl']) {
      const whole = readFileSync(path.join(place, name));
      const endsOf = whole
        .toString()
        .split('\n')
        .reduce<number[]>((ends, line) => [...ends, (ends.at(-1) ?? -1) + line.length + 1], [])
        .slice(1);
      for (let end = 0; end <= whole.length; end += 3) {
        writeFileSync(path.join(place, name), whole.subarray(0, end));
        const disk = new DiskStoreFolder(place);
        const store = new ObjectStore(disk, 1e6);
        const log = new ChangeLog(disk);
        const count = endsOf.filter((each) => each <= end).length;
        const there = await Promise.all(hashes.map(async (hash) => (await store.get(hash)) !== undefined));
        assert.deepEqual(there, name === 'records.jsonl' ? [true, true, true] : hashes.map((_, index) => index < count), `${name} ${end}`);
        assert.equal((await log.records()).length, name === 'objects.jsonl' ? 3 : count, `${name} ${end}`);
        if (end % 48 === 6) {
          const kept = await store.put(Buffer.from(`more ${end}`));
          await log.append({ type: 'checkpoint', turnId: 'more', at: 9 });
          const again = new DiskStoreFolder(place);
          assert.equal((await new ObjectStore(again, 1e6).get(kept!))?.toString(), `more ${end}`);
          assert.equal((await new ChangeLog(again).records()).at(-1)?.at, 9);
          putBack();
        }
      }
      putBack();
    }
  });
});

/** The record of a sharing that a window leaves for the next one. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Accesses } from '../../../src/share/accesses';
import { makeCertificate } from '../../../src/share/certificate';
import { BEAT_MS, SharingRecord } from '../../../src/share/sharingRecord';
import { type StoredSharing, sharingIn, textOfSharing } from '../../../src/share/storedSharing';
import { MemoryStorage } from '../../support/share/memoryStorage';
import { until } from '../../support/share/sharedClient';
import { FakeClock } from '../session/permission/fakes';

const MINUTE = 60_000;
const START = 1_800_000_000_000;
const ID = '0b7e8f0c-6d2f-4c7b-9d55-2f0a5c3b1e9a';

describe('the record of a sharing', () => {
  let storage: MemoryStorage;
  let clock: FakeClock;
  const logged: string[] = [];
  const accesses = new Accesses();
  const { token, accessId } = accesses.issue('answer', START);
  const sharing: StoredSharing = {
    host: '127.0.0.1',
    port: 40_000,
    sessions: ['one'],
    accesses: accesses.hashes,
    waiting: [{ accessId, clientId: 'c', key: 'one', turnId: 't' }],
  };

  beforeEach(async () => {
    storage = new MemoryStorage(path.join(await mkdtemp(path.join(tmpdir(), 'record-')), 'sharings'));
    clock = new FakeClock();
    clock.pass(START - clock.now());
    logged.length = 0;
  });
  afterEach(() => rm(path.dirname(storage.folder), { recursive: true, force: true }));

  function open(): SharingRecord {
    const write = (text: string): void => void logged.push(text);
    return new SharingRecord({ ...storage.deps, clock, log: { debug: write, info: write, warn: write, error: write } });
  }

  /** A window shares, and closes. */
  async function share(given: StoredSharing | undefined = sharing): Promise<SharingRecord> {
    const record = open();
    record.save(given);
    await record.leave();
    return record;
  }

  /** Resolves when the record is written, and the next heartbeat waits. */
  const written = (): Promise<void> => until('the record', () => clock.pending === 1);

  const isEmpty = async (): Promise<boolean> =>
    storage.secrets.size === 0 && storage.state.size === 0 && (await readdir(storage.folder).catch(() => [])).length === 0;

  it('gives the next window with this folder the sharing, without any token', async () => {
    await share();
    assert.ok(!storage.text.includes(token) && !storage.text.includes(token.slice(8)));
    assert.match([...storage.secrets.keys()][0]!, /^acpHost\.sharing\.[0-9a-f-]{36}$/);
    const next = open();
    assert.deepEqual(await next.read(), sharing);
    const again = new Accesses();
    again.restore((await next.read())!.accesses);
    assert.equal(again.check(token)?.right, 'answer');
    assert.equal(again.check(`${token.slice(0, -2)}xx`), undefined);
  });

  it('is readable by the user alone, in files that have no content', async function () {
    await share();
    const [name] = await readdir(storage.folder);
    const [folder, file] = await Promise.all([stat(storage.folder), stat(path.join(storage.folder, name!))]);
    assert.equal(file.size, 0);
    if (process.platform !== 'win32') {
      assert.deepEqual([folder.mode & 0o777, file.mode & 0o777], [0o700, 0o600]);
    }
  });

  it('is not found by a window with another folder', async () => {
    await share();
    storage.state.clear();
    assert.equal(await open().read(), undefined);
    storage.state.set('sharing', ID);
    assert.equal(await open().read(), undefined);
  });

  it('is deleted when the window stays away for longer than its agents', async () => {
    await share();
    clock.pass(MINUTE + BEAT_MS - 1000);
    assert.ok(await open().read());
    clock.pass(2000);
    assert.equal(await open().read(), undefined);
    assert.ok(await isEmpty());
  });

  it('is deleted when its time is in the future', async () => {
    await share();
    clock.setBack(MINUTE);
    assert.equal(await open().read(), undefined);
    assert.ok(await isEmpty());
  });

  it('stores nothing, and deletes what is stored, with `never`', async () => {
    storage.limit = undefined;
    await share();
    assert.ok(await isEmpty());
    storage.limit = MINUTE;
    const record = open();
    record.save(sharing);
    await written();
    storage.limit = undefined;
    clock.pass(BEAT_MS);
    await until('its end', () => storage.secrets.size === 0 && storage.state.size === 0);
    storage.limit = MINUTE;
    await share();
    storage.limit = undefined;
    assert.equal(await open().read(), undefined);
    assert.ok(await isEmpty());
  });

  it('is deleted when nothing is shared', async () => {
    const record = open();
    record.save(sharing);
    record.save(undefined);
    await record.leave();
    assert.ok(await isEmpty());
  });

  it('has the last state before the window closes, and no later one', async () => {
    const record = open();
    record.save(sharing);
    record.save({ ...sharing, accesses: [] });
    await record.leave();
    record.save(undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual((await open().read())?.accesses, []);
  });

  it('is fresh while the window is there, however long that is', async () => {
    const record = open();
    record.save(sharing);
    for (let beats = 0; beats < 30; beats++) {
      await written();
      clock.pass(BEAT_MS);
    }
    await written();
    // Without a farewell, as after a crash.
    assert.deepEqual(await open().read(), sharing);
  });

  it('is the own one of each window: the one before cannot delete it', async () => {
    const before = open();
    before.save(sharing);
    await written();
    const next = open();
    assert.ok(await next.read());
    next.take();
    next.save(sharing);
    await next.leave();
    before.save(undefined);
    await before.leave();
    assert.deepEqual(await open().read(), sharing);
    assert.equal(storage.secrets.size, 1);
  });

  it('stays that of another window with this folder, which only has read it', async () => {
    await share();
    const other = open();
    assert.ok(await other.read());
    other.save({ ...sharing, port: 40_001 });
    await other.leave();
    assert.equal(storage.secrets.size, 2);
  });

  it('is deleted by any window after an hour, and written again by one that was asleep', async () => {
    await share();
    storage.state.clear();
    const asleep = open();
    asleep.save(sharing);
    await written();
    const files = await readdir(storage.folder);
    for (const name of files) {
      await utimes(path.join(storage.folder, name), START / 1000 - 7200, START / 1000 - 7200);
    }
    await open().read();
    assert.equal(storage.secrets.size, 0);
    clock.pass(BEAT_MS);
    await until('the record again', () => storage.secrets.size === 1 && storage.state.size === 1);
    await asleep.leave();
  });

  it('survives a secret storage that does not work, and logs no value', async () => {
    storage.failure = new Error(token);
    await share();
    assert.equal(logged.length, 1);
    assert.ok(!logged[0]!.includes(token));
    storage.failure = undefined;
    await share();
    storage.failure = new Error(token);
    const next = open();
    assert.equal(await next.read(), undefined);
    await next.discard();
    assert.equal(storage.state.size, 0);
    assert.ok(logged.length > 1 && !logged.join().includes(token));
  });

  for (const [what, id] of [
    ['a path', '../../secret'],
    ['a list', ['x']],
    ['a number', 7],
    ['an object', { length: 1 }],
  ] as const) {
    it(`ignores ${what} in place of an id`, async () => {
      await writeFile(path.join(path.dirname(storage.folder), 'secret'), '');
      storage.secrets.set(`acpHost.sharing.${String(id)}`, textOfSharing(sharing));
      storage.state.set('sharing', id);
      assert.equal(await open().read(), undefined);
      assert.equal(storage.state.size, 0);
      assert.ok(await stat(path.join(path.dirname(storage.folder), 'secret')));
    });
  }

  it('is ignored, and deleted, when its text is broken', async () => {
    for (const text of ['', '{', 'null', '[]', '7', JSON.stringify({ ...sharing }), textOfSharing(sharing).replace('"one"', '7')]) {
      await share();
      storage.secrets.set([...storage.secrets.keys()][0]!, text);
      assert.equal(await open().read(), undefined, text);
      assert.ok(await isEmpty(), text);
    }
  });
});

describe('the text of a sharing', () => {
  const { cert, key, fingerprint } = makeCertificate('192.168.1.2', START);
  const sharing: StoredSharing = {
    host: '192.168.1.2',
    port: 40_000,
    fingerprint,
    made: { cert, key },
    sessions: ['one'],
    accesses: [{ accessId: 'abcdefgh', right: 'read', at: 1, hash: '0'.repeat(64) }],
    waiting: [],
  };

  it('is read as it was written', () => {
    assert.deepEqual(sharingIn(textOfSharing(sharing)), sharing);
    assert.equal(sharingIn(undefined), undefined);
  });

  const [access] = sharing.accesses;
  for (const [what, change] of [
    ['the port 0', { port: 0 }],
    ['a port above all', { port: 65_536 }],
    ['a port that is a text', { port: '22' }],
    ['a name as the host', { host: 'example.com' }],
    ['all addresses with a path', { host: '0.0.0.0/../x' }],
    ['no sessions', { sessions: [] }],
    ['a session that is a path', { sessions: ['../x'] }],
    ['a million sessions', { sessions: Array.from({ length: 1_000_000 }, () => 'one') }],
    ['a right of its own', { accesses: [{ ...access, right: 'all' }] }],
    ['a short hash', { accesses: [{ ...access, hash: '00' }] }],
    ['an empty hash', { accesses: [{ ...access, hash: '' }] }],
    ['a hash that is a list', { accesses: [{ ...access, hash: ['0'.repeat(64)] }] }],
    ['an id of another length', { accesses: [{ ...access, accessId: 'abc' }] }],
    ['a time that is no number', { accesses: [{ ...access, at: null }] }],
    ['a certificate that is an object', { made: { cert: {}, key } }],
    ['a fingerprint of other digits', { fingerprint: 'g'.repeat(64) }],
    ['another form', { form: 2 }],
    ['waiting messages without an access', { waiting: [{ clientId: 'c', key: 'one', turnId: 't' }] }],
    ['a prototype in place of fields', { accesses: { __proto__: [access] } }],
  ] as const) {
    it(`is refused with ${what}`, () => {
      assert.equal(sharingIn(JSON.stringify({ ...JSON.parse(textOfSharing(sharing)), ...change })), undefined);
    });
  }
});

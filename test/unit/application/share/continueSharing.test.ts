/** A window that continues what the window before has shared. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ContinueDependencies, continueSharing } from '../../../../src/application/share/continueSharing';
import type { Clock } from '../../../../src/core/platform/clock';
import { makeCertificate } from '../../../../src/share/certificate';
import { type ShareAddress, Sharing } from '../../../../src/share/sharing';
import { SharingRecord } from '../../../../src/share/sharingRecord';
import { systemClock } from '../../../../src/util/clock';
import { MemoryStorage } from '../../../support/share/memoryStorage';
import { SharedClient } from '../../../support/share/sharedClient';
import { quiet } from '../../session/fakes';
import { FakeShared } from '../../share/fakeShared';

const LOCAL = '127.0.0.1';

describe('a window after a reload', function () {
  this.timeout(20_000);
  let storage: MemoryStorage;
  let sharing: Sharing;
  let record: SharingRecord;
  let client: SharedClient;
  const made = { ...makeCertificate(LOCAL, Date.now()), isMade: true };
  /** The pauses between attempts are short. */
  const clock: Clock = { now: () => systemClock.now(), after: (ms, callback) => systemClock.after(ms / 100, callback) };

  beforeEach(async () => {
    storage = new MemoryStorage(path.join(await mkdtemp(path.join(tmpdir(), 'continue-')), 'sharings'));
    client = new SharedClient({ options: { rejectUnauthorized: false } });
    begin();
  });
  afterEach(async () => {
    await leave();
    await rm(path.dirname(storage.folder), { recursive: true, force: true });
  });

  function begin(): void {
    record = new SharingRecord({ ...storage.deps, clock: systemClock, log: quiet });
    const mine = record;
    const changed = (): void => mine.save(window.stored);
    const window: Sharing = new Sharing({ clock: systemClock, log: quiet, version: '0', redact: (x) => x, secretStart: () => 0, changed });
    sharing = window;
  }

  async function leave(): Promise<void> {
    await Promise.all([record.leave(), sharing.stop()]);
  }

  /** Shares in a window that closes. Returns a token, and the address. */
  async function shared(address: Omit<ShareAddress, 'host'> = {}): Promise<{ token: string; url: string }> {
    sharing.add(new FakeShared());
    await sharing.start({ host: LOCAL, ...address });
    const result = { token: sharing.issue('read'), url: sharing.url! };
    await leave();
    begin();
    return result;
  }

  const comeBack = (more: Partial<ContinueDependencies> = {}) =>
    continueSharing({ clock, sharing, record, session: async () => new FakeShared(), ownCertificate: async () => undefined, ...more });

  it('has the same certificate again', async () => {
    const { token, url } = await shared({ tls: made });
    assert.ok(storage.text.includes('PRIVATE KEY'), 'in the secret storage');
    assert.deepEqual(await comeBack(), { type: 'shared' });
    assert.deepEqual([sharing.url, sharing.fingerprint], [url, made.fingerprint]);
    await client.open(url, token);
    assert.equal((await client.list()).sessions.length, 1);
    client.close();
  });

  it("reads the user's own certificate again, whose key is not stored", async () => {
    const own = { ...makeCertificate(LOCAL, Date.now()) };
    await shared({ tls: own });
    assert.ok(!storage.text.includes('PRIVATE KEY') && !storage.text.includes('BEGIN'));
    assert.deepEqual(await comeBack({ ownCertificate: async () => own }), { type: 'shared' });
    assert.equal(sharing.fingerprint, own.fingerprint);
    await leave();
    begin();
    const other = makeCertificate(LOCAL, Date.now());
    const result = await comeBack({ ownCertificate: async () => other });
    assert.deepEqual([result.type, sharing.url, storage.secrets.size], ['unavailable', undefined, 0]);
  });

  it('listens at no other port when its own is taken', async () => {
    const { token, url } = await shared();
    const port = Number(new URL(url).port);
    const program = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => program.listen(port, LOCAL, resolve));
    try {
      const result = await comeBack();
      assert.deepEqual(result, { type: 'unavailable', host: LOCAL, port, detail: 'EADDRINUSE', isTaken: true });
      assert.deepEqual([sharing.url, sharing.sessions, sharing.given], [undefined, [], []]);
      assert.equal(storage.text, '[[],[]]');
    } finally {
      await new Promise((resolve) => program.close(resolve));
    }
    await assert.rejects(client.open(url, token), /ECONNREFUSED/);
  });

  it('says so when the address is no longer one of this computer', async () => {
    await shared({ tls: made });
    const [key, text] = [...storage.secrets][0]!;
    storage.secrets.set(key, text.replace(`"${LOCAL}"`, '"192.0.2.1"'));
    const result = await comeBack();
    assert.deepEqual(result.type === 'unavailable' && [result.host, result.detail, result.isTaken], ['192.0.2.1', 'EADDRNOTAVAIL', false]);
    assert.equal(storage.text, '[[],[]]');
  });

  it('never serves an address of the network without TLS', async () => {
    await shared();
    const [key, text] = [...storage.secrets][0]!;
    storage.secrets.set(key, text.replace(`"${LOCAL}"`, '"0.0.0.0"'));
    assert.equal((await comeBack()).type, 'unavailable');
    assert.equal(sharing.url, undefined);
  });

  it('leaves the sessions of another window with this folder to that window', async () => {
    await shared();
    const before = storage.text;
    assert.deepEqual(await comeBack({ session: async () => 'elsewhere' }), { type: 'none' });
    assert.equal(sharing.url, undefined);
    assert.equal(storage.text, before);
  });

  it('shares only the sessions that have come back', async () => {
    sharing.add(new FakeShared('two'));
    await shared();
    const session = async (key: string) =>
      key === 'two' ? new FakeShared(key) : key === 'one' ? Promise.reject(new Error('lost')) : undefined;
    assert.deepEqual(await comeBack({ session }), { type: 'shared' });
    assert.deepEqual(
      sharing.sessions.map(({ key }) => key),
      ['two'],
    );
  });

  it('shares nothing when its sessions end while it waits for the port', async () => {
    const { url } = await shared();
    const program = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => program.listen(Number(new URL(url).port), LOCAL, resolve));
    const session = new FakeShared();
    const back = comeBack({ session: async () => session });
    await new Promise((resolve) => setTimeout(resolve, 30));
    session.happen({ type: 'session_ended' });
    assert.deepEqual(await back, { type: 'none' });
    await new Promise((resolve) => program.close(resolve));
    assert.deepEqual([sharing.url, storage.text], [undefined, '[[],[]]']);
  });

  it('leaves the record to the next window when it closes while it waits for the port', async () => {
    const { url } = await shared();
    const program = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => program.listen(Number(new URL(url).port), LOCAL, resolve));
    const back = comeBack();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await leave();
    assert.deepEqual(await back, { type: 'none' });
    await new Promise((resolve) => program.close(resolve));
    begin();
    assert.deepEqual(await comeBack(), { type: 'shared' });
    assert.equal(sharing.url, url);
  });
});

/** A store whose disk fails, or whose process ends, at each of its calls. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeLog } from '../../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../../src/changes/store/diskStoreFolder';
import { type GitReader, hashOf, ObjectStore, type StoreTrouble } from '../../../../src/changes/store/objectStore';
import { type Fault, FAULTS, FaultyFs } from '../../../support/changes/faultyFolder';

/** The number of calls from one that fails to the next. Trying all of them takes minutes. */
const STEP = process.env['ACP_HOST_ALL_SEQUENCES'] ? 1 : 19;
const LIMIT = 1_000_000;
const contentOf = (name: string): Buffer => Buffer.from(`${name} `.repeat(name.startsWith('large') ? 9000 : 20));
const hash = (name: string): string => hashOf(contentOf(name));
const oidOf = (bytes: Buffer): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const BURST = ['one', 'two', 'three', 'large-four'];
const COMMITTED = ['git-one', 'git-two', 'git-three'];
const WANTED = ['two', 'large-four', 'git-two'];
const ALL = [...BURST, 'five', ...COMMITTED, 'six', 'seven'];

const inGit = new Map(COMMITTED.map((name) => [oidOf(contentOf(name)), contentOf(name)]));
const readGit: GitReader = async (_, oid) => inGit.get(oid);

describe('a store whose disk fails', function () {
  this.timeout(180_000);
  let root: string;
  before(() => (root = mkdtempSync(path.join(tmpdir(), 'faults-'))));
  after(() => rmSync(root, { recursive: true, force: true }));

  /** One life of a window, with the results that it was promised. */
  class Life {
    /** Names of objects that the store has reported as stored. */
    readonly stored = new Set<string>();
    readonly records: string[] = [];
    /** Records whose append has neither resolved nor rejected. */
    readonly openRecords = new Set<string>();
    readonly troubles: StoreTrouble[] = [];
    refused = 0;
    isDeleting = false;
    readonly store: ObjectStore;
    readonly log: ChangeLog;

    constructor(folder: DiskStoreFolder) {
      this.store = new ObjectStore(folder, LIMIT, (trouble) => this.troubles.push(trouble));
      this.store.useGit(readGit);
      this.log = new ChangeLog(folder);
    }

    async put(...names: string[]): Promise<void> {
      await Promise.all(
        names.map(async (name) => {
          const bytes = contentOf(name);
          const given = name.startsWith('git') ? this.store.putGit(bytes, { top: '/repo', oid: oidOf(bytes) }) : this.store.put(bytes);
          const result = await given;
          assert.ok(result === undefined || result === hash(name));
          if (result === undefined) {
            this.refused++;
          } else {
            this.stored.add(name);
          }
        }),
      );
    }

    async append(turnId: string): Promise<void> {
      this.openRecords.add(turnId);
      await this.log.append({ type: 'checkpoint', turnId, at: 1 }).then(
        () => this.records.push(turnId),
        (error: unknown) => assert.match(String(error), /injected/),
      );
      this.openRecords.delete(turnId);
    }

    async keepOnly(names: readonly string[]): Promise<void> {
      this.isDeleting = true;
      await this.store.keepOnly(new Set(names.map(hash))).then(
        () => [...this.stored].filter((name) => !names.includes(name)).forEach((name) => this.stored.delete(name)),
        (error: unknown) => assert.match(String(error), /injected/),
      );
      this.isDeleting = false;
    }

    /** Runs all operations of a session. */
    async run(): Promise<void> {
      await this.put(...BURST);
      await this.append('turn-1');
      await this.put('five', 'one');
      await this.put(...COMMITTED);
      await this.append('turn-2');
      await this.keepOnly(WANTED);
      await this.put('six', 'two');
      await this.append('turn-3');
    }
  }

  const recordsIn = async (log: ChangeLog): Promise<string[]> =>
    (await log.records()).map((record) => (record.type === 'checkpoint' ? record.turnId : ''));

  async function checkObjects(store: ObjectStore, promised: Iterable<string>, where: string): Promise<void> {
    for (const name of promised) {
      assert.ok(await store.has(hash(name)), `${where}: has ${name}`);
      assert.deepEqual(await store.get(hash(name)), contentOf(name), `${where}: get ${name}`);
    }
    for (const name of ALL) {
      assert.equal(await store.has(hash(name)), await store.verify(hash(name)), `${where}: has and verify ${name}`);
    }
  }

  /** Returns false when the life makes fewer calls than `failAt`. */
  async function check(fault: Fault, failAt: number): Promise<boolean> {
    const place = path.join(root, `${fault}-${failAt}`);
    const faulty = new FaultyFs(failAt, fault);
    const life = new Life(new DiskStoreFolder(place, faulty.fs));
    const end = await Promise.race([life.run(), faulty.killed]);
    const where = `${fault} at ${failAt} (${faulty.failed})`;
    const hasFailed = faulty.failed !== '';
    faulty.heal();
    assert.equal(life.troubles.length > 0, life.refused > 0, `${where}: reported`);
    const promised = end === 'killed' && life.isDeleting ? WANTED.filter((name) => life.stored.has(name)) : [...life.stored];

    const fresh = new DiskStoreFolder(place, new FaultyFs().fs);
    const later = new Life(fresh);
    await checkObjects(later.store, promised, `${where}, restarted`);
    const records = await recordsIn(later.log);
    assert.deepEqual(
      records.filter((turnId) => life.records.includes(turnId)),
      life.records,
      `${where}: records`,
    );
    assert.deepEqual(
      records.filter((turnId) => !life.records.includes(turnId) && !life.openRecords.has(turnId)),
      [],
      `${where}: records that were reported as failed`,
    );

    if (end !== 'killed') {
      await checkObjects(life.store, promised, `${where}, continued`);
      assert.deepEqual(await recordsIn(life.log), life.records, `${where}: records, continued`);
      await continueIn(life, place, `${where}, healed`);
    } else {
      later.stored.clear();
      promised.forEach((name) => later.stored.add(name));
      later.records.push(...records);
      await continueIn(later, place, `${where}, restarted`);
    }
    await faulty.dispose();
    rmSync(place, { recursive: true });
    return hasFailed;
  }

  /** Checks that the store works as usual after the failure. */
  async function continueIn(life: Life, place: string, where: string): Promise<void> {
    await life.put('seven', 'five', 'git-one');
    await life.append('turn-4');
    assert.deepEqual(
      ['seven', 'five', 'git-one'].filter((name) => !life.stored.has(name)),
      [],
      where,
    );
    assert.equal(life.records.at(-1), 'turn-4', where);
    const folder = new DiskStoreFolder(place, new FaultyFs().fs);
    const last = new ObjectStore(folder, LIMIT);
    last.useGit(readGit);
    await checkObjects(last, life.stored, where);
    assert.deepEqual(await recordsIn(new ChangeLog(folder)), life.records, where);
  }

  for (const fault of FAULTS) {
    it(`keeps all that it has reported as stored, and no more: ${fault}`, async () => {
      let failAt = 1 + (FAULTS.indexOf(fault) % STEP);
      while (await check(fault, failAt)) {
        failAt += STEP;
      }
      assert.ok(failAt > 60, `${failAt} calls`);
    });
  }
});

/**
 * Which extension host writes a session's files: never two. The file `<key>.owner` names it; `hosts/<id>` is how it is reached: `beat` is written as long as
 * it lives, and who wants a session of its puts an `.ask` there, which it answers by `.yes` or `.no`. A host that is gone is asked nothing; one that does
 * not answer loses its session only when it shows no life either, or the user force, and the journal is replaced by a copy then: what it may be writing in that
 * moment goes nowhere. On a full disk no file can say whose a session is: then it is said with the first write that there is room for, which may find that
 * another host was faster.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isDiskFull } from '../../util/diskFull';
import { isGone, withFileLock } from '../../util/fileLock';
import { writeFileSafely } from '../../util/writeFileSafely';

export interface SessionOwnersDependencies {
  /** Absolute: what all windows of all hosts see. */
  readonly hosts: string;
  /** Another window wants this session; true when it may have it: by then this host writes nothing of it any more. */
  give(key: string, force: boolean): Promise<boolean>;
}

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Process ids count on the same machine only. */
  readonly machine: string;
}

type Life = 'gone' | 'alive' | 'silent';

const VERSION = 1;
const BEAT_MS = 5000;
/** ms without a beat after which a host shows no life: several beats, for machines that are busy. */
const SILENT_MS = 4 * BEAT_MS;
/** ms in which a host that is there answers. */
const ANSWER_MS = 1500;
const POLL_MS = 20;
/** ms after which what a host left that was killed is removed. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

export class SessionOwners {
  /** Of this extension host. */
  readonly host: string = randomUUID();
  /** The owner's file of each session that is ours. */
  private readonly owned = new Map<string, string>();
  /** Those of them whose file cannot be written yet. */
  private readonly unwritten = new Set<string>();
  private starting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private watcher: FSWatcher | undefined;
  private readonly answering = new Set<string>();
  private disposed = false;
  /** Its folder was made. */
  private isPlaced = false;

  constructor(private readonly dependencies: SessionOwnersDependencies) {}

  /**
   * True when this host may write the session from here on. @param folder of its files, which exists @param force the user wants it here, whatever another
   * window does with it
   */
  async acquire(key: string, folder: string, force = false): Promise<boolean> {
    await (this.starting ??= this.start());
    const file = path.join(folder, `${key}.owner`);
    try {
      return await this.acquireOnDisk(key, file, folder, force);
    } catch (error) {
      if (isDiskFull(error)) {
        return this.acquireUnwritten(key, file);
      }
      throw error;
    }
  }

  private async acquireOnDisk(key: string, file: string, folder: string, force: boolean): Promise<boolean> {
    for (let tries = 0; tries < 5; tries++) {
      const other = await withFileLock(`${file}.lock`, async () => {
        const owner = await readOwner(file);
        if (owner && owner.host !== this.host && (await this.lifeOf(owner)) !== 'gone') {
          return owner;
        }
        await this.write(key, file);
        return undefined;
      });
      if (!other) {
        return true;
      }
      const answer = await this.ask(other.host, key, force);
      if (answer === 'no' || (answer === undefined && !force && (await this.lifeOf(other)) === 'alive')) {
        return false;
      }
      if (answer === undefined) {
        await withFileLock(`${file}.lock`, () => this.takeFrom(other, key, file, folder));
      }
    }
    return this.owned.has(key);
  }

  /** From a host that is gone, or nobody. */
  private async acquireUnwritten(key: string, file: string): Promise<boolean> {
    const owner = await readOwner(file);
    if (owner && owner.host !== this.host && (await this.lifeOf(owner)) !== 'gone') {
      return false;
    }
    await rm(file, { force: true });
    this.owned.set(key, file);
    this.unwritten.add(key);
    return true;
  }

  /** Says on the disk that it is this host's, where there was no room for that before. At once. @throws when there is none still */
  claim(key: string): void {
    const file = this.owned.get(key);
    if (file === undefined || !this.unwritten.has(key)) {
      return;
    }
    try {
      writeFileSync(file, this.description(), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        rmSync(file, { force: true });
        throw error;
      }
    }
    this.unwritten.delete(key);
  }

  /** This host may write it. At once: nothing may come between it and what depends on it. */
  isOwner(key: string): boolean {
    return this.owned.has(key) && !this.isTaken(key);
  }

  /** This host had it, and another one has it by now. At once, as {@link isOwner}. */
  isTaken(key: string): boolean {
    const file = this.owned.get(key);
    if (file === undefined) {
      return false;
    }
    try {
      return parseOwner(readFileSync(file, 'utf8'))?.host !== this.host;
    } catch {
      return false; // Who takes it replaces the file: one that is not there, or cannot be read, is nobody else's.
    }
  }

  /** Another host that is alive has it. */
  async isLiveElsewhere(key: string, folder: string): Promise<boolean> {
    const owner = await readOwner(path.join(folder, `${key}.owner`));
    return owner !== undefined && owner.host !== this.host && (await this.lifeOf(owner)) === 'alive';
  }

  /** Anybody may have it. */
  async release(key: string): Promise<void> {
    const file = this.owned.get(key);
    if (file !== undefined && this.isOwner(key)) {
      await unlink(file).catch(() => undefined);
    }
    this.owned.delete(key);
    this.unwritten.delete(key);
  }

  /** Releases all, at once: the window closes. */
  dispose(): void {
    this.disposed = true;
    clearInterval(this.timer);
    this.watcher?.close();
    for (const [key, file] of this.owned) {
      if (this.isOwner(key)) {
        rmSync(file, { force: true });
      }
    }
    this.owned.clear();
    if (this.starting) {
      rmSync(this.placeOf(this.host), { recursive: true, force: true });
    }
  }

  private placeOf(host: string): string {
    return path.join(this.dependencies.hosts, host);
  }

  private async start(): Promise<void> {
    const place = this.placeOf(this.host);
    await this.beat();
    this.timer = setInterval(() => void this.beat().then(() => this.answerAll()), BEAT_MS);
    this.timer.unref();
    try {
      // Not everywhere; the beat looks, too.
      this.watcher = watch(place, { persistent: false }, () => void this.answerAll());
      this.watcher.on('error', () => this.watcher?.close());
    } catch {
      this.watcher = undefined;
    }
    if (this.disposed) {
      this.dispose();
    }
    void this.sweep();
  }

  private async beat(): Promise<void> {
    if (this.disposed) {
      return;
    }
    try {
      if (!this.isPlaced) {
        await mkdir(this.placeOf(this.host), { recursive: true, mode: 0o700 });
        this.isPlaced = true;
      }
      await writeFile(path.join(this.placeOf(this.host), 'beat'), this.description(), { mode: 0o600 });
    } catch {
      // A full disk costs the beat: this host answers all the same.
    }
  }

  private description(): string {
    return JSON.stringify({ acpHostOwner: VERSION, host: this.host, pid: process.pid, machine: hostname() });
  }

  private async lifeOf({ host, pid, machine }: Owner): Promise<Life> {
    if (machine === hostname() && isGone(pid)) {
      return 'gone';
    }
    const beat = await stat(path.join(this.placeOf(host), 'beat')).catch((error: NodeJS.ErrnoException) => error);
    if (!('mtimeMs' in beat)) {
      return beat.code === 'ENOENT' ? 'gone' : 'silent';
    }
    return Math.abs(Date.now() - beat.mtimeMs) < SILENT_MS ? 'alive' : 'silent';
  }

  private async write(key: string, file: string): Promise<void> {
    await writeFileSafely(file, [this.description()], { overwrite: true });
    this.owned.set(key, file);
    this.unwritten.delete(key);
  }

  /** From one that may be writing in this moment. */
  private async takeFrom(other: Owner, key: string, file: string, folder: string): Promise<void> {
    if ((await readOwner(file))?.host !== other.host) {
      return; // Somebody else was faster.
    }
    await this.write(key, file);
    const journal = path.join(folder, `${key}.jsonl`);
    const copy = `${journal}.${randomUUID()}.new`;
    try {
      await copyFile(journal, copy, constants.COPYFILE_FICLONE);
      await rename(copy, journal);
    } catch (error) {
      await rm(copy, { force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error;
      }
    }
  }

  /** Undefined when it does not answer. */
  private async ask(host: string, key: string, force: boolean): Promise<'yes' | 'no' | undefined> {
    const question = path.join(this.placeOf(host), randomUUID());
    try {
      await writeFileSafely(`${question}.ask`, [JSON.stringify({ key, force })], { overwrite: true });
      for (const end = performance.now() + ANSWER_MS; performance.now() < end; ) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        for (const answer of ['yes', 'no'] as const) {
          if (
            await rm(`${question}.${answer}`).then(
              () => true,
              () => false,
            )
          ) {
            return answer;
          }
        }
      }
    } catch {
      return undefined; // Its folder is gone, and so is it.
    } finally {
      await rm(`${question}.ask`, { force: true }).catch(() => undefined);
    }
    return undefined;
  }

  private async answerAll(): Promise<void> {
    const place = this.placeOf(this.host);
    const names = this.disposed ? [] : await readdir(place).catch(() => []);
    await Promise.all(names.filter((name) => /^[\w-]+\.ask$/.test(name)).map((name) => this.answer(path.join(place, name))));
  }

  private async answer(file: string): Promise<void> {
    if (this.answering.has(file)) {
      return;
    }
    this.answering.add(file);
    try {
      const { key, force } = JSON.parse(await readFile(file, 'utf8')) as { key?: unknown; force?: unknown };
      const isGiven = typeof key === 'string' && (await this.gives(key, force === true));
      await rename(file, file.replace(/ask$/, isGiven ? 'yes' : 'no'));
    } catch {
      // Whoever asked does not wait any more.
    } finally {
      this.answering.delete(file);
    }
  }

  private async gives(key: string, force: boolean): Promise<boolean> {
    if (this.owned.has(key) && !(await this.dependencies.give(key, force))) {
      return false;
    }
    await this.release(key);
    return true;
  }

  /** What hosts left that were killed. */
  private async sweep(): Promise<void> {
    for (const host of await readdir(this.dependencies.hosts).catch(() => [])) {
      const file = path.join(this.placeOf(host), 'beat');
      const beat = await stat(file).catch(() => undefined);
      const isOld = beat !== undefined && Date.now() - beat.mtimeMs > LEFT_OVER_MS;
      // Of one that lives the clock may have jumped.
      const owner = isOld && host !== this.host ? await readOwner(file) : undefined;
      if (owner && (owner.machine !== hostname() || isGone(owner.pid))) {
        await rm(this.placeOf(host), { recursive: true, force: true }).catch(() => undefined);
      }
    }
  }
}

async function readOwner(file: string): Promise<Owner | undefined> {
  return parseOwner(await readFile(file, 'utf8').catch(() => ''));
}

/** Undefined for what is no owner's file. */
function parseOwner(text: string): Owner | undefined {
  try {
    const { host, pid, machine } = JSON.parse(text) as Partial<Record<keyof Owner, unknown>>;
    return typeof host === 'string' && /^[\w-]{1,64}$/.test(host) && typeof pid === 'number' && typeof machine === 'string'
      ? { host, pid, machine }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ensures that only one extension host writes a session's files. The file `<key>.owner` names the host.
 *
 * In its folder `hosts/<id>` each running host updates the file `beat`. Another host requests a session by an `.ask` file there; the owner answers
 * with `.yes` or `.no`. A host whose process is gone loses the session at once. A host that does not answer keeps it unless its heartbeat has
 * stopped or the user forces the takeover. The journal is then replaced by a copy, so that a write in progress does not reach it.
 *
 * A full disk leaves no space for the `.owner` file. The file is then written together with the session's next write, which may find that another
 * host was faster.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isDiskFull } from '../../util/diskFull';
import { isGone, withFileLock } from '../../util/fileLock';
import { removeFile, renameOver } from '../../util/windows/renameOver';
import { writeFileSafely } from '../../util/writeFileSafely';

export interface SessionOwnersDependencies {
  /** The folder of all hosts, shared by all windows. Absolute. */
  readonly hosts: string;
  /** Asks this window to release the session for another window. Resolves to true when it has stopped writing the session's files. */
  releaseSession(key: string, force: boolean): Promise<boolean>;
}

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** The machine of the process id, which is meaningless on another one. */
  readonly machine: string;
}

type Liveness = 'gone' | 'alive' | 'silent';

const VERSION = 1;
const BEAT_MS = 5000;
/** ms without a heartbeat after which a host counts as silent: several beats, for busy machines. */
const SILENT_MS = 4 * BEAT_MS;
/** ms within which a running host answers. */
const ANSWER_MS = 1500;
const POLL_MS = 20;
/** ms after which the files of a killed host are deleted. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

export class SessionOwners {
  /** The id of this extension host. */
  readonly host: string = randomUUID();
  /** The `.owner` file of each session that this host owns. */
  private readonly owned = new Map<string, string>();
  /** The owned sessions whose `.owner` file is not written yet. */
  private readonly unwritten = new Set<string>();
  private starting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private watcher: FSWatcher | undefined;
  private readonly answering = new Set<string>();
  private disposed = false;
  /** True when the folder of this host exists. */
  private hasHostFolder = false;

  constructor(private readonly deps: SessionOwnersDependencies) {}

  /**
   * Makes this host the session's owner; true on success.
   * @param folder of the session's files, which exists
   * @param force the user takes the session over, whatever another window does with it
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
        if (owner && owner.host !== this.host && (await this.livenessOf(owner)) !== 'gone') {
          return owner;
        }
        await this.write(key, file);
        return undefined;
      });
      if (!other) {
        return true;
      }
      const answer = await this.ask(other.host, key, force);
      if (answer === 'no' || (answer === undefined && !force && (await this.livenessOf(other)) === 'alive')) {
        return false;
      }
      if (answer === undefined) {
        await withFileLock(`${file}.lock`, () => this.takeFrom(other, key, file, folder));
      }
    }
    return this.owned.has(key);
  }

  /** Takes a session without an owner, or whose owner is gone, on a full disk. */
  private async acquireUnwritten(key: string, file: string): Promise<boolean> {
    const owner = await readOwner(file);
    if (owner && owner.host !== this.host && (await this.livenessOf(owner)) !== 'gone') {
      return false;
    }
    await removeFile(file);
    this.owned.set(key, file);
    this.unwritten.add(key);
    return true;
  }

  /** Writes an `.owner` file for which the disk was full before. Synchronous. @throws when the disk is still full */
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

  /** True when this host may write the session's files. Synchronous, so that nothing can happen between the check and the write. */
  isOwner(key: string): boolean {
    return this.owned.has(key) && !this.isTaken(key);
  }

  /** True when another host has taken over a session of this one. Synchronous, as {@link isOwner}. */
  isTaken(key: string): boolean {
    const file = this.owned.get(key);
    if (file === undefined) {
      return false;
    }
    try {
      return parseOwner(readFileSync(file, 'utf8'))?.host !== this.host;
    } catch {
      return false; // A takeover replaces the file, so a missing or unreadable file is not a takeover.
    }
  }

  /** True when another running host owns the session. */
  async isLiveElsewhere(key: string, folder: string): Promise<boolean> {
    const owner = await readOwner(path.join(folder, `${key}.owner`));
    return owner !== undefined && owner.host !== this.host && (await this.livenessOf(owner)) === 'alive';
  }

  /** Gives up the ownership. */
  async release(key: string): Promise<void> {
    const file = this.owned.get(key);
    if (file !== undefined && this.isOwner(key)) {
      await unlink(file).catch(() => undefined);
    }
    this.owned.delete(key);
    this.unwritten.delete(key);
  }

  /** Releases all sessions synchronously when the window closes. */
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
      rmSync(this.hostFolder(this.host), { recursive: true, force: true });
    }
  }

  private hostFolder(host: string): string {
    return path.join(this.deps.hosts, host);
  }

  private async start(): Promise<void> {
    const folder = this.hostFolder(this.host);
    await this.beat();
    this.timer = setInterval(() => void this.beat().then(() => this.answerAll()), BEAT_MS);
    this.timer.unref();
    try {
      // `fs.watch` is not available everywhere, so each beat reads the folder, too.
      this.watcher = watch(folder, { persistent: false }, () => void this.answerAll());
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
      if (!this.hasHostFolder) {
        await mkdir(this.hostFolder(this.host), { recursive: true, mode: 0o700 });
        this.hasHostFolder = true;
      }
      await writeFile(path.join(this.hostFolder(this.host), 'beat'), this.description(), { mode: 0o600 });
    } catch {
      // Without disk space there is no heartbeat, but this host still answers requests.
    }
  }

  private description(): string {
    return JSON.stringify({ acpHostOwner: VERSION, host: this.host, pid: process.pid, machine: hostname() });
  }

  private async livenessOf({ host, pid, machine }: Owner): Promise<Liveness> {
    if (machine === hostname() && isGone(pid)) {
      return 'gone';
    }
    const beat = await stat(path.join(this.hostFolder(host), 'beat')).catch((error: NodeJS.ErrnoException) => error);
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

  /** Takes a session from a host that may be writing at this moment. */
  private async takeFrom(other: Owner, key: string, file: string, folder: string): Promise<void> {
    if ((await readOwner(file))?.host !== other.host) {
      return; // Another host was faster.
    }
    await this.write(key, file);
    const journal = path.join(folder, `${key}.jsonl`);
    const copy = `${journal}.${randomUUID()}.new`;
    try {
      await copyFile(journal, copy, constants.COPYFILE_FICLONE);
      await renameOver(copy, journal);
    } catch (error) {
      await rm(copy, { force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error;
      }
    }
  }

  /** Undefined when the host does not answer. */
  private async ask(host: string, key: string, force: boolean): Promise<'yes' | 'no' | undefined> {
    const question = path.join(this.hostFolder(host), randomUUID());
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
      return undefined; // The host and its folder are gone.
    } finally {
      await rm(`${question}.ask`, { force: true }).catch(() => undefined);
    }
    return undefined;
  }

  private async answerAll(): Promise<void> {
    const folder = this.hostFolder(this.host);
    const names = this.disposed ? [] : await readdir(folder).catch(() => []);
    await Promise.all(names.filter((name) => /^[\w-]+\.ask$/.test(name)).map((name) => this.answer(path.join(folder, name))));
  }

  private async answer(file: string): Promise<void> {
    if (this.answering.has(file)) {
      return;
    }
    this.answering.add(file);
    try {
      const { key, force } = JSON.parse(await readFile(file, 'utf8')) as { key?: unknown; force?: unknown };
      const isGiven = typeof key === 'string' && (await this.gives(key, force === true));
      await renameOver(file, file.replace(/ask$/, isGiven ? 'yes' : 'no'));
    } catch {
      // The other host no longer waits for an answer.
    } finally {
      this.answering.delete(file);
    }
  }

  private async gives(key: string, force: boolean): Promise<boolean> {
    if (this.owned.has(key) && !(await this.deps.releaseSession(key, force))) {
      return false;
    }
    await this.release(key);
    return true;
  }

  /** Deletes the folders of killed hosts. */
  private async sweep(): Promise<void> {
    for (const host of await readdir(this.deps.hosts).catch(() => [])) {
      const file = path.join(this.hostFolder(host), 'beat');
      const beat = await stat(file).catch(() => undefined);
      const isOld = beat !== undefined && Date.now() - beat.mtimeMs > LEFT_OVER_MS;
      // A running host's beat may look old after a clock change.
      const owner = isOld && host !== this.host ? await readOwner(file) : undefined;
      if (owner && (owner.machine !== hostname() || isGone(owner.pid))) {
        await rm(this.hostFolder(host), { recursive: true, force: true }).catch(() => undefined);
      }
    }
  }
}

async function readOwner(file: string): Promise<Owner | undefined> {
  return parseOwner(await readFile(file, 'utf8').catch(() => ''));
}

/** Undefined for a text that is not an `.owner` file. */
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

/** Real folders whose changes are recorded: with or without a repository, and with any delay. */
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, lstatSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DiskFiles, diskFiles } from '../../../src/changes/disk/diskFiles';
import { readingGit, type RunGit } from '../../../src/changes/disk/git';
import { Git } from '../../../src/util/git';
import { Restore } from '../../../src/changes/restore';
import { ChangeLog } from '../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../src/changes/store/objectStore';
import { Attribution } from '../../../src/changes/turns/attribution';
import { ChangeRecorder, type OpenText, type RecordedTurn, type Trouble } from '../../../src/changes/turns/changeRecorder';
import { type ChangeLimits, DEFAULT_CHANGE_LIMITS, DEFAULT_STORE_BYTES, FileStates } from '../../../src/changes/turns/fileStates';
import { StoredBaseline } from '../../../src/changes/turns/storedBaseline';
import { initRepository } from '../emptyRepository';

export const run: RunGit = readingGit(new Git());

/** Returns {@link diskFiles} with each call delayed by `ms`, and none before the gate opens. */
export function slowFiles(ms: number, gate?: Promise<unknown>, files: DiskFiles = diskFiles): DiskFiles {
  const slow =
    (call: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      await gate;
      await delay(ms);
      return call(...args);
    };
  return Object.fromEntries(Object.entries(files).map(([name, call]) => [name, slow(call as never)])) as unknown as DiskFiles;
}

export function slowGit(ms: number, gate?: Promise<unknown>): RunGit {
  return async (...args) => {
    await gate;
    await delay(ms);
    return run(...args);
  };
}

export interface WorkspaceOptions {
  readonly git?: boolean;
  readonly files?: DiskFiles;
  readonly run?: RunGit;
  readonly limits?: Partial<ChangeLimits>;
  readonly storeBytes?: number;
  readonly roots?: readonly string[];
  readonly openTexts?: () => readonly OpenText[];
  readonly onStaleDocument?: (path: string, bytes: Uint8Array) => void;
  readonly now?: () => number;
  /** True for an agent that a keeper holds. */
  readonly outlives?: boolean;
  readonly onTrouble?: (trouble: Trouble) => void;
  /** When absent, paths are used as they are. */
  readonly resolve?: (path: string) => Promise<string | undefined>;
}

export class Workspace {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'changes-')));
  private readonly storage = mkdtempSync(path.join(tmpdir(), 'changes-store-'));

  /** The folder with a store for each session. */
  get storageFolder(): string {
    return this.storage;
  }

  constructor(readonly isRepository: boolean) {
    if (isRepository) {
      initRepository(this.folder, { name: 'User', email: 'user@example.com' });
    }
  }

  /** Runs git like the user does, locks included. */
  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  remove(name: string): void {
    rmSync(this.at(name));
  }

  commit(): void {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'commit');
  }

  /** Waits until the file system's timestamps differ from those of earlier writes. */
  settle(): Promise<void> {
    return delay(30);
  }

  /** Opens the store of one session. A second call acts like a reload of the window. */
  session({
    files = diskFiles,
    run: git = run,
    limits,
    storeBytes = DEFAULT_STORE_BYTES,
    roots,
    openTexts,
    onStaleDocument,
    now = Date.now,
    onTrouble,
    resolve = async (file) => file,
    key = 'session',
    outlives = false,
    attribution = new Attribution(),
  }: WorkspaceOptions & { key?: string; attribution?: Attribution } = {}): WorkspaceSession {
    const storeFolder = new DiskStoreFolder(path.join(this.storage, key));
    const store = new ObjectStore(storeFolder, storeBytes);
    const log = new ChangeLog(storeFolder);
    const states = new FileStates(files, store, { ...DEFAULT_CHANGE_LIMITS, ...limits }, now);
    const folders = roots ?? [this.folder];
    const contains = (file: string): boolean => folders.some((folder) => file.startsWith(folder + path.sep));
    const recorder = new ChangeRecorder({
      sessionKey: key,
      roots: () => folders,
      resolver: () => async (file) => {
        const real = await resolve(file);
        return real !== undefined && contains(real) ? real : undefined;
      },
      states,
      git,
      log,
      attribution,
      baseline: new StoredBaseline(storeFolder),
      outlives: () => outlives,
      now,
      ...(openTexts && { openTexts }),
      ...(onStaleDocument && { onStaleDocument }),
      ...(onTrouble && { onTrouble }),
    });
    const restore = new Restore({
      states,
      log,
      contains: async (file) => contains(file),
      now: Date.now,
      mintId: () => randomUUID(),
    });
    return { recorder, restore, log, store, storeFolder };
  }

  /** Every file with its bytes, the user's permissions, or its link target. */
  tree(folder = this.folder, without: readonly string[] = ['.git']): Record<string, string> {
    const found: Record<string, string> = {};
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const at = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, at).replaceAll('\\', '/');
      if (without.includes(name.split('/')[0]!)) {
        continue;
      }
      if (entry.isSymbolicLink()) {
        found[name] = `-> ${readlinkSync(at)}`;
      } else if (entry.isFile()) {
        found[name] = `${(lstatSync(at).mode & 0o777).toString(8)} ${createHash('sha256').update(readFileSync(at)).digest('hex')}`;
      }
    }
    return found;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
    // A write of a review may still add a file. Node's own retries do not list the folder again.
    for (let tries = 20; tries > 0; tries--) {
      try {
        rmSync(this.storage, { recursive: true, force: true, maxRetries: 1 });
        return;
      } catch (error) {
        if (tries === 1) {
          throw error;
        }
      }
    }
  }
}

export interface WorkspaceSession {
  readonly recorder: ChangeRecorder;
  readonly restore: Restore;
  readonly log: ChangeLog;
  readonly store: ObjectStore;
  readonly storeFolder: DiskStoreFolder;
}

/** Plays one turn. The copies are taken before the agent acts, unless `hurry` is set. */
export async function playTurn(
  { recorder }: Pick<WorkspaceSession, 'recorder'>,
  turnId: string,
  act: () => void | Promise<void>,
  hurry = false,
): Promise<RecordedTurn> {
  recorder.turnStarted(turnId, Date.now());
  if (!hurry) {
    await recorder.copied();
    await delay(15);
  }
  await act();
  return (await recorder.turnEnded(turnId))!;
}

/** The index of the stored sessions: a directory of empty files, see `indexEntry.ts`. Several windows change it at the same time. */
import { mkdir, opendir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeFile, renameOver } from '../../util/windows/renameOver';
import { entryOf, folderIn, type IndexEntry, isArchived, nameOf } from './indexEntry';

/** The fields that can change. */
export type IndexChange = Partial<Pick<IndexEntry, 'at' | 'archived' | 'pinned' | 'tag'>>;

export interface IndexFilter {
  /** The directory names of the working folders. */
  readonly folders?: ReadonlySet<string> | undefined;
  /** With `folders`: all other folders. */
  readonly elsewhere?: boolean;
  readonly archived?: boolean | undefined;
}

/** Attempts to find a name that other windows are renaming. */
const TRIES = 20;

export class SessionIndex {
  /** The last known names. Another window may have renamed the files. */
  private readonly names = new Map<string, string>();
  /** The directory of each session that was read. It never changes. */
  private readonly folders = new Map<string, string>();
  /** The last change of each session: changes of one session run one after the other. */
  private readonly changing = new Map<string, Promise<unknown>>();

  constructor(
    /** Absolute; created with the first entry. */
    readonly directory: string,
  ) {}

  /** All entries, newest first. */
  async all(): Promise<readonly IndexEntry[]> {
    return (await this.select({})).flatMap((name) => this.entry(name) ?? []);
  }

  /**
   * Names of the matching entries, newest first. When a crash has left two names of one session, only the newer one. The names are not parsed,
   * because only one page of thousands is needed: see {@link entry}.
   */
  async select({ folders, elsewhere = false, archived }: IndexFilter): Promise<readonly string[]> {
    const names = await this.read();
    const keys = new Set<string>();
    const found: string[] = [];
    for (let index = names.length - 1; index >= 0; index--) {
      const name = names[index]!;
      const key = name.slice(name.lastIndexOf('.') + 1);
      if (keys.has(key)) {
        continue;
      }
      keys.add(key);
      const isWanted = folders === undefined || folders.has(folderIn(name)) !== elsewhere;
      if (isWanted && (archived === undefined || isArchived(name) === archived)) {
        found.push(name);
      }
    }
    return found;
  }

  /** The entry that a name encodes; undefined when the name does not belong to the index. */
  entry(name: string): IndexEntry | undefined {
    const entry = entryOf(name);
    if (entry) {
      this.folders.set(entry.key, entry.folder);
    }
    return entry;
  }

  /** Checks for entries without reading all of them. */
  async isEmpty(): Promise<boolean> {
    const directory = await opendir(this.directory).catch(() => undefined);
    const first = await directory?.read();
    await directory?.close();
    return !first;
  }

  /** The directory of this session's files; undefined when the session is not stored. */
  async folderOf(key: string): Promise<string | undefined> {
    const known = this.folders.get(key);
    if (known === undefined) {
      await this.lookUp(key);
    }
    return known ?? this.folders.get(key);
  }

  /** Adds a session, unless it is in the index already. */
  add(key: string, folder: string, fields: IndexChange & { readonly at: number }): Promise<void> {
    return this.inTurn(key, async () => {
      if ((await this.lookUp(key)) === undefined) {
        await mkdir(this.directory, { recursive: true, mode: 0o700 });
        const name = nameOf({ archived: false, pinned: false, revision: 0, tag: '', ...fields, key, folder });
        await writeFile(path.join(this.directory, name), '', { mode: 0o600 });
        this.names.set(key, name);
        this.folders.set(key, folder);
      }
    });
  }

  /** Changes an entry, if it exists. Watchers are notified even when no field changes. */
  change(key: string, change: IndexChange): Promise<void> {
    return this.inTurn(key, async () => {
      for (let tries = 0; tries < TRIES; tries++) {
        const before = this.names.get(key) ?? (await this.lookUp(key));
        const entry = before === undefined ? undefined : entryOf(before);
        if (before === undefined || !entry) {
          return;
        }
        const after = nameOf({ ...entry, ...change, revision: entry.revision + 1 });
        try {
          await renameOver(path.join(this.directory, before), path.join(this.directory, after));
          this.names.set(key, after);
          return;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
            throw error;
          }
          this.names.delete(key); // Another window has renamed or removed the file.
        }
      }
    });
  }

  remove(key: string): Promise<void> {
    return this.inTurn(key, async () => {
      this.names.delete(key);
      this.folders.delete(key);
      const own = (await this.read()).filter((name) => entryOf(name)?.key === key);
      await Promise.all(own.map((name) => removeFile(path.join(this.directory, name))));
    });
  }

  private async lookUp(key: string): Promise<string | undefined> {
    const own = (await this.read()).filter((name) => name.endsWith(`.${key}`) && entryOf(name)?.key === key);
    const newest = own.at(-1);
    const entry = newest === undefined ? undefined : entryOf(newest);
    if (newest === undefined || !entry) {
      this.names.delete(key);
      this.folders.delete(key);
    } else {
      this.names.set(key, newest);
      this.folders.set(key, entry.folder);
    }
    return newest;
  }

  /** The names, sorted. They begin with the time, so that the newest is the last. */
  private async read(): Promise<string[]> {
    try {
      return (await readdir(this.directory)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return [];
      }
      throw error;
    }
  }

  private inTurn<T>(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.changing.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (this.changing.get(key) === settled) {
          this.changing.delete(key);
        }
      });
    this.changing.set(key, settled);
    return mine;
  }
}

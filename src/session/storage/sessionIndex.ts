/** Which sessions are kept, newest first: a directory of empty files, see `indexEntry.ts`. Several windows change it at once. */
import { mkdir, opendir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { entryOf, type IndexEntry, nameOf } from './indexEntry';

/** What may change; the rest stays. */
export type IndexChange = Partial<Pick<IndexEntry, 'at' | 'archived' | 'pinned' | 'tag'>>;

/** Times that a name is looked up again, when other windows rename it in the meantime. */
const TRIES = 20;
/** Entries whose names are kept in memory. */
const MOST_KNOWN = 50_000;

export class SessionIndex {
  /** Names as this window knows them: they may have changed. */
  private readonly names = new Map<string, string>();
  /** Of each session that was seen: it never changes. */
  private readonly folders = new Map<string, string>();
  private readonly entries = new Map<string, IndexEntry>();
  /** Changes of one session follow each other. */
  private readonly changing = new Map<string, Promise<unknown>>();

  constructor(
    /** Absolute; made with the first entry. */
    readonly directory: string,
  ) {}

  /** All of them, newest first; of two that crashes left for one session, the newer one. */
  async all(): Promise<readonly IndexEntry[]> {
    const names = await this.read();
    const keys = new Set<string>();
    const entries: IndexEntry[] = [];
    for (let index = names.length - 1; index >= 0; index--) {
      const entry = this.entryOf(names[index]!);
      if (entry && !keys.has(entry.key)) {
        keys.add(entry.key);
        this.folders.set(entry.key, entry.folder);
        entries.push(entry);
      }
    }
    return entries;
  }

  /** Without reading all of it. */
  async isEmpty(): Promise<boolean> {
    const directory = await opendir(this.directory).catch(() => undefined);
    const first = await directory?.read();
    await directory?.close();
    return !first;
  }

  /** Most names are the same from one time to the next. */
  private entryOf(name: string): IndexEntry | undefined {
    const known = this.entries.get(name);
    if (known) {
      return known;
    }
    const entry = entryOf(name);
    if (entry) {
      if (this.entries.size > MOST_KNOWN) {
        this.entries.clear();
      }
      this.entries.set(name, entry);
    }
    return entry;
  }

  /** The directory of this session's files; undefined when it is not kept. */
  async folderOf(key: string): Promise<string | undefined> {
    const known = this.folders.get(key);
    if (known === undefined) {
      await this.lookUp(key);
    }
    return known ?? this.folders.get(key);
  }

  /** Puts a session there, unless it is. */
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

  /** Changes what is said of a session that is there; in any case, whoever watches the index hears of it. */
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
          await rename(path.join(this.directory, before), path.join(this.directory, after));
          this.names.set(key, after);
          return;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
            throw error;
          }
          this.names.delete(key); // Another window has renamed it, or removed it.
        }
      }
    });
  }

  remove(key: string): Promise<void> {
    return this.inTurn(key, async () => {
      this.names.delete(key);
      this.folders.delete(key);
      const own = (await this.read()).filter((name) => entryOf(name)?.key === key);
      await Promise.all(own.map((name) => rm(path.join(this.directory, name), { force: true })));
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

  /** Names begin with the time: sorted, the newest is the last. */
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

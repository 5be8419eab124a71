/** Which sessions are kept, newest first: a directory of empty files, see `indexEntry.ts`. Several windows change it at once. */
import { mkdir, opendir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { entryOf, folderIn, type IndexEntry, isArchived, nameOf } from './indexEntry';

/** What may change; the rest stays. */
export type IndexChange = Partial<Pick<IndexEntry, 'at' | 'archived' | 'pinned' | 'tag'>>;

export interface IndexFilter {
  /** Names of their directories. */
  readonly folders?: ReadonlySet<string> | undefined;
  /** All but these. */
  readonly elsewhere?: boolean;
  readonly archived?: boolean | undefined;
}

/** Times that a name is looked up again, when other windows rename it in the meantime. */
const TRIES = 20;

export class SessionIndex {
  /** Names as this window knows them: they may have changed. */
  private readonly names = new Map<string, string>();
  /** Of each session that was seen: it never changes. */
  private readonly folders = new Map<string, string>();
  /** Changes of one session follow each other. */
  private readonly changing = new Map<string, Promise<unknown>>();

  constructor(
    /** Absolute; made with the first entry. */
    readonly directory: string,
  ) {}

  /** All of them, newest first. */
  async all(): Promise<readonly IndexEntry[]> {
    return (await this.select({})).flatMap((name) => this.entry(name) ?? []);
  }

  /** Names of those that fit, newest first; of two that crashes left for one session, the newer one. Of thousands only a page is read: see {@link entry}. */
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

  /** What a name says; undefined when it is none of the index. */
  entry(name: string): IndexEntry | undefined {
    const entry = entryOf(name);
    if (entry) {
      this.folders.set(entry.key, entry.folder);
    }
    return entry;
  }

  /** Without reading all of it. */
  async isEmpty(): Promise<boolean> {
    const directory = await opendir(this.directory).catch(() => undefined);
    const first = await directory?.read();
    await directory?.close();
    return !first;
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

/**
 * The store of all sessions, shared by all windows. `index/` lists them (see `sessionIndex.ts`), `folders/<working folder>/` has their files (see
 * `journalFiles.ts`), `hosts/` the extension hosts that write them (see `sessionOwners.ts`), `search/` their texts for search (see
 * `searchTextFile.ts`).
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type AgentKey, belongsTo, storedIdOf } from '../../core/agents/agentIds';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { JournalFiles, isKey } from '../journal/journalFiles';
import type { JournalHeader } from '../journal/journalHeader';
import type { JournalFile } from '../journal/journal';
import type { JournalSummary, KeptSummary } from '../journal/journalSummary';
import type { KeptSessionHit, KeptSessionsPage, KeptSessionsQuery } from '../journal/sessionCatalog';
import { NotOwnerError } from '../journal/notOwnerError';
import { type MarksPatch, NO_MARKS } from '../journal/sessionMarks';
import { SearchTextFile } from '../search/searchTextFile';
import { legacyFolders, moveSessions } from './legacyStorage';
import { folderNameOf } from './folderName';
import { type IndexEntry, nameOf, tagOf } from './indexEntry';
import { IndexWatch } from './indexWatch';
import { SessionIndex } from './sessionIndex';
import { SessionOwners } from './sessionOwners';
import { foldersIn } from './storePaths';
import { UnpromptedSessions } from './unpromptedSessions';

export interface StoredSessionsOptions {
  /** Absolute; created with the first write. */
  readonly root: string;
  /** `ExtensionContext.storageUri` and `globalStorageUri`, where earlier versions stored sessions. */
  readonly earlier: { readonly storage?: string; readonly globalStorage: string };
  /** The size limit of a journal in bytes, read for each write; see `boundJournal`. */
  maxBytes(): number;
  /** See `SessionOwnersDependencies`. */
  releaseSession(key: string, force: boolean): Promise<boolean>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** ms from a list to the deletion of the unused sessions that it found. Absent: `TIDY_MS`. */
  readonly tidyMs?: number;
}

/** ms that a list waits for the sessions of earlier versions. Later ones appear when they have been moved. */
const MOVE_WAIT_MS = 1000;
/** ms after the first list until the cleanup of files that crashes have left. */
const TIDY_MS = 10_000;
/** ms after the first list until the texts for search are prepared, and between two sessions. */
const PREPARE_MS = 30_000;
const PREPARE_PAUSE_MS = 20;
/** ms since its last change after which an unused session is deleted. Until then a tab that VS Code restores later still finds it. */
const UNUSED_MS = 24 * 60 * 60 * 1000;
/** ms after which an index entry without a journal counts as left by a crash. */
const GHOST_MS = 60 * 60 * 1000;

export class StoredSessions {
  readonly files: JournalFiles;
  readonly owners: SessionOwners;
  readonly unprompted: UnpromptedSessions;
  private readonly index: SessionIndex;
  private readonly watch: IndexWatch;
  /** Sessions of this window that may have no file yet. */
  private readonly begun = new Map<string, JournalHeader>();
  private readonly made = new Map<string, Promise<string>>();
  private readonly swept = new Set<string>();
  private moving: Promise<void> | undefined;
  private adding: Promise<void> | undefined;
  private preparing: NodeJS.Timeout | undefined;
  /** Keys of unused sessions to delete. */
  private readonly unused = new Set<string>();
  private tidying: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();

  constructor(private readonly options: StoredSessionsOptions) {
    const { root } = options;
    this.index = new SessionIndex(path.join(root, 'index'));
    this.unprompted = new UnpromptedSessions(path.join(root, 'unprompted'));
    this.watch = new IndexWatch(this.index.directory);
    this.owners = new SessionOwners({
      hosts: path.join(root, 'hosts'),
      releaseSession: (key, force) => options.releaseSession(key, force),
    });
    this.files = new JournalFiles(
      {
        of: async (key) => this.pathOf(await this.folderOf(key)),
        make: (key) => this.make(key),
        described: (summary) => this.described(summary),
        checkOwner: (key) => {
          this.owners.claim(key);
          if (!this.owners.isOwner(key)) {
            throw new NotOwnerError(key);
          }
        },
      },
      () => options.maxBytes(),
    );
  }

  /** The journal of a session of this window. */
  file(header: JournalHeader): JournalFile {
    this.begun.set(header.key, header);
    return this.files.file(header.key);
  }

  /** See `SessionOwners.acquire`. False also when there is no such session. */
  async acquire(key: string, force: boolean): Promise<boolean> {
    const folder = this.pathOf(await this.folderOf(key));
    const isOurs = folder !== undefined && (await this.owners.acquire(key, folder, force));
    if (isOurs) {
      await this.files
        .mendHeader(key)
        .catch((error: unknown) => this.options.log.warn(`Journal ${key} cannot be mended: ${String(error)}`));
    }
    return isOurs;
  }

  async release(key: string): Promise<void> {
    this.begun.delete(key);
    this.made.delete(key);
    await this.owners.release(key);
  }

  /** See `SessionCatalog`. */
  async list({ folders, elsewhere = false, archived, limit, after }: KeptSessionsQuery): Promise<KeptSessionsPage> {
    await this.moved();
    this.prepareSearch();
    const wanted = folders && new Set(folders.map((folder) => folderNameOf(folder)));
    const all = await this.index.select({ folders: wanted, elsewhere, archived });
    let missing = 0;
    const summaries: JournalSummary[] = [];
    let next = after === undefined ? 0 : all.findIndex((name) => name < after);
    for (next = next < 0 ? all.length : next; next < all.length && summaries.length < limit; ) {
      const names = all.slice(next, next + limit - summaries.length);
      next += names.length;
      const read = await Promise.all(names.flatMap((name) => this.index.entry(name) ?? []).map((entry) => this.listedOf(entry)));
      const found = read.filter((summary) => summary !== undefined);
      missing += names.length - found.length;
      summaries.push(...found);
    }
    const last = all[next - 1];
    return { summaries, ...(next < all.length && last !== undefined && { next: last }), total: all.length - missing };
  }

  /** The stored sessions with this session id of this agent, newest first. */
  async find(agent: AgentKey, sessionId: string): Promise<readonly JournalSummary[]> {
    await this.moved();
    const { agentId, earlierId = agentId } = agent;
    const tags = new Set([agentId, earlierId].map((id) => tagOf(id, sessionId)));
    const entries = (await this.index.all()).filter(({ tag }) => tag !== undefined && tags.has(tag));
    const read = await Promise.all(entries.map((entry) => this.summaryOf(entry)));
    return read.flatMap((summary) => (summary && belongsTo(summary, agent) && summary.sessionId === sessionId ? [summary] : []));
  }

  async mark(key: string, patch: MarksPatch): Promise<void> {
    const { archived = false, pinned = false } = await this.files.writeMarks(key, patch);
    await this.index.change(key, { archived, pinned });
  }

  async isLiveElsewhere(key: string): Promise<boolean> {
    const folder = this.pathOf(await this.folderOf(key));
    return folder !== undefined && this.owners.isLiveElsewhere(key, folder);
  }

  async *search(text: string, signal: AbortSignal): AsyncIterable<KeptSessionHit> {
    await this.moved();
    const [entries, { searchSessions }] = await Promise.all([this.index.all(), import('../search/searchSessions')]);
    const sessions = entries.map((entry) => ({ key: entry.key, said: this.searchTextOf(entry), summary: () => this.listedOf(entry) }));
    yield* searchSessions(sessions, text, signal);
  }

  onDidChange(listener: () => void): Disposable {
    return this.watch.add(listener);
  }

  /** Deletes the session in all windows. */
  async remove(key: string): Promise<void> {
    const folder = await this.folderOf(key);
    await Promise.all([this.files.remove(key), folder !== undefined && this.searchTextOf({ key, folder }).remove()]);
    await this.release(key);
    await this.index.remove(key);
  }

  dispose(): void {
    clearTimeout(this.preparing);
    clearTimeout(this.tidying);
    this.ending.abort();
    this.watch.dispose();
    this.owners.dispose();
  }

  /** Prepares the texts for search after the window has settled, so that the first search need not wait for them. */
  private prepareSearch(): void {
    this.preparing ??= setTimeout(() => {
      void (async () => {
        for (const entry of await this.index.all()) {
          await new Promise((resolve) => setTimeout(resolve, PREPARE_PAUSE_MS));
          await this.searchTextOf(entry)
            .update(this.ending.signal)
            .catch(() => undefined);
          if (this.ending.signal.aborted) {
            return;
          }
        }
      })();
    }, PREPARE_MS);
    this.preparing.unref();
  }

  private searchTextOf({ key, folder }: Pick<IndexEntry, 'key' | 'folder'>): SearchTextFile {
    return new SearchTextFile(path.join(this.options.root, 'search'), key, path.join(this.pathOf(folder)!, `${key}.jsonl`));
  }

  private pathOf(folder: string | undefined): string | undefined {
    return folder === undefined ? undefined : path.join(foldersIn(this.options.root), folder);
  }

  /** The name of the directory of the session's files. Waits for the move of earlier versions' sessions if necessary. */
  private async folderOf(key: string): Promise<string | undefined> {
    const known = await this.index.folderOf(key);
    if (known !== undefined || this.begun.has(key)) {
      return known;
    }
    await this.move();
    return (await this.index.folderOf(key)) ?? (await this.addUnlisted(), await this.index.folderOf(key));
  }

  private async make(key: string): Promise<string | undefined> {
    const header = this.begun.get(key);
    if (!header) {
      return this.pathOf(await this.folderOf(key));
    }
    let making = this.made.get(key);
    if (!making) {
      making = this.begin(header);
      this.made.set(key, making);
      making.catch(() => this.made.delete(key));
    }
    return making;
  }

  /** Creates the session's directory. The index entry comes before any file, because other windows would not find files without it. */
  private async begin({ key, cwd, createdAt }: JournalHeader): Promise<string> {
    const folder = (await this.index.folderOf(key)) ?? folderNameOf(cwd);
    const directory = this.pathOf(folder)!;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await this.index.add(key, folder, { at: createdAt });
    await this.owners.acquire(key, directory);
    return directory;
  }

  private async described(summary: KeptSummary): Promise<void> {
    const { key, sessionId, createdAt, changedAt = createdAt, ...agent } = summary;
    await this.index.change(key, { at: changedAt, ...(sessionId !== undefined && { tag: tagOf(storedIdOf(agent), sessionId) }) });
    await this.noteUse(summary);
  }

  /** Notes whether the agent's session has a message, because the agent lists it also when its files are gone. */
  private async noteUse({
    sessionId,
    isUnused,
    ...agent
  }: Pick<KeptSummary, 'agentId' | 'agentName' | 'sessionId' | 'isUnused'>): Promise<void> {
    if (sessionId !== undefined) {
      await (isUnused ? this.unprompted.add(agent, sessionId) : this.unprompted.remove(agent, sessionId));
    }
  }

  /** Returns {@link summaryOf}, and undefined for an unused session: no list shows it. */
  private async listedOf(entry: IndexEntry): Promise<JournalSummary | undefined> {
    const summary = await this.summaryOf(entry);
    return summary?.isUnused ? undefined : summary;
  }

  private async summaryOf(entry: IndexEntry): Promise<JournalSummary | undefined> {
    this.sweep(entry.folder);
    const summary = await this.files.summary(entry.key).catch(() => undefined);
    if (!summary) {
      void this.removeGhost(entry);
    } else if (summary.isUnused && Date.now() - entry.at > UNUSED_MS) {
      this.unused.add(entry.key);
      this.tidying ??= setTimeout(() => void this.removeUnused(), this.options.tidyMs ?? TIDY_MS).unref();
    }
    return summary;
  }

  /** Deletes the unused sessions that a list has found, unless a window has opened one of them since. */
  private async removeUnused(): Promise<void> {
    this.tidying = undefined;
    const keys = [...this.unused];
    this.unused.clear();
    for (const key of keys) {
      // A window that shows the session as an empty chat would release it on request.
      const isOpen = this.begun.has(key) || this.ending.signal.aborted || (await this.isLiveElsewhere(key).catch(() => true));
      if (!isOpen && (await this.acquire(key, false).catch(() => false)) && !this.begun.has(key)) {
        const summary = await this.files.summary(key).catch(() => undefined);
        const isRemoved = summary?.isUnused && !this.begun.has(key);
        const done = isRemoved ? this.noteUse(summary).then(() => this.remove(key)) : this.release(key);
        await done.catch((error: unknown) => this.options.log.warn(`The unused session ${key} cannot be deleted: ${String(error)}`));
      }
    }
  }

  private sweep(folder: string): void {
    if (!this.swept.has(folder)) {
      this.swept.add(folder);
      setTimeout(() => void this.files.sweep(this.pathOf(folder)!), TIDY_MS).unref();
    }
  }

  private async removeGhost(entry: IndexEntry): Promise<void> {
    const journal = await stat(path.join(this.pathOf(entry.folder)!, `${entry.key}.jsonl`)).catch((error: NodeJS.ErrnoException) => error);
    const file = path.join(this.index.directory, nameOf(entry));
    const info = 'code' in journal && journal.code === 'ENOENT' ? await stat(file).catch(() => undefined) : undefined;
    if (info && Date.now() - info.mtimeMs > GHOST_MS) {
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** Waits for the sessions of earlier versions, at most `MOVE_WAIT_MS`. */
  private async moved(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, MOVE_WAIT_MS)));
    await Promise.race([this.move(), timeout]);
    clearTimeout(timer);
  }

  private move(): Promise<void> {
    return (this.moving ??= this.moveAll().catch((error: unknown) =>
      this.options.log.warn(`Sessions of an earlier version could not be taken along: ${String(error)}`),
    ));
  }

  private async moveAll(): Promise<void> {
    const { storage, globalStorage } = this.options.earlier;
    for (const from of await legacyFolders(storage, globalStorage)) {
      const count = await moveSessions(from, async ({ key, cwd, sessionId, changedAt, ...agent }) => {
        const folder = folderNameOf(cwd);
        await this.index.add(key, folder, { at: changedAt, ...(sessionId !== undefined && { tag: tagOf(storedIdOf(agent), sessionId) }) });
        return this.pathOf(folder)!;
      });
      if (count > 0) {
        this.options.log.info(`${count} sessions of an earlier version were moved from ${from}.`);
      }
    }
    if (await this.index.isEmpty()) {
      await this.addUnlisted();
    } else {
      setTimeout(() => void this.addUnlisted(), TIDY_MS).unref();
    }
  }

  /** Adds journals without an index entry: files that the user has copied, or all of them after the index was deleted. */
  private addUnlisted(): Promise<void> {
    return (this.adding ??= this.addAll().catch((error: unknown) =>
      this.options.log.warn(`Sessions could not be looked for: ${String(error)}`),
    ));
  }

  private async addAll(): Promise<void> {
    const folders = await readdir(foldersIn(this.options.root)).catch(() => []);
    const listed = folders.length > 0 ? new Set((await this.index.all()).map(({ key }) => key)) : new Set();
    for (const folder of folders.filter((name) => isKey(name))) {
      for (const name of await readdir(this.pathOf(folder)!).catch(() => [])) {
        const key = path.basename(name, '.jsonl');
        if (name.endsWith('.jsonl') && isKey(key) && !listed.has(key)) {
          const info = await stat(path.join(this.pathOf(folder)!, name)).catch(() => undefined);
          const { archived = false, pinned = false } = await new JournalFiles(this.pathOf(folder)!).readMarks(key).catch(() => NO_MARKS);
          await (info && this.index.add(key, folder, { at: info.mtimeMs, archived, pinned }));
        }
      }
    }
  }
}

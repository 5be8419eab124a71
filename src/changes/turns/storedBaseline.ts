/**
 * Stores the state before a running turn, so that a later window records the turn on when the agent outlives this one. One file has the facts of the
 * snapshots, and a line for each file that was named since. The index of each repository is a file of its own.
 */
import path from 'node:path';
import type { RunGit } from '../disk/git';
import { GitIndex, type IndexSource } from '../disk/gitIndex';
import type { FileStat } from '../disk/fileStat';
import { linesIn } from '../store/objectIndex';
import type { StoreFolder } from '../store/storeFolder';
import { type Fields, isCount, isObject, isStoredPath, storedState, stringsIn } from '../store/storedStates';
import { TimeSlices } from '../store/timeSlices';
import type { CopiedFile, FileStates } from './fileStates';
import type { FilesSnapshot, Since, SnapshotFacts } from './filesSnapshot';
import { FolderSnapshot } from './folderSnapshot';
import { RepositorySnapshot } from './repositorySnapshot';
import type { Announced } from './turn';

const NAME = 'running.jsonl';
const INDEX = /^running-\d+\.index$/;
/** Elements of a list in one line, because formatting many at once would block the event loop. */
const AT_ONCE = 500;

/** What is known of the time before a turn. */
export interface Baseline {
  /** The time when the snapshots were complete, in ms since the epoch. */
  readonly copiedAt: number;
  readonly snapshots: readonly FilesSnapshot[];
  /** The files that the agent had named, by real path. */
  readonly announced: ReadonlyMap<string, Announced>;
}

export interface BaselineTurn {
  readonly turnId: string;
  /** ms since the epoch. */
  readonly since: number;
  readonly roots: readonly string[];
}

type Lists = Readonly<Record<string, readonly unknown[]>>;

/** The stored baseline of a session's running turn. Writes happen in order, and their failures leave no baseline or an older one. */
export class StoredBaseline {
  private order: Promise<unknown> = Promise.resolve();
  /** The turn whose baseline is stored completely. */
  private turnId: string | undefined;

  constructor(private readonly folder: StoreFolder) {}

  /** Resolves when the baseline is stored, or could not be. */
  write(turn: BaselineTurn, copiedAt: number, snapshots: readonly FilesSnapshot[]): Promise<void> {
    return this.inOrder(async () => {
      const lines: Buffer[] = [];
      const add = (line: unknown): void => void lines.push(Buffer.from(`\n${JSON.stringify(line)}`));
      add({ ...turn, copiedAt });
      for (const [index, snapshot] of snapshots.entries()) {
        const { head, lists, source } = partsOf(snapshot.facts());
        if (source) {
          await this.folder.replace(indexName(index), source.bytes, { flush: false });
        }
        add({ snapshot: head });
        for (const [list, values] of Object.entries(lists)) {
          for (let from = 0; from < values.length; from += AT_ONCE) {
            add({ list, values: values.slice(from, from + AT_ONCE) });
            await new Promise<void>((resolve) => setImmediate(resolve));
          }
        }
      }
      // Without this line the file is torn.
      add({ isWhole: true });
      await this.folder.replace(NAME, Buffer.concat(lines), { flush: false });
      this.turnId = turn.turnId;
    });
  }

  /** Adds a file that the agent has named. Ignored while no baseline of the turn is stored. */
  announced(turnId: string, file: string, announced: Announced): Promise<void> {
    return this.inOrder(async () => {
      if (this.turnId === turnId) {
        const line = JSON.stringify({ announced: { ...announced, path: file } });
        await this.folder.append(NAME, Buffer.from(`\n${line}`), { flush: false });
      }
    });
  }

  /** Resolves to the baseline of a turn; to undefined where none is stored, or it is damaged, or belongs to other folders. */
  async read(turn: BaselineTurn, states: FileStates, git: RunGit | undefined, since: Since): Promise<Baseline | undefined> {
    let found: Baseline | undefined;
    await this.inOrder(async () => {
      const bytes = await this.folder.readAll(NAME);
      found = bytes && (await this.baselineIn(bytes, turn, states, git, since));
      this.turnId = found && turn.turnId;
    });
    return found;
  }

  /** Removes the baseline of a turn that has ended. */
  remove(turnId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.turnId === turnId) {
        this.turnId = undefined;
        await this.folder.remove(NAME);
        const names = await this.folder.names();
        await Promise.all(names.filter((name) => INDEX.test(name)).map((name) => this.folder.remove(name)));
      }
    });
  }

  private inOrder(run: () => Promise<void>): Promise<void> {
    const done = this.order.then(run).catch(() => undefined);
    this.order = done;
    return done;
  }

  private async baselineIn(
    bytes: Uint8Array,
    { turnId, since: from, roots }: BaselineTurn,
    states: FileStates,
    git: RunGit | undefined,
    since: Since,
  ): Promise<Baseline | undefined> {
    let head: Fields | undefined;
    let isWhole = false;
    const parts: { readonly head: Fields; readonly lists: Map<string, unknown[]> }[] = [];
    const announced = new Map<string, Announced>();
    for await (const text of linesIn(bytes, new TimeSlices())) {
      const line = lineIn(text);
      if (!line) {
        // The last line may be torn.
        continue;
      }
      const list = line['list'];
      if (line['turnId'] !== undefined) {
        head = line;
      } else if (isObject(line['snapshot'])) {
        parts.push({ head: line['snapshot'], lists: new Map() });
      } else if (typeof list === 'string' && Array.isArray(line['values'])) {
        const lists = parts.at(-1)?.lists;
        const known = lists?.get(list) ?? [];
        lists?.set(list, known);
        for (const value of line['values'] as unknown[]) {
          known.push(value);
        }
      } else if (isObject(line['announced']) && isStoredPath(line['announced']['path'])) {
        announced.set(line['announced']['path'] as string, announcedIn(line['announced']));
      } else {
        isWhole ||= line['isWhole'] === true;
      }
    }
    const isOwn = head?.['turnId'] === turnId && head['since'] === from && JSON.stringify(head['roots']) === JSON.stringify(roots);
    const copiedAt = head?.['copiedAt'];
    if (!isOwn || !isWhole || typeof copiedAt !== 'number') {
      return undefined;
    }
    const snapshots: FilesSnapshot[] = [];
    for (const [index, part] of parts.entries()) {
      const snapshot = await this.snapshotIn(part.head, part.lists, index, states, git, since);
      if (!snapshot) {
        return undefined;
      }
      snapshots.push(snapshot);
    }
    return { copiedAt, snapshots, announced };
  }

  private async snapshotIn(
    head: Fields,
    lists: ReadonlyMap<string, readonly unknown[]>,
    index: number,
    states: FileStates,
    git: RunGit | undefined,
    since: Since,
  ): Promise<FilesSnapshot | undefined> {
    const { type, root, listedAt } = head;
    if (!isStoredPath(root) || typeof listedAt !== 'number') {
      return undefined;
    }
    const list = (name: string): readonly unknown[] => lists.get(name) ?? [];
    if (type === 'folder') {
      const seen = new Map(list('seen').flatMap((each) => copyIn(each, isStoredPath)));
      const { isWhole, isTrouble } = head;
      const listing = {
        files: [...seen.keys()],
        isWhole: isWhole === true && seen.size === head['count'],
        failed: stringsIn(head['failed']),
        isTrouble: isTrouble === true,
      };
      return new FolderSnapshot(states, { type, root: root as string, seen, listing, listedAt });
    }
    const { top, gitDir, commonDir } = head;
    if (type !== 'repository' || !git || !isStoredPath(top)) {
      return undefined;
    }
    const source = await this.sourceOf(head, index);
    const reflogHead = head['reflogHead'];
    const start = {
      status: {
        head: typeof head['head'] === 'string' ? head['head'] : undefined,
        entries: list('entries').flatMap(entryIn),
        nested: stringsIn(head['nestedNames']),
        ignored: head['hasIgnored'] === true ? stringsIn(list('ignoredNames')) : undefined,
      },
      listedAt,
      index: source && (await GitIndex.from(source)),
      filtered: head['hasFiltered'] === true ? new Set(stringsIn(list('filtered'))) : undefined,
      reflogs: { head: isCount(reflogHead) ? reflogHead : undefined, stash: String(head['stash']) },
      copies: new Map(list('copies').flatMap((each) => copyIn(each, isName))),
      ignored: new Map(list('ignored').flatMap(ignoredIn)),
      inodes: head['hasInodes'] === true ? new Map(list('inodes').flatMap(inodeIn)) : undefined,
    };
    const repository = {
      top: top as string,
      gitDir: isStoredPath(gitDir) ? (gitDir as string) : undefined,
      commonDir: isStoredPath(commonDir) ? (commonDir as string) : undefined,
    };
    // A list with less than what was written belongs to a damaged file.
    const isComplete = head['count'] === start.copies.size && head['entryCount'] === start.status.entries.length;
    const place = { run: git, states, root: root as string, repository };
    return isComplete ? new RepositorySnapshot(place, start, since, stringsIn(head['nested'])) : undefined;
  }

  private async sourceOf(head: Fields, index: number): Promise<IndexSource | undefined> {
    const { indexKind: kind, below, indexLength } = head;
    const bytes = kind === 'file' || kind === 'listing' ? await this.folder.readAll(indexName(index)) : undefined;
    const isValid = bytes && bytes.length === indexLength && typeof below === 'string';
    return isValid ? { kind: kind as IndexSource['kind'], bytes: Buffer.from(bytes), below } : undefined;
  }
}

const indexName = (index: number): string => `running-${index}.index`;

function partsOf(facts: SnapshotFacts): { readonly head: Fields; readonly lists: Lists; readonly source?: IndexSource | undefined } {
  if (facts.type === 'folder') {
    const { type, root, seen, listing, listedAt } = facts;
    const { isWhole, failed, isTrouble } = listing;
    return { head: { type, root, listedAt, isWhole, failed, isTrouble, count: seen.size }, lists: { seen: copiesIn(seen) } };
  }
  const { type, root, repository, start, nested } = facts;
  const { status, listedAt, index, filtered, reflogs, copies, ignored, inodes } = start;
  const source = index?.source;
  return {
    head: {
      type,
      root,
      ...repository,
      listedAt,
      head: status.head,
      nestedNames: status.nested,
      hasIgnored: status.ignored !== undefined,
      hasFiltered: filtered !== undefined,
      hasInodes: inodes !== undefined,
      reflogHead: reflogs.head,
      stash: reflogs.stash,
      nested,
      count: copies.size,
      entryCount: status.entries.length,
      ...(source && { indexKind: source.kind, indexLength: source.bytes.length, below: source.below }),
    },
    lists: {
      entries: status.entries,
      ignoredNames: status.ignored ?? [],
      filtered: [...(filtered ?? [])],
      copies: copiesIn(copies),
      ignored: [...ignored],
      inodes: [...(inodes ?? [])],
    },
    source,
  };
}

function copiesIn(copies: ReadonlyMap<string, CopiedFile>): readonly unknown[] {
  return [...copies].map(([name, { state, stat }]) => [name, state, stat]);
}

function lineIn(text: string): Fields | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isObject(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

function announcedIn({ at, state, present, stat }: Fields): Announced {
  return { at: Number(at), state: storedState(state), present: storedState(present), stat: statIn(stat) };
}

/** True for a path from the top of a repository. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !path.isAbsolute(value) && !value.includes('\0') && !value.split('/').includes('..');
}

function copyIn(value: unknown, isValid: (name: unknown) => boolean): [string, CopiedFile][] {
  const [name, state, stat] = Array.isArray(value) ? (value as unknown[]) : [];
  return isValid(name) ? [[name as string, { state: storedState(state), stat: statIn(stat) }]] : [];
}

function ignoredIn(value: unknown): [string, FileStat][] {
  const [name, stat] = Array.isArray(value) ? (value as unknown[]) : [];
  const known = statIn(stat);
  return isStoredPath(name) && known ? [[name as string, known]] : [];
}

function inodeIn(value: unknown): [string, number][] {
  const [name, inode] = Array.isArray(value) ? (value as unknown[]) : [];
  return isName(name) && typeof inode === 'number' ? [[name as string, inode]] : [];
}

function entryIn(value: unknown): { path: string; oldPath?: string; headOid: string | undefined; headMode: number; untracked: boolean }[] {
  if (!isObject(value) || !isName(value['path'])) {
    return [];
  }
  const { path: name, oldPath, headOid, headMode, untracked } = value;
  const isMoved = isName(oldPath);
  return [
    {
      path: name as string,
      ...(isMoved && { oldPath: oldPath as string }),
      headOid: typeof headOid === 'string' ? headOid : undefined,
      headMode: Number(headMode),
      untracked: untracked === true,
    },
  ];
}

const NUMBERS = ['size', 'mode', 'mtimeMs', 'ctimeMs', 'birthtimeMs', 'ino', 'dev', 'nlink', 'uid', 'gid'] as const;
const KINDS: readonly unknown[] = ['file', 'link', 'folder', 'other'] satisfies readonly FileStat['kind'][];

/** Returns undefined for a stat that is not valid: the file then counts as changed. */
function statIn(value: unknown): FileStat | undefined {
  if (!isObject(value) || !KINDS.includes(value['kind']) || !NUMBERS.every((name) => typeof value[name] === 'number')) {
    return undefined;
  }
  return { kind: value['kind'], ...Object.fromEntries(NUMBERS.map((name) => [name, value[name]])) } as unknown as FileStat;
}

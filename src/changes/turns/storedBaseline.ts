/**
 * Stores the state before a running turn, so that a later window records the turn on when the agent outlives this one. One file has the facts of the
 * snapshots with their checksum, and a line for each file that was named since. The index of each repository is a file of its own.
 */
import type { RunGit } from '../disk/git';
import { GitIndex, type IndexSource } from '../disk/gitIndex';
import { linesIn } from '../store/objectIndex';
import { hashOf } from '../store/objectStore';
import type { StoreFolder } from '../store/storeFolder';
import { TimeSlices } from '../store/timeSlices';
import type { HostWrite } from './agentReports';
import type { FileStates } from './fileStates';
import type { FilesSnapshot, Since } from './filesSnapshot';
import { type FolderFacts, FolderSnapshot } from './folderSnapshot';
import { type RepositoryFacts, RepositorySnapshot } from './repositorySnapshot';
import type { Announced } from './turn';
import type { UserFact } from './turnAuthors';

const NAME = 'running.jsonl';
const INDEX = 'running-index-';
/** Elements of a list in one line, because formatting many at once would block the event loop. */
const AT_ONCE = 500;
const LINE_FEED = 10;

/** The known states before a turn. */
export interface Baseline {
  /** The time when the snapshots were complete, in ms since the epoch. */
  readonly copiedAt: number;
  readonly snapshots: readonly FilesSnapshot[];
  /** The files that the agent had named, by real path. */
  readonly announced: ReadonlyMap<string, Announced>;
  /** The writes of the host for the agent, by real path, in order. */
  readonly writes: readonly (readonly [string, HostWrite])[];
  readonly userFacts: readonly UserFact[];
}

/** A line that was added to a stored baseline. */
type AddedLine = readonly [string, Announced] | { readonly wrote: readonly [string, HostWrite] } | { readonly user: UserFact };

export interface BaselineTurn {
  readonly turnId: string;
  /** ms since the epoch. */
  readonly since: number;
  /** The session's folders, real. */
  readonly roots: readonly string[];
}

/** In place of a value that has lines of its own. */
interface Reference {
  readonly $: 'map' | 'set' | 'array' | IndexSource['kind'];
  /** The place of the list, or of the index. */
  readonly at: number;
  readonly below?: string;
}

/** The stored baseline of a session's running turn. Nothing rejects: a later window finds no baseline where it could not be written. */
export class StoredBaseline {
  private order: Promise<unknown> = Promise.resolve();
  /** The turn whose baseline is stored. */
  private turnId: string | undefined;

  constructor(private readonly folder: StoreFolder) {}

  /** Resolves when the baseline is stored, or could not be. */
  write({ turnId, since, roots }: BaselineTurn, copiedAt: number, snapshots: readonly FilesSnapshot[]): Promise<void> {
    return this.inOrder(async () => {
      const lists: (readonly unknown[])[] = [];
      const indexes: IndexSource[] = [];
      const listed = ($: Reference['$'], values: readonly unknown[]): Reference => ({ $, at: lists.push(values) - 1 });
      const facts = JSON.stringify(
        { turnId, since, roots, copiedAt, snapshots: snapshots.map((each) => each.facts()) },
        (_, value: unknown) =>
          value instanceof GitIndex
            ? { $: value.source.kind, below: value.source.below, at: indexes.push(value.source) - 1 }
            : value instanceof Map
              ? listed('map', [...value])
              : value instanceof Set
                ? listed('set', [...value])
                : Array.isArray(value) && value.length > AT_ONCE
                  ? listed('array', value)
                  : value,
      );
      const lines: string[] = [];
      for (const [at, values] of lists.entries()) {
        for (let from = 0; from < values.length; from += AT_ONCE) {
          lines.push(JSON.stringify({ at, values: values.slice(from, from + AT_ONCE) }));
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      }
      for (const [at, { bytes }] of indexes.entries()) {
        await this.folder.replace(INDEX + at, bytes, { flush: false });
      }
      const text = Buffer.from([...lines, facts].join('\n'));
      const sum = `${hashOf(Buffer.concat([text, ...indexes.map(({ bytes }) => bytes)]))} ${text.length} ${indexes.length}\n`;
      await this.folder.replace(NAME, Buffer.concat([Buffer.from(sum), text]), { flush: false });
      this.turnId = turnId;
    });
  }

  /** Adds a file that the agent has named. Ignored while no baseline of the turn is stored. */
  announced(turnId: string, file: string, announced: Announced): Promise<void> {
    return this.add(turnId, [file, announced]);
  }

  /** Adds a write that the host is about to make for the agent, as {@link announced} does. */
  wrote(turnId: string, file: string, write: HostWrite): Promise<void> {
    return this.add(turnId, { wrote: [file, write] });
  }

  /** Adds what the user did, as {@link announced} does. */
  userDid(turnId: string, fact: UserFact): Promise<void> {
    return this.add(turnId, { user: fact });
  }

  private add(turnId: string, line: AddedLine): Promise<void> {
    return this.inOrder(async () => {
      if (this.turnId === turnId) {
        await this.folder.append(NAME, Buffer.from(`\n${JSON.stringify(line)}`), { flush: false });
      }
    });
  }

  /** Resolves to the baseline of a turn; to undefined where none is stored, or it is damaged, or belongs to other folders. */
  async read(turn: BaselineTurn, states: FileStates, git: RunGit | undefined, since: Since): Promise<Baseline | undefined> {
    let found: Baseline | undefined;
    await this.inOrder(async () => {
      this.turnId = undefined;
      found = await this.found(turn, states, git, since);
      this.turnId = found && turn.turnId;
    });
    return found;
  }

  /** Removes the baseline of a turn that has ended. */
  remove(turnId: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.turnId === turnId) {
        this.turnId = undefined;
        const names = (await this.folder.names()).filter((name) => name === NAME || name.startsWith(INDEX));
        await Promise.all(names.map((name) => this.folder.remove(name)));
      }
    });
  }

  private inOrder(run: () => Promise<void>): Promise<void> {
    const done = this.order.then(run).catch(() => undefined);
    this.order = done;
    return done;
  }

  private async found(turn: BaselineTurn, states: FileStates, git: RunGit | undefined, since: Since): Promise<Baseline | undefined> {
    const bytes = Buffer.from((await this.folder.readAll(NAME)) ?? []);
    const begin = bytes.indexOf(LINE_FEED) + 1;
    const [sum, length, count] = bytes.toString('latin1', 0, begin).trim().split(' ');
    const text = bytes.subarray(begin, begin + Number(length));
    const indexes: Buffer[] = [];
    while (indexes.length < Number(count)) {
      indexes.push(Buffer.from((await this.folder.readAll(INDEX + indexes.length)) ?? []));
    }
    const lists: unknown[][] = [];
    let facts = '';
    for await (const line of linesIn(text, new TimeSlices())) {
      facts = line;
      const { at, values } = JSON.parse(line) as { at?: number; values: unknown[] };
      void (at !== undefined && (lists[at] ??= []).push(...values));
    }
    if (sum === undefined || hashOf(Buffer.concat([text, ...indexes])) !== sum) {
      return undefined;
    }
    const known = JSON.parse(facts, (_, value: unknown) => valueOf(value, lists)) as BaselineTurn & {
      readonly copiedAt: number;
      readonly snapshots: readonly (FolderFacts | RepositoryFacts)[];
    };
    const isSame = known.turnId === turn.turnId && known.since === turn.since && known.roots.join('\0') === turn.roots.join('\0');
    if (!isSame) {
      return undefined;
    }
    const snapshots: FilesSnapshot[] = [];
    for (const each of known.snapshots) {
      if (each.type === 'folder') {
        snapshots.push(new FolderSnapshot(states, each));
      } else if (git) {
        const { root, repository, start, nested } = each;
        const source = start.index as unknown as (Reference & { readonly below: string }) | undefined;
        const index =
          source && (await GitIndex.from({ kind: source.$ as IndexSource['kind'], below: source.below, bytes: indexes[source.at]! }));
        snapshots.push(new RepositorySnapshot({ run: git, states, root, repository }, { ...start, index }, since, nested));
      }
    }
    const announced = new Map<string, Announced>();
    const writes: (readonly [string, HostWrite])[] = [];
    const userFacts: UserFact[] = [];
    for (const line of addedIn(bytes.subarray(begin + text.length).toString())) {
      if ('wrote' in line) {
        writes.push(line.wrote);
      } else if ('user' in line) {
        userFacts.push(line.user);
      } else {
        announced.set(...line);
      }
    }
    return { copiedAt: known.copiedAt, snapshots, announced, writes, userFacts };
  }
}

function valueOf(value: unknown, lists: readonly (readonly unknown[])[]): unknown {
  const { $, at } = (value ?? {}) as Partial<Reference>;
  const list = (at !== undefined && lists[at]) || [];
  return $ === 'map' ? new Map(list as [unknown, unknown][]) : $ === 'set' ? new Set(list) : $ === 'array' ? list : value;
}

/** The last line may be torn. */
function addedIn(text: string): AddedLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as AddedLine];
    } catch {
      return [];
    }
  });
}

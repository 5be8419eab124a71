/**
 * One session in the index, encoded in the name of an empty file: the time of its last use, the directory of its files, and the fields for filters.
 * One `readdir` returns all entries. A rename changes an entry atomically, so that none can be incomplete.
 */
import { createHash } from 'node:crypto';

export interface IndexEntry {
  readonly key: string;
  /** See `folderNameOf`. */
  readonly folder: string;
  /** Time of the last change in the session, ms since the epoch. */
  readonly at: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Differs from one change to the next, so that watchers are notified of changes that no other field shows. */
  readonly revision: number;
  /** The hash of the agent and its session id, see {@link tagOf}; empty when the agent gave no id. */
  readonly tag: string;
}

const AT = 9;
const REVISIONS = 36;
const NAME = /^[0-9a-z]{9}\.[a-z0-9-]{1,64}\.a?p?[0-9a-z]\.[0-9a-f]{0,8}\.[a-z0-9-]{1,64}$/;

export function nameOf({ key, folder, at, archived, pinned, revision, tag }: IndexEntry): string {
  const time = Math.max(0, Math.floor(at)).toString(36).padStart(AT, '0').slice(-AT);
  return `${time}.${folder}.${archived ? 'a' : ''}${pinned ? 'p' : ''}${(revision % REVISIONS).toString(36)}.${tag}.${key}`;
}

/** Undefined for a file that does not belong to the index. */
export function entryOf(name: string): IndexEntry | undefined {
  if (!NAME.test(name)) {
    return undefined;
  }
  const [at, folder, flags, tag, key] = name.split('.') as [string, string, string, string, string];
  // The last character is the revision, which may also be a letter.
  const marks = flags.slice(0, -1);
  return {
    key,
    folder,
    at: parseInt(at, 36),
    archived: marks.includes('a'),
    pinned: marks.includes('p'),
    revision: parseInt(flags.slice(-1), 36),
    tag,
  };
}

/** The folder in a name, without parsing the rest of it. */
export function folderIn(name: string): string {
  return name.slice(AT + 1, name.indexOf('.', AT + 1));
}

/** The archived flag in a name, without parsing the rest of it. */
export function isArchived(name: string): boolean {
  const flags = name.indexOf('.', AT + 1) + 1;
  return name[flags] === 'a' && name[flags + 1] !== '.';
}

/** A short hash that finds sessions by the agent's id without reading each. Two sessions may have the same hash. */
export function tagOf(agentId: string, sessionId: string): string {
  return createHash('sha256').update(`${agentId}\0${sessionId}`).digest('hex').slice(0, 8);
}

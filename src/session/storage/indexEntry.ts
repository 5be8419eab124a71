/**
 * One session in the index, told by the name of an empty file: when it was used last, in which directory its files are, and what a list is filtered by.
 * One `readdir` gives all of it, a rename changes it as one step, and nothing can be half written.
 */
import { createHash } from 'node:crypto';

export interface IndexEntry {
  readonly key: string;
  /** See `folderNameOf`. */
  readonly folder: string;
  /** When something happened in it last, ms since the epoch. */
  readonly at: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Differs from one change to the next, so that whoever watches the index hears of what its other fields do not tell. */
  readonly revision: number;
  /** Of agent and agent's session id, see {@link tagOf}; empty when the agent gave none. */
  readonly tag: string;
}

const AT = 9;
const REVISIONS = 36;
const NAME = /^[0-9a-z]{9}\.[a-z0-9-]{1,64}\.a?p?[0-9a-z]\.[0-9a-f]{0,8}\.[a-z0-9-]{1,64}$/;

export function nameOf({ key, folder, at, archived, pinned, revision, tag }: IndexEntry): string {
  const time = Math.max(0, Math.floor(at)).toString(36).padStart(AT, '0').slice(-AT);
  return `${time}.${folder}.${archived ? 'a' : ''}${pinned ? 'p' : ''}${(revision % REVISIONS).toString(36)}.${tag}.${key}`;
}

/** Undefined for a file that is none of the index. */
export function entryOf(name: string): IndexEntry | undefined {
  if (!NAME.test(name)) {
    return undefined;
  }
  const [at, folder, flags, tag, key] = name.split('.') as [string, string, string, string, string];
  // The last of the flags is the revision, which may be a letter, too.
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

/** As {@link entryOf} says, without reading the rest of the name. */
export function folderIn(name: string): string {
  return name.slice(AT + 1, name.indexOf('.', AT + 1));
}

/** The same. */
export function isArchived(name: string): boolean {
  const flags = name.indexOf('.', AT + 1) + 1;
  return name[flags] === 'a' && name[flags + 1] !== '.';
}

/** Finds sessions by what their agent calls them, without reading each; two may have the same one. */
export function tagOf(agentName: string, sessionId: string): string {
  return createHash('sha256').update(`${agentName}\0${sessionId}`).digest('hex').slice(0, 8);
}

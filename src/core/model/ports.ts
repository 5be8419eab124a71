/** Types that two services share. Services never import each other; they use these types and meet in `session/`. */
import type { AgentIdentity } from '../agents/agentIds';
import type { Endpoint, ProcessEndpoint } from '../agents/endpoint';

/** A resource that can be freed. A second call does nothing. */
export interface Disposable {
  dispose(): void;
}

export interface Clock {
  /** Returns the time in ms since the epoch. */
  now(): number;
  /** Runs `callback` once after `ms`; disposing cancels it. */
  after(ms: number, callback: () => void): Disposable;
}

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** An operation on a file. Deleting and moving are writes of each path that they name. */
export type FileAccess = 'read' | 'write';

/** The identity of the folder at a path, at the time of the lookup. */
export interface FolderPin {
  /** The real path of the folder. */
  readonly real: string;
  /** Device and inode; `birth` in ns since the epoch, where it distinguishes two folders with the same inode. */
  readonly inode: { readonly dev: bigint; readonly ino: bigint; readonly birth?: bigint };
  /** True when the file system keeps inodes, so that the same folder has the same inode later. */
  readonly lasting: boolean;
}

/** The identities of a session's folders when the user agreed to them. */
export interface FolderPins {
  /** Looks a folder up once. Undefined: the folder did not exist. Never rejects. */
  of(folder: string): Promise<FolderPin | undefined>;
  /** Reports that `folder` was replaced by another folder. */
  changed(folder: string): void;
}

/** The folders a session may touch. Absolute paths. */
export interface Roots {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** When absent, the folders are identified at the first use. */
  readonly pins?: FolderPins;
}

/** The roots of a session without folders, such as a replayed log. No path lies in them. */
export const NO_ROOTS: Roots = { cwd: '', additionalDirectories: [] };

/** False for {@link NO_ROOTS}. */
export function hasFolder({ cwd }: Roots): boolean {
  return cwd !== '';
}

/** An agent and how it is reached. */
export type AgentLaunch = LaunchedAgent & Endpoint;

/** The launch settings of an agent's process; a resolved `acpHost.agents` entry. */
export type ProcessLaunch = LaunchedAgent & ProcessEndpoint;

interface LaunchedAgent extends AgentIdentity {
  /** Request timeout in ms, see `acpHost.agents.*.timeoutMs`. The defaults when absent. */
  readonly timeoutMs?: number;
}

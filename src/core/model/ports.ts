/** Types that two services share. Services never import each other; they meet here and in `session/`. */

/** Frees what it stands for; calling it again does nothing. */
export interface Disposable {
  dispose(): void;
}

export interface Clock {
  /** ms since the epoch */
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

/** Which folder a path led to when it was looked at. */
export interface FolderPin {
  /** Its real path. */
  readonly real: string;
  /** Device and inode; `birth` in ns since the epoch, where it tells two folders of one inode apart. */
  readonly inode: { readonly dev: bigint; readonly ino: bigint; readonly birth?: bigint };
  /** The file system keeps inodes: the same folder has the same one tomorrow. */
  readonly lasting: boolean;
}

/** What the folders of a session were when the user agreed to them. */
export interface FolderPins {
  /** Looked up once. Undefined: there was no such folder. Never rejects. */
  of(folder: string): Promise<FolderPin | undefined>;
  /** It is another one now. */
  changed(folder: string): void;
}

/** The folders a session may touch. Absolute paths. */
export interface Roots {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Absent: what they are counts from when somebody first asks. */
  readonly pins?: FolderPins;
}

/** The folders of a session without any, such as a replayed log. No path lies in them. */
export const NO_ROOTS: Roots = { cwd: '', additionalDirectories: [] };

/** False for {@link NO_ROOTS}. */
export function hasFolder({ cwd }: Roots): boolean {
  return cwd !== '';
}

/** How an agent is started; the shape of an `acpHost.agents` entry, resolved. */
export interface AgentLaunch {
  readonly agentName: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Overlaid on the cleaned environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. The process's own working directory; the session's `cwd` when absent. */
  readonly cwd?: string;
  /** ms for a request; see `acpHost.agents.*.timeoutMs`. Absent: the defaults. */
  readonly timeoutMs?: number;
}

/** Runs a command on a pseudo terminal (node-pty) or, where that cannot be had, on pipes. */
import type { ExitStatus } from '../core/content';

export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: `args` are already quoted. */
  readonly verbatim: boolean;
  /** Absolute, and there. */
  readonly cwd: string;
  /** Complete. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A running command that leads its own process group; all that comes from it is killed when this process exits. */
export interface Pty {
  readonly pid: number;
  /** True when it runs on pipes. */
  readonly pipe: boolean;
  /** Raw bytes, cut anywhere. All that the command wrote before it ended comes before `onExit`; what its children write later may follow. */
  onData(listener: (chunk: Uint8Array) => void): void;
  /** Once. */
  onExit(listener: (status: ExitStatus) => void): void;
  /** As if typed. Absent on pipes. */
  write?(text: string): void;
  /** In characters. Absent on pipes. */
  resize?(columns: number, rows: number): void;
  /** Ends all that came from the command, what outlived it included, closes everything, and resolves when that is gone. */
  end(): Promise<void>;
}

/** Starts a command. Throws when it cannot; listeners are attached in the same turn. */
export type StartPty = (options: PtyOptions) => Pty;

/** Loads the native module, at first use. Rejects when it does not load: then pipes are used. */
export type LoadPty = () => Promise<StartPty>;

/** ms between asking a command to end and killing it. */
export const END_GRACE_MS = 1000;

/** node-pty. On Windows through its public API, elsewhere through its native part; see `unixPty.ts` for why. */
export const loadNodePty: LoadPty = async () => {
  const { createRequire } = await import('node:module');
  // The bundle leaves node-pty where it is; `require` finds it from there.
  const load = createRequire(__filename);
  if (process.platform === 'win32') {
    const { windowsPty } = await import('./windowsPty');
    return windowsPty(load('node-pty') as typeof import('node-pty'));
  }
  const { unixPty } = await import('./unixPty');
  return unixPty(load);
};

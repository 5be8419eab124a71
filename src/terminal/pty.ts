/** What runs a command: a pseudo terminal (`nodePty.ts`) or, where that cannot be had, pipes (`pipe.ts`). */
import type { ExitStatus } from '../core/model/content';

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
  /** True when the command is blocked in a read of its terminal. Undefined, or absent, when the system does not tell. */
  readsInput?(): Promise<boolean | undefined>;
  /** Ends all that came from the command, what outlived it included, closes everything, and resolves when that is gone. */
  end(): Promise<void>;
}

/** Starts a command. Throws when it cannot; listeners are attached in the same turn. */
export type StartPty = (options: PtyOptions) => Pty;

/** Loads the native module, at first use. Rejects when it does not load: then pipes are used. */
export type LoadPty = () => Promise<StartPty>;

/** ms between asking a command to end and killing it. */
export const END_GRACE_MS = 1000;

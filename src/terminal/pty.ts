/** The interface to a running command: a pseudo terminal (`nodePty.ts`) or, where that is not available, pipes (`pipe.ts`). */
import type { ExitStatus } from '../core/model/content';

export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: true when `args` are quoted already. */
  readonly verbatim: boolean;
  /** The absolute path of an existing folder. */
  readonly cwd: string;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A running command that leads its own process group. All of its processes are killed when this process exits. */
export interface Pty {
  readonly pid: number;
  /** True when the command runs on pipes. */
  readonly pipe: boolean;
  /** Emits raw bytes, split anywhere. All output of the command itself comes before `onExit`; output of its children may follow. */
  onData(listener: (chunk: Uint8Array) => void): void;
  /** Called once. */
  onExit(listener: (status: ExitStatus) => void): void;
  /** Types into the terminal. Undefined on pipes. */
  write?(text: string): void;
  /** Sets the size in characters. Undefined on pipes. */
  resize?(columns: number, rows: number): void;
  /** Resolves to true when the command is blocked in a read of its terminal, to undefined when the system does not report this. */
  readsInput?(): Promise<boolean | undefined>;
  /** Ends all processes of the command, even those that outlived it, and closes everything. Resolves when they have ended. */
  end(): Promise<void>;
}

/** Starts a command. Throws when that fails. Listeners must be attached synchronously. */
export type StartPty = (options: PtyOptions) => Pty;

/** Loads the native module on first use. Rejects when that fails; then pipes are used. */
export type LoadPty = () => Promise<StartPty>;

/** The time in ms between asking a command to end and killing it. */
export const END_GRACE_MS = 1000;

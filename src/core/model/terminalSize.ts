/** A terminal of a session's state, and its size. */
import type { EnvironmentVariable, ExitStatus } from './content';

/** The size in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The initial size of a command's terminal: wide enough that programs cut few lines, and as high as its card can be. */
export const TERMINAL_SIZE: TerminalSize = { columns: 120, rows: 24 };
/** The limit for columns and for rows, also in a journal of external origin. */
export const MAX_TERMINAL_SIZE = 1000;
const MIN: TerminalSize = { columns: 20, rows: 5 };
const MAX: TerminalSize = { columns: 500, rows: 200 };

/** Returns the terminal size for a window of this size. The minimum exists because programs fail in a tiny terminal. */
export function fittingSize({ columns, rows }: TerminalSize): TerminalSize {
  return { columns: between(columns, MIN.columns, MAX.columns), rows: between(rows, MIN.rows, MAX.rows) };
}

function between(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : least;
}

/** UTF-16 units of a terminal's newest output that the state stores. `dropped` counts older text. */
export const TERMINAL_TAIL = 128 * 1024;

export interface TerminalState {
  readonly terminalId: string;
  readonly ours: boolean;
  readonly command?: string;
  readonly cwd?: string;
  /** The variables that the agent sets for the command. */
  readonly environment?: readonly EnvironmentVariable[];
  /** Absolute path of the program, where the command alone does not identify it. */
  readonly program?: string;
  readonly shell?: boolean;
  readonly pipe?: boolean;
  /** `TERMINAL_SIZE` when absent. */
  readonly size?: TerminalSize;
  /** The newest output, escape sequences included. */
  readonly output: string;
  /** UTF-16 units before `output` that were dropped. */
  readonly dropped: number;
  /** True while the command waits for input, and false once it has ended. */
  readonly waiting?: boolean;
  readonly exitStatus?: ExitStatus;
  readonly released?: boolean;
  /** Set only in a view: `output` is not loaded and has to be requested. */
  readonly absent?: boolean;
}

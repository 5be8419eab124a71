/** A terminal of a session's state, and the schemas of the events about terminals. */
import { type EnvironmentVariable, environmentVariable, type ExitStatus, exitStatus } from './content';
import { array, boolean, type Fields, integer, nullable, number, object, optional, string } from '../schema/schema';
import { MAX_TERMINAL_SIZE, type TerminalSize } from './terminalSize';

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
  /** True for a terminal of the agent whose command the user can stop now (`terminal/cancel`). */
  readonly canCancel?: boolean;
  /** Set only in a view: `output` is not loaded and has to be requested. */
  readonly absent?: boolean;
}

/** The size limit, because a view reserves room for that many characters. */
const characters = integer({ min: 1, max: MAX_TERMINAL_SIZE });

/** @param base the fields of every event */
export function terminalEvents<const B extends Fields>(base: B) {
  return {
    /**
     * Creates or updates a terminal, ours (v1 `terminal/*`) or the agent's own. An omitted field keeps its value, null clears it. `output` replaces the
     * earlier output.
     */
    terminal_update: object({
      ...base,
      terminalId: string(),
      /** True when our own process runs it, so that Stop can be offered. */
      ours: optional(boolean()),
      /** The command for display: the arguments joined, or the shell line. */
      command: optional(nullable(string())),
      cwd: optional(nullable(string())),
      /** The variables that the agent sets for the command. */
      environment: optional(array(environmentVariable)),
      /** The same as in a permission's subject. */
      program: optional(string()),
      /** True when the command runs as a line of the user's shell. */
      shell: optional(boolean()),
      /** True when no pty is available, so that a pipe is used. */
      pipe: optional(boolean()),
      /** Absent while it is `TERMINAL_SIZE`. */
      size: optional(nullable(object({ columns: characters, rows: characters }))),
      /** The command starts or stops waiting for input. */
      waiting: optional(boolean()),
      output: optional(nullable(string())),
      exitStatus: optional(nullable(exitStatus)),
      /** The agent released the terminal. Its output stays readable here. */
      released: optional(boolean()),
      /** True when the user can stop the command of an agent's terminal. */
      canCancel: optional(nullable(boolean())),
    }),
    /** More output, decoded, escape sequences included. `skipped` counts earlier bytes that exceeded the limit of the card and were not sent. */
    terminal_output: object({ ...base, terminalId: string(), text: string(), skipped: optional(number()) }),
  };
}

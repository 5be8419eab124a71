/** A terminal of a session's state. */
import type { EnvironmentVariable, ExitStatus } from './content';
import type { TerminalSize } from './terminalSize';

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
  /** True when the command ended because the window that ran it has ended. */
  readonly lost?: boolean;
  readonly released?: boolean;
  /** The command runs on although its tool call or turn has ended. */
  readonly background?: boolean;
  /** True for a terminal of the agent whose command the user can stop now (`terminal/cancel`). */
  readonly canCancel?: boolean;
  /** Set only in a view: `output` is not loaded and has to be requested. */
  readonly absent?: boolean;
}

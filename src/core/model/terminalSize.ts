/** The size of a terminal. */

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

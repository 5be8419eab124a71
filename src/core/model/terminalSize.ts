/** How large a terminal is. */

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a command is given at first: wide enough that programs do not cut their lines much, and as high as its card can be. */
export const TERMINAL_SIZE: TerminalSize = { columns: 120, rows: 24 };
/** Of either, in a journal of somebody else too. */
export const MAX_TERMINAL_SIZE = 1000;
const MIN: TerminalSize = { columns: 20, rows: 5 };
const MAX: TerminalSize = { columns: 500, rows: 200 };

/** What a command is given when a window of this size shows it: programs go wrong in one that is next to nothing. */
export function fittingSize({ columns, rows }: TerminalSize): TerminalSize {
  return { columns: between(columns, MIN.columns, MAX.columns), rows: between(rows, MIN.rows, MAX.rows) };
}

function between(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : least;
}

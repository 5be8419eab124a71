/** Computes the part of a terminal's output that a display lacks. The state has only the newest output and drops the oldest of it. */
import type { TerminalState } from '../model/state';

/** The position up to which a display has shown an output. */
export interface OutputCursor {
  /** UTF-16 units since the first character of the terminal. */
  readonly end: number;
  readonly output: string;
}

export interface NewOutput {
  readonly text: string;
  /** True when `text` does not continue the shown output, which must be cleared first. */
  readonly isReset: boolean;
  readonly shown: OutputCursor;
}

/** Returns the new output for a display that has shown `before`; undefined when there is none. */
export function newOutput(
  before: OutputCursor | undefined,
  { output, dropped }: Pick<TerminalState, 'output' | 'dropped'>,
): NewOutput | undefined {
  const end = dropped + output.length;
  if (before?.output === output && before.end === end) {
    return undefined;
  }
  const known = before === undefined ? -1 : before.end - dropped;
  // Compared by its last characters, because an agent's own terminal can be given another output of any length.
  const goesOn = before !== undefined && known >= 0 && known <= output.length && endsAlike(before.output, output, known);
  return { text: goesOn ? output.slice(known) : output, isReset: !goesOn, shown: { end, output } };
}

const COMPARED = 256;

/** True when `before` ends like `output` does before `index`. */
function endsAlike(before: string, output: string, index: number): boolean {
  const length = Math.min(COMPARED, before.length, index);
  return output.slice(index - length, index) === before.slice(before.length - length);
}

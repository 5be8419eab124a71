/** What of a terminal's output is new to whoever shows it: the state keeps only the newest, and the oldest of that goes. */
import type { TerminalState } from '../model/state';

/** How far somebody has shown an output. */
export interface Shown {
  /** Counted from the first character that ever was, in UTF-16 units. */
  readonly end: number;
  readonly output: string;
}

export interface NewOutput {
  readonly text: string;
  /** True when `text` does not go on where the last one ended: what is shown is to be forgotten first. */
  readonly anew: boolean;
  readonly shown: Shown;
}

/** What is to be shown now by somebody who has shown `before`; undefined: nothing. */
export function newOutput(
  before: Shown | undefined,
  { output, dropped }: Pick<TerminalState, 'output' | 'dropped'>,
): NewOutput | undefined {
  const end = dropped + output.length;
  if (before?.output === output && before.end === end) {
    return undefined;
  }
  const known = before === undefined ? -1 : before.end - dropped;
  // Compared by its last characters: an agent's own terminal can be given another output of any length.
  const goesOn = before !== undefined && known >= 0 && known <= output.length && endsAlike(before.output, output, known);
  return { text: goesOn ? output.slice(known) : output, anew: !goesOn, shown: { end, output } };
}

const COMPARED = 256;

/** Whether `before` ends as `output` does before `index`. */
function endsAlike(before: string, output: string, index: number): boolean {
  const length = Math.min(COMPARED, before.length, index);
  return output.slice(index - length, index) === before.slice(before.length - length);
}

/** Reads only the end of a long output if possible, because a page of a conversation may contain many terminals that show only their last lines. */
import { controlSequence, someSequence } from '../../../src/text/ansi/sequences';

/** UTF-16 units; a shorter output is read whole. */
const SMALL = 16 * 1024;
/** Terminal modes that do not affect the text's position: the cursor's look, input of keys and mouse, synchronized drawing. */
const HARMLESS = new Set(['25', '1', '7', '12', '1004', '2004', '2026']);
/** The final characters of control sequences, escape sequences and C1 controls that move up or leave the screen. */
const MOVES = /^[ABEFHJLMSTdefrsu]$/;
const ESCAPE_MOVES = /^\x1b[78DEMc]$/;
const CONTROL_MOVES = /[\x84\x85\x8d]/;
const RESETS = /^0?$/;

/** Returns the last `count` lines, with the colours set before them. `cut` is true when lines are left out. */
export function recentOutput(output: string, count: number): { text: string; cut: boolean } {
  if (output.length <= SMALL || CONTROL_MOVES.test(output) || someSequence(output, (start, end) => moves(output, start, end))) {
    return { text: output, cut: false };
  }
  let at = output.length;
  for (let seen = 0; seen <= count; seen++) {
    at = output.lastIndexOf('\n', at - 1);
    if (at <= 0) {
      return { text: output, cut: false };
    }
  }
  let set: string[] = [];
  const before = output.slice(0, at + 1);
  const pen = before.slice(Math.max(0, before.lastIndexOf('\x1b[0m'), before.lastIndexOf('\x1b[m')));
  someSequence(pen, (start, end) => {
    const raw = pen.slice(start, end);
    const sequence = controlSequence(raw);
    if (sequence?.final === 'm' && sequence.prefix === '' && sequence.intermediates === '') {
      if (RESETS.test(sequence.parameters)) {
        set = [];
      }
      set.push(raw);
    }
    return false;
  });
  return { text: set.join('') + output.slice(at + 1), cut: true };
}

/** True when the sequence may change earlier lines. */
function moves(output: string, start: number, end: number): boolean {
  if (output.charCodeAt(end - 1) === 0x6d) {
    return false; // m: a colour, the most frequent sequence.
  }
  const raw = output.slice(start, end);
  const sequence = controlSequence(raw);
  if (!sequence) {
    return ESCAPE_MOVES.test(raw);
  }
  const { prefix, parameters, intermediates, final } = sequence;
  if (intermediates !== '') {
    return false;
  }
  return prefix === '' ? MOVES.test(final) : prefix === '?' && (final === 'h' || final === 'l') && !HARMLESS.has(parameters);
}

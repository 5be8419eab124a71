/** The end of an output that is long, where it can be had alone: a page of a conversation may hold many terminals, each read only to its last lines. */
import { controlSequence, someSequence } from '../../../src/text/ansi/sequences';

/** UTF-16 units that are read whole. */
const SMALL = 16 * 1024;
/** Modes of a terminal that leave the text where it is: the cursor's look, what keys and the mouse send, drawing at once. */
const HARMLESS = new Set(['25', '1', '7', '12', '1004', '2004', '2026']);
/** The last ones of control sequences, the escape sequences and the C1 controls that go up, or away from the screen. */
const MOVES = /^[ABEFHJLMSTdefrsu]$/;
const ESCAPE_MOVES = /^\x1b[78DEMc]$/;
const CONTROL_MOVES = /[\x84\x85\x8d]/;
const RESETS = /^0?$/;

/** The last `count` lines, with the colours that are set before them; `cut`: they are not all. */
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

/** True when what stands above may be changed by what comes later. */
function moves(output: string, start: number, end: number): boolean {
  if (output.charCodeAt(end - 1) === 0x6d) {
    return false; // m: a colour, as nearly all are.
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

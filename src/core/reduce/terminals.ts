/** Terminals, ours and the agents' own. Their events and those of the tool calls that show them come in any order. */
import type { TerminalOutput, TerminalUpdate } from '../model/event';
import { applyPatch } from '../model/patch';
import { type SessionState, TERMINAL_TAIL, type TerminalState } from '../model/state';

export function reduceTerminalUpdate(state: SessionState, event: TerminalUpdate): SessionState {
  const base = terminalOf(state, event.terminalId);
  let next: TerminalState = applyPatch<TerminalState>(base, {
    ours: event.ours,
    command: event.command,
    cwd: event.cwd,
    environment: event.environment,
    program: event.program,
    shell: event.shell,
    pipe: event.pipe,
    size: event.size,
    waiting: event.waiting,
    exitStatus: event.exitStatus,
    lost: event.lost,
    released: event.released,
    canCancel: event.canCancel,
  });
  if (event.output !== undefined) {
    const { absent: _absent, ...rest } = next;
    next = bounded({ ...rest, output: event.output ?? '', dropped: 0 });
  }
  return withTerminal(state, next);
}

export function reduceTerminalOutput(state: SessionState, event: TerminalOutput): SessionState {
  const base = terminalOf(state, event.terminalId);
  if (base.absent) {
    return state; // The requested output will include it.
  }
  const skipped = event.skipped ?? 0;
  // After a gap, the earlier output no longer belongs to the newest unbroken part.
  const next =
    skipped > 0
      ? { ...base, output: event.text, dropped: base.dropped + base.output.length + skipped }
      : { ...base, output: base.output + event.text };
  return withTerminal(state, bounded(next));
}

function terminalOf(state: SessionState, terminalId: string): TerminalState {
  // An agent chooses the ids of its own terminals, and `constructor` is possible.
  const known = Object.hasOwn(state.terminals, terminalId) ? state.terminals[terminalId] : undefined;
  return known ?? { terminalId, ours: false, output: '', dropped: 0 };
}

function withTerminal(state: SessionState, terminal: TerminalState): SessionState {
  return state.terminals[terminal.terminalId] === terminal
    ? state
    : { ...state, terminals: { ...state.terminals, [terminal.terminalId]: terminal } };
}

/** Cuts only when the output is twice the limit, so that each unit is copied a bounded number of times. Never cuts a surrogate pair. */
function bounded(terminal: TerminalState): TerminalState {
  if (terminal.output.length <= 2 * TERMINAL_TAIL) {
    return terminal;
  }
  const output = withoutFrames(terminal.output);
  const covered = terminal.output.length - output.length;
  if (output.length <= TERMINAL_TAIL) {
    return { ...terminal, output, dropped: terminal.dropped + covered };
  }
  let cut = output.length - TERMINAL_TAIL;
  if (isLowSurrogate(output.charCodeAt(cut))) {
    cut++;
  }
  return { ...terminal, output: output.slice(cut), dropped: terminal.dropped + covered + cut };
}

/** A frame of a progress line in plain characters, followed by a frame that erases the line or has only plain characters. */
const FRAME = /\r([\x20-\x7e]*)((?:\x1b\[2?K[\x20-\x7e]*)?)(?=\r(?:[\x20-\x7e]*\x1b\[2?K|([\x20-\x7e]*)[\r\n]))/g;

/** Drops the frames that the next one covers, so that hours of a progress line do not push out the lines before it. */
function withoutFrames(output: string): string {
  return output.replace(FRAME, (frame, text: string, erasing: string, next?: string) =>
    next === undefined || (erasing === '' && next.length >= text.length) ? '' : frame,
  );
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

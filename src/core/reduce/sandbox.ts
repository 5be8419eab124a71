/** The sandbox of a session, and what it refused. */
import type { SandboxRefused } from '../model/event';
import type { SessionState } from '../model/state';
import { refusalKey, type SandboxRefusal } from '../sandbox/sandbox';

/** Refusals that are stored for each tool call or terminal, and the number of these. */
const MAX_REFUSALS = 8;
const MAX_KEYS = 200;

export function reduceSandboxRefused(state: SessionState, { toolCallId, terminalId, refusals }: SandboxRefused): SessionState {
  const key =
    toolCallId === undefined ? (terminalId === undefined ? undefined : refusalKey.terminal(terminalId)) : refusalKey.toolCall(toolCallId);
  if (key === undefined) {
    return state;
  }
  const all = state.sandboxRefusals ?? {};
  const known = Object.hasOwn(all, key) ? all[key]! : [];
  const added = refusals.filter((refusal, index) => isNew(refusal, [...known, ...refusals.slice(0, index)]));
  if (added.length === 0) {
    return state;
  }
  const entries = Object.entries({ ...all, [key]: [...known, ...added].slice(0, MAX_REFUSALS) });
  return { ...state, sandboxRefusals: Object.fromEntries(entries.slice(-MAX_KEYS)) };
}

function isNew({ kind, target }: SandboxRefusal, known: readonly SandboxRefusal[]): boolean {
  return !known.some((each) => each.kind === kind && each.target === target);
}

/** The sandbox of a session, and what it refused. */
import type { SandboxRefused } from '../model/event';
import type { SessionState } from '../model/state';
import { refusalPlaceKey, type SandboxRefusal } from '../sandbox/sandbox';

/** Refusals that are stored for each tool call or terminal, and the number of these. */
const MAX_REFUSALS = 8;
const MAX_KEYS = 200;

export function reduceSandboxRefused(state: SessionState, event: SandboxRefused): SessionState {
  const key = refusalPlaceKey(event);
  if (key === undefined) {
    return state;
  }
  const all = state.sandboxRefusals ?? {};
  const known = Object.hasOwn(all, key) ? all[key]! : [];
  const added = event.refusals.filter((refusal, index, all) => isNew(refusal, [...known, ...all.slice(0, index)]));
  if (added.length === 0) {
    return state;
  }
  const entries = Object.entries({ ...all, [key]: [...known, ...added].slice(0, MAX_REFUSALS) });
  return { ...state, sandboxRefusals: Object.fromEntries(entries.slice(-MAX_KEYS)) };
}

function isNew({ kind, target }: SandboxRefusal, known: readonly SandboxRefusal[]): boolean {
  return !known.some((each) => each.kind === kind && each.target === target);
}

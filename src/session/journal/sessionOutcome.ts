/** What lists say of how a conversation stands: worked out when its summary is written, so that no list needs its journal. Pure. */
import { type Infer, literal, number, object } from '../../core/model/schema';
import { needsYou } from '../../core/model/select';
import { isAbsent, type SessionState, type TurnEntry } from '../../core/model/state';

/** How it stood: `done` when its last turn ended by itself, `resting` when there was none or the user stopped it. */
export const standingState = literal('working', 'needsYou', 'done', 'failed', 'resting');
export type StandingState = Infer<typeof standingState>;

/** Files and lines of all turns. */
export const changedLines = object({ files: number(), added: number(), removed: number() });
export type ChangedLines = Infer<typeof changedLines>;

export interface SessionOutcome {
  readonly state: StandingState;
  readonly changes?: ChangedLines;
  /** ms since the epoch */
  readonly turnEndedAt?: number;
}

export function outcomeOf(state: SessionState): SessionOutcome {
  const files = new Set<string>();
  let added = 0;
  let removed = 0;
  let last: TurnEntry | undefined;
  for (const slot of state.entries) {
    if (isAbsent(slot) || slot.kind !== 'turn') {
      continue;
    }
    last = slot;
    for (const file of slot.changes?.files ?? []) {
      files.add(file.path);
      added += file.added ?? 0;
      removed += file.removed ?? 0;
    }
  }
  return {
    state: stateOf(state, last),
    ...(files.size > 0 && { changes: { files: files.size, added, removed } }),
    ...(last && { turnEndedAt: last.at }),
  };
}

/** As {@link outcomeOf}'s, without looking at the conversation: what can change while a turn runs. */
export function runningState(state: SessionState): StandingState | undefined {
  return needsYou(state) ? 'needsYou' : state.turn ? 'working' : undefined;
}

function stateOf(state: SessionState, last: TurnEntry | undefined): StandingState {
  const running = runningState(state);
  if (running) {
    return running;
  }
  if (state.status === 'failed' || last?.failure) {
    return 'failed';
  }
  return last && last.stopReason !== 'cancelled' ? 'done' : 'resting';
}

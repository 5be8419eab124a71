/** The status of a conversation in lists. It is computed when the summary is written, so that no list needs the journal. Pure. */
import { type Infer, literal, number, object } from '../../core/schema/schema';
import { isBusy, isUnresponsive, needsYou } from '../../core/model/select';
import { isLimit } from '../../core/queue/limits';
import { isAbsent, type SessionState, type TurnEntry } from '../../core/model/state';

/**
 * The status of a session. `interrupted`: the window closed during its last turn. `done`: its last turn ended by itself. `resting`: there was none, or the
 * user stopped it. `limited`: its last turn met a limit of the account.
 */
export const storedStatus = literal('working', 'needsYou', 'done', 'failed', 'limited', 'interrupted', 'resting');
export type StoredStatus = Infer<typeof storedStatus>;

/** Files and lines of all turns. */
export const changedLines = object({ files: number(), added: number(), removed: number() });
export type ChangedLines = Infer<typeof changedLines>;

export interface SessionOutcome {
  readonly state: StoredStatus;
  readonly changes?: ChangedLines;
  /** ms since the epoch: the end of the last turn, or of work after it */
  readonly turnEndedAt?: number;
}

export function outcomeOf(state: SessionState): SessionOutcome {
  const files = new Set<string>();
  let added = 0;
  let removed = 0;
  let last: TurnEntry | undefined;
  const { workEndedAt } = state;
  for (const slot of state.entries.inMemory()) {
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
    ...((last ?? workEndedAt) !== undefined && { turnEndedAt: Math.max(last?.at ?? 0, workEndedAt ?? 0) }),
  };
}

/** The status from {@link outcomeOf} that can change while a turn runs. Does not read the entries. */
export function runningState(state: SessionState): StoredStatus | undefined {
  // An agent that ignores a cancel request needs the user to end it.
  return needsYou(state) || isUnresponsive(state) ? 'needsYou' : isBusy(state) ? 'working' : undefined;
}

function stateOf(state: SessionState, last: TurnEntry | undefined): StoredStatus {
  const running = runningState(state);
  if (running) {
    return running;
  }
  if (state.status !== 'failed' && last?.failure?.code === 'session.interrupted') {
    return 'interrupted';
  }
  if (state.status !== 'failed' && last?.failure?.code === 'agent.stopped') {
    return 'resting';
  }
  if (state.status !== 'failed' && last && isLimit(last)) {
    return 'limited';
  }
  if (state.status === 'failed' || last?.failure) {
    return 'failed';
  }
  // Work that ended after a stopped turn counts as done.
  const isStopped = last?.stopReason === 'cancelled' && (state.workEndedAt ?? 0) < last.at;
  return (last ?? state.workEndedAt) !== undefined && !isStopped ? 'done' : 'resting';
}

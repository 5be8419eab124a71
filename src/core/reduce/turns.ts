/** Turns and the work between them: their start, stop and end. */
import { isTemporary } from '../reconnect/reconnect';
import type {
  ChangeReported,
  ChangesPending,
  ChangesRunning,
  FileWritten,
  TurnActivity,
  TurnCancelling,
  TurnChangesCounted,
  TurnEnded,
  TurnStarted,
  WorkEnded,
  WorkStarted,
} from '../model/event';
import { withSubagents } from '../fileChanges/fileAuthors';
import type { WrittenFile } from '../fileChanges/turnFiles';
import type { Failure } from '../model/failure';
import { isBusy, isCancelling, isUnresponsive } from '../model/select';
import { markTerminalsAtEnd, startTurnWithTasks, withoutTasks } from './backgroundTasks';
import { reduceElicitationResolved } from './elicitations';
import { detachQueue, pauseQueue, queueAfterTurn, withoutMessage } from './messageQueue';
import { upsertEntry } from './messages';
import { plansOf } from './plans';
import { countWaiting } from './userWaitTime';
import { reducePermissionResolved } from './permissions';
import { breakOpenToolCalls, leaveOpenToolCalls, reopenBackgroundCalls, stopOpenToolCalls } from './toolCalls';
import { entryIdOf, type SessionState, type TurnEntry } from '../model/state';

const NONE: SessionState['plans'] = {};

/** Starts a turn. Only later plan updates belong to it. */
export function reduceTurnStarted(before: SessionState, { turnId, at }: TurnStarted): SessionState {
  // A turn ends the work before it: from now on the agent works for this turn.
  const state = startTurnWithTasks(closeWork(before, at, 'end_turn'));
  const { plans } = plansOf(state);
  return {
    ...state,
    turn: { turnId, startedAt: at, cancelling: false, ...(plans && { earlierPlans: plans }), ...(!state.firstPrompt && { isFirst: true }) },
    plans: NONE,
    queue: withoutMessage(state.queue, turnId),
  };
}

/** Cancels the open tool calls at once. */
export function reduceTurnCancelling(state: SessionState, { at, interrupting }: TurnCancelling): SessionState {
  const { turn, work } = state;
  if (!isBusy(state) || isCancelling(state)) {
    return state;
  }
  const stopping: SessionState = turn
    ? { ...state, turn: { ...turn, cancelling: true } }
    : { ...state, work: { ...work!, cancelling: true } };
  return stopOpenToolCalls(interrupting ? stopping : pauseQueue(stopping), at);
}

/** Ignored between turns. */
export function reduceTurnActivity(state: SessionState, { activity }: TurnActivity): SessionState {
  const { turn } = state;
  if (!turn || (turn.activity ?? 'running') === activity) {
    return state;
  }
  const { activity: _, ...rest } = turn;
  return { ...state, turn: activity === 'running' ? rest : { ...rest, activity } };
}

/** Ignored unless the agent is being stopped. */
export function reduceStopUnanswered(state: SessionState): SessionState {
  const { turn, work } = state;
  if (!isCancelling(state) || isUnresponsive(state)) {
    return state;
  }
  return turn ? { ...state, turn: { ...turn, isUnresponsive: true } } : { ...state, work: { ...work!, isUnresponsive: true } };
}

/** Ignored during a turn, because the agent's work then belongs to the turn. */
export function reduceWorkStarted(state: SessionState, { workId, isLate, at }: WorkStarted): SessionState {
  return isBusy(state)
    ? state
    : { ...state, work: { workId, startedAt: at, from: state.entries.length, ...(isLate && { isLate: true as const }) } };
}

export function reduceWorkEnded(state: SessionState, { workId, at }: WorkEnded): SessionState {
  const { work, entries } = state;
  if (work?.workId !== workId) {
    return state;
  }
  const isNews = !work.cancelling && !(work.isLate && entries.length === work.from);
  const ended = closeWork(state, at, work.cancelling ? 'cancelled' : 'end_turn');
  return isNews ? { ...ended, workEndedAt: at } : ended;
}

/** Ends the work between turns with a footer like that of a turn. Late updates of a stopped turn, and work without any entry, have none. */
function closeWork(state: SessionState, at: number, stopReason: string): SessionState {
  const { work } = state;
  if (!work) {
    return state;
  }
  const rested = { ...state, work: undefined };
  if (work.isLate || state.entries.length === work.from) {
    return rested;
  }
  const entryId = entryIdOf.turn(work.workId);
  const footed = upsertEntry<TurnEntry>(rested, entryId, () => ({
    kind: 'turn',
    entryId,
    at,
    turnId: work.workId,
    stopReason,
    startedAt: work.startedAt,
    ...plansOf(state),
    ...(work.use && { use: work.use }),
  }));
  return { ...footed, plans: NONE };
}

export function reduceTurnEnded(before: SessionState, event: TurnEnded): SessionState {
  const state = before.turn?.turnId === event.turnId ? countWaiting(before, event.at) : before;
  const running = state.turn?.turnId === event.turnId ? state.turn : undefined;
  const entryId = entryIdOf.turn(event.turnId);
  const withFooter = upsertEntry<TurnEntry>(state, entryId, () => ({
    kind: 'turn',
    entryId,
    at: event.at,
    turnId: event.turnId,
    stopReason: event.stopReason,
    startedAt: running?.startedAt ?? event.at,
    ...(running?.waited !== undefined && { waited: running.waited }),
    ...(running && event.stopReason === 'end_turn' && isUnanswered(state, running) && { unanswered: true }),
    ...(running && plansOf(state)),
    ...(event.failure && { failure: event.failure }),
    ...(running?.use && { use: running.use }),
    ...(event.changes ? { changes: event.changes } : running?.written && { written: running.written }),
  }));
  if (!running) {
    return withFooter;
  }
  const queue = queueAfterTurn(withFooter.queue, event.stopReason, running.cancelling);
  const isInterrupted = event.stopReason === 'cancelled' || event.stopReason === 'error' || running.cancelling;
  const rested = { ...withFooter, turn: undefined, plans: NONE, queue };
  const ended = markTerminalsAtEnd(rested, isInterrupted ? [] : rested.openToolCalls);
  return event.stopReason === 'cancelled' || running.cancelling
    ? leaveOpenToolCalls(stopOpenToolCalls(ended, event.at), event.at)
    : event.stopReason === 'error'
      ? breakOpenToolCalls(ended, event.at)
      : leaveOpenToolCalls(ended, event.at);
}

/** True for a turn without anything for the user. A turn that the agent began itself has no message to answer. */
function isUnanswered({ entries }: SessionState, { turnId, answered, cancelling }: NonNullable<SessionState['turn']>): boolean {
  return !answered && !cancelling && entries.indexOf(entryIdOf.message('user', turnId)) >= 0;
}

/** Sets the changes of any turn, since others may have begun meanwhile. Ignores a turn that no longer exists. */
export function reduceTurnChanges(state: SessionState, { turnId, changes }: TurnChangesCounted): SessionState {
  const entryId = entryIdOf.turn(turnId);
  return state.entries.indexOf(entryId) < 0
    ? state
    : upsertEntry<TurnEntry>(state, entryId, (old) => {
        const { written: _, changes: __, ...rest } = old!;
        return { ...rest, ...(changes.files.length > 0 && { changes }) };
      });
}

export function reduceChangeReport(state: SessionState, { files }: ChangeReported): SessionState {
  const { changeReport: _, ...rest } = state;
  return files.length > 0 ? { ...state, changeReport: files } : state.changeReport ? rest : state;
}

export function reducePendingChanges(state: SessionState, { changes }: ChangesPending): SessionState {
  const { pendingChanges: _, ...rest } = state;
  return changes ? { ...state, pendingChanges: changes } : state.pendingChanges ? rest : state;
}

export function reduceRunningChanges(state: SessionState, { files, more }: ChangesRunning): SessionState {
  const { runningChanges: _, ...rest } = state;
  return files.length > 0
    ? { ...state, runningChanges: { files, ...(more !== undefined && { more }) } }
    : state.runningChanges
      ? rest
      : state;
}

/** The most written files that a turn lists. */
const MAX_WRITTEN = 1000;

/** Repeated writes of a file are one entry with summed counts. Writes outside a turn are not recorded. */
export function reduceFileWritten(state: SessionState, { file }: FileWritten): SessionState {
  const { turn } = state;
  if (!turn) {
    return state;
  }
  const written = turn.written ?? [];
  const old = written.find(({ path }) => path === file.path);
  if (!old) {
    return written.length >= MAX_WRITTEN ? state : { ...state, turn: { ...turn, written: [...written, file] } };
  }
  const counts =
    old.added === undefined || old.removed === undefined || file.added === undefined || file.removed === undefined
      ? {}
      : { added: old.added + file.added, removed: old.removed + file.removed };
  const both: WrittenFile = { path: file.path, operation: old.operation, ...counts, ...withSubagents(old, file) };
  return { ...state, turn: { ...turn, written: written.map((each) => (each === old ? both : each)) } };
}

/** Ends the running turn, its tool calls and commands, and cancels pending requests, because the session ended. Queued messages wait for the user. */
export function closeTurn(
  state: SessionState,
  { at, changes }: Pick<TurnEnded, 'at' | 'changes'>,
  stopReason: string,
  failure?: Failure,
): SessionState {
  let next: SessionState = state.turn
    ? reduceTurnEnded(state, {
        type: 'turn_ended',
        at,
        turnId: state.turn.turnId,
        stopReason,
        ...(failure && { failure }),
        ...(changes && { changes }),
      })
    : state;
  next = withoutTasks(next.work ? { ...next, work: undefined } : next);
  for (const permissionId of state.pendingPermissions) {
    next = reducePermissionResolved(next, { permissionId, outcome: 'lost', at });
  }
  for (const requestKey of state.pendingElicitations) {
    next = reduceElicitationResolved(next, { requestKey, outcome: 'lost', at });
  }
  next = reopenBackgroundCalls(next);
  next = next.background ? { ...next, background: undefined } : next;
  const settle = stopReason === 'cancelled' ? stopOpenToolCalls : breakOpenToolCalls;
  return withoutRunning(settle(goesOn(state, failure) ? next : detachQueue(next), at));
}

/**
 * True when queued messages are sent without waiting for the user, because no turn was interrupted. A message restarted the agent, or an attempt to
 * connect again has failed and another follows: the user sent those messages meanwhile.
 */
function goesOn({ turn, queue, reconnect }: SessionState, failure: Failure | undefined): boolean {
  const continues = failure?.code === 'agent.restarted' || (reconnect !== undefined && isTemporary(failure, true));
  return continues && !turn && !queue.some(({ steering }) => steering);
}

/** Releases all running terminals. Their exit status may still be reported. */
function withoutRunning(state: SessionState): SessionState {
  const running = Object.values(state.terminals).filter(({ exitStatus, released }) => !exitStatus && !released);
  return running.length === 0
    ? state
    : {
        ...state,
        terminals: {
          ...state.terminals,
          ...Object.fromEntries(running.map((terminal) => [terminal.terminalId, { ...terminal, released: true }])),
        },
      };
}

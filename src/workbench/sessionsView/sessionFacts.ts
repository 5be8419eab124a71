/** What the sessions view knows of one session, wherever it knows it from: this window, the disk, or an agent's own list. Pure. */
import type { ListedSession } from '../../acp/dialect';
import { isBusy, isUnresponsive, isUnused, needsInputOnly } from '../../core/model/select';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { SessionMarks } from '../../session/journal/sessionMarks';
import { type ChangedLines, outcomeOf, runningState, type SessionOutcome } from '../../session/journal/sessionOutcome';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { isRunning } from '../sessions/overview';
import { timeOf } from '../shared/relativeTime';

/** interrupted: its window went while it worked; done: its last turn ended and the user has not looked since; resting: nothing is left to be seen. */
export type Standing = 'needsYou' | 'working' | 'done' | 'resting' | 'failed' | 'interrupted';

export interface SessionFacts {
  /** Unique in the view, and stable. */
  readonly id: string;
  /** Of its journal; absent for one that only an agent's list knows. */
  readonly key?: string;
  /** As an agent's list has it. */
  readonly listed?: ListedSession;
  /** The agent's id for it. */
  readonly sessionId?: string;
  readonly title: string;
  readonly agentName: string;
  /** Absolute. */
  readonly cwd: string;
  readonly standing: Standing;
  /** A command waits for input; nothing else waits for the user. */
  readonly needsInput?: true;
  /** What it is sorted by: when its last turn began or ended. ms since the epoch */
  readonly at: number;
  readonly changes?: ChangedLines;
  readonly unread: boolean;
  readonly pinned: boolean;
  readonly archived: boolean;
  /** It is open in this window. */
  readonly live: boolean;
  /** It has an agent that runs. */
  readonly running: boolean;
  /** The agent works and can be stopped. */
  readonly busy: boolean;
  /** The agent works on although the user has pressed Stop. */
  readonly isUnresponsive?: true;
  /** It is open in another window. */
  readonly elsewhere: boolean;
  /** The user has sent nothing in it. */
  readonly isUnused?: true;
}

/** A session of this window. `since`: when the view first saw it, ms since the epoch. */
export interface LiveSession {
  readonly key: string;
  readonly agentName: string;
  readonly roots: { readonly cwd: string };
  readonly store: { readonly state: SessionState };
}

/** Whether something ended by itself that the user has not seen. What was kept before this was known counts as seen. */
export function isUnread({ state, turnEndedAt }: Partial<SessionOutcome>, { seenAt }: Pick<SessionMarks, 'seenAt'>): boolean {
  return state !== 'resting' && turnEndedAt !== undefined && turnEndedAt > (seenAt ?? 0);
}

/** Failures that say no more than that the session is of another window, or only to be read. */
const QUIET_FAILURES = new Set([
  'session.interrupted',
  'session.replayed',
  'session.agent_removed',
  'session.live_elsewhere',
  'session.restricted_mode',
  'session.newer_version',
]);

/** What a live session is like, without looking at all of its entries while it works. */
export class LiveOutcomes {
  private readonly known = new WeakMap<object, { readonly state: SessionState; readonly outcome: SessionOutcome }>();
  private readonly last = new Map<string, SessionOutcome>();

  of({ key, store: { state } }: LiveSession): SessionOutcome {
    const running = runningState(state);
    const last = this.last.get(key);
    if (running && last) {
      return last;
    }
    const known = this.known.get(state.entries);
    // Work between turns can end without a new entry.
    const isSame = known && known.state.work === state.work && known.state.workEndedAt === state.workEndedAt;
    const outcome = isSame ? known.outcome : outcomeOf(state);
    this.known.set(state.entries, { state, outcome });
    this.last.set(key, outcome);
    return outcome;
  }

  forget(key: string): void {
    this.last.delete(key);
  }
}

/** @param since ms since the epoch: when it came, for one without a turn */
export function liveFacts(session: LiveSession, marks: SessionMarks, outcome: SessionOutcome, since: number): SessionFacts {
  const { key, agentName, roots } = session;
  const { state } = session.store;
  const unread = isUnread(outcome, marks);
  return {
    id: key,
    key,
    ...(state.sessionId !== undefined && { sessionId: state.sessionId }),
    title: sessionTitle(state),
    agentName,
    cwd: roots.cwd || state.cwd,
    standing: standingOf(state, outcome, unread),
    ...(needsInputOnly(state) && { needsInput: true }),
    at: (state.turn ?? state.work)?.startedAt ?? outcome.turnEndedAt ?? firstAt(state) ?? since,
    ...(outcome.changes && { changes: outcome.changes }),
    unread,
    pinned: marks.pinned === true,
    archived: marks.archived === true,
    live: true,
    running: isRunning(state),
    busy: isBusy(state),
    ...(isUnresponsive(state) && { isUnresponsive: true }),
    // It is open here to be read.
    elsewhere: state.failure?.code === 'session.live_elsewhere',
    ...(isUnused(state) && { isUnused: true }),
  };
}

function standingOf(state: SessionState, outcome: SessionOutcome, unread: boolean): Standing {
  const running = runningState(state);
  if (running === 'needsYou' || running === 'working') {
    return running;
  }
  if (state.status === 'starting') {
    return 'working';
  }
  const isLost = state.status === 'disconnected' && state.failure !== undefined && !QUIET_FAILURES.has(state.failure.code);
  if (state.status === 'failed' || isLost || outcome.state === 'failed') {
    return 'failed';
  }
  return outcome.state === 'interrupted' ? 'interrupted' : unread ? 'done' : 'resting';
}

function firstAt({ entries }: SessionState): number | undefined {
  const first = entries.at(0);
  return first && !isAbsent(first) ? first.at : undefined;
}

/** @param elsewhere it is open in another window that is alive */
export function keptFacts(summary: JournalSummary, elsewhere: boolean): SessionFacts {
  const { key, agentName, cwd, title, createdAt, changedAt, turnEndedAt, sessionId, changes, state, marks } = summary;
  const unread = isUnread(summary, marks);
  const isOpen = state === 'working' || state === 'needsYou';
  // A window that is gone has interrupted what was under way.
  const stopped = state === 'failed' ? state : state === 'interrupted' || isOpen ? 'interrupted' : undefined;
  return {
    id: key,
    key,
    ...(sessionId !== undefined && { sessionId }),
    title: marks.name?.trim() || title || agentName,
    agentName,
    cwd,
    standing: (elsewhere && isOpen ? state : stopped) ?? (unread ? 'done' : 'resting'),
    at: turnEndedAt ?? changedAt ?? createdAt,
    ...(changes && { changes }),
    unread,
    pinned: marks.pinned === true,
    archived: marks.archived === true,
    live: false,
    running: false,
    busy: false,
    elsewhere,
  };
}

/** @param fallback what it is called without a title */
export function agentFacts(agentName: string, listed: ListedSession, fallback: string): SessionFacts {
  const { sessionId, cwd, title, updatedAt } = listed;
  return {
    id: `agent ${JSON.stringify([agentName, sessionId])}`,
    listed,
    sessionId,
    title: title?.trim() || fallback,
    agentName,
    cwd,
    standing: 'resting',
    at: timeOf(updatedAt) ?? 0,
    unread: false,
    pinned: false,
    archived: false,
    live: false,
    running: false,
    busy: false,
    elsewhere: false,
  };
}

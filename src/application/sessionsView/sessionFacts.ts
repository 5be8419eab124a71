/** The facts about a session in the sessions view, from any source: this window, the disk, or an agent's own list. Pure. */
import type { ListedSession, RemoteStatus } from '../../acp/dialect';
import { type AgentIdentity, storedIdOf } from '../../core/agents/agentIds';
import { isBusy, isRunning, isUnresponsive, isUnused, needsInputOnly } from '../../core/model/select';
import { isAbsent, type SessionState } from '../../core/model/state';
import { askingSubagent, isRunning as works, subagentsIn } from '../../core/subagents/subagentTree';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { SessionMarks } from '../../session/journal/sessionMarks';
import { type ChangedLines, outcomeOf, runningState, type SessionOutcome } from '../../session/journal/sessionOutcome';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { timeOf } from '../shared/relativeTime';

/**
 * The status of a row. `limited`: the last turn met a limit of the account. `interrupted`: the window closed while the agent worked. `done`: the last turn ended and the user has not seen it. `resting`: there
 * is nothing new to see.
 */
export type RowStatus = 'needsYou' | 'working' | 'done' | 'resting' | 'failed' | 'limited' | 'interrupted';

export interface SessionFacts {
  /** A unique and stable id within the view. */
  readonly id: string;
  /** The key of the session's journal. Undefined for a session that exists only in an agent's list. */
  readonly key?: string;
  /** The entry in the agent's list. */
  readonly listed?: ListedSession;
  /** The agent's id for the session. */
  readonly sessionId?: string;
  readonly title: string;
  readonly agentId: string;
  readonly agentName: string;
  /** True when a session of another agent has the same title, so that the row names the agent. */
  readonly namesAgent?: true;
  /** An absolute path. */
  readonly cwd: string;
  readonly status: RowStatus;
  /** The name of the subagent that waits for an answer of the user. The agent chose it. */
  readonly askedBy?: string;
  /** The number of subagents that work. */
  readonly subagents?: number;
  /** The time when a `limited` session continues by itself, in ms since the epoch. */
  readonly continuesAt?: number;
  /** True when only a command waits, for input from the user. */
  readonly needsInput?: true;
  /** The sort key: the time when the last turn began or ended, in ms since the epoch. */
  readonly at: number;
  readonly changes?: ChangedLines;
  readonly unread: boolean;
  readonly pinned: boolean;
  readonly archived: boolean;
  /** True when the session is open in this window. */
  readonly live: boolean;
  /** True when the session's agent runs. */
  readonly running: boolean;
  /** True when the agent works and can be stopped. */
  readonly busy: boolean;
  /** True when the agent still works after the user has pressed Stop. */
  readonly isUnresponsive?: true;
  /** True when the session is open in another window. */
  readonly elsewhere: boolean;
  /** True when the user has not sent a message. */
  readonly isUnused?: true;
  /** The state of a session that the agent has in memory, although no window here runs it. */
  readonly atAgent?: 'open' | 'working' | 'needsYou';
}

/** A session of this window. */
export interface LiveSession {
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly roots: { readonly cwd: string };
  readonly store: { readonly state: SessionState };
}

/**
 * True when the session has a result that the user has not seen, and that the user did not cause. A session stored before this was recorded counts
 * as seen.
 */
export function isUnread({ state, turnEndedAt }: Partial<SessionOutcome>, { seenAt }: Pick<SessionMarks, 'seenAt'>): boolean {
  return state !== 'resting' && turnEndedAt !== undefined && turnEndedAt > (seenAt ?? 0);
}

/** Failures that the user has caused, or that only mean that another window has the session, or that it is read-only. */
const QUIET_FAILURES = new Set([
  'agent.start_cancelled',
  'agent.stopped',
  'agent.idle',
  'session.interrupted',
  'session.replayed',
  'session.agent_removed',
  'session.live_elsewhere',
  'session.restricted_mode',
  'session.newer_version',
]);

/** Caches the outcomes of live sessions, so that not all entries are read while a session works. */
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

  /** Forgets all other sessions. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.last.keys()) {
      if (!keys.has(key)) {
        this.last.delete(key);
      }
    }
  }
}

/**
 * @param createdAt the time of the session, for one without a turn, in ms since the epoch
 * @param isWatched the user sees the session, whose results are marked as seen a moment later
 */
export function liveFacts(
  session: LiveSession,
  marks: SessionMarks,
  outcome: SessionOutcome,
  createdAt: number,
  isWatched = false,
): SessionFacts {
  const { key, agentId, agentName, roots } = session;
  const { state } = session.store;
  const unread = !isWatched && isUnread(outcome, marks);
  return {
    id: key,
    key,
    ...(state.sessionId !== undefined && { sessionId: state.sessionId }),
    title: sessionTitle(state),
    agentId,
    agentName,
    cwd: roots.cwd || state.cwd,
    status: statusOf(state, outcome, unread),
    ...(state.continuation && { continuesAt: state.continuation.at }),
    ...(needsInputOnly(state) && { needsInput: true }),
    ...subagentFacts(state),
    at: (state.turn ?? state.work)?.startedAt ?? outcome.turnEndedAt ?? firstAt(state) ?? createdAt,
    ...(outcome.changes && { changes: outcome.changes }),
    unread,
    pinned: marks.pinned === true,
    archived: marks.archived === true,
    live: true,
    running: isRunning(state),
    busy: isBusy(state),
    ...(isUnresponsive(state) && { isUnresponsive: true }),
    // The session is open in another window, and read-only in this one.
    elsewhere: state.failure?.code === 'session.live_elsewhere',
    ...(isUnused(state) && { isUnused: true }),
  };
}

function statusOf(state: SessionState, outcome: SessionOutcome, unread: boolean): RowStatus {
  const running = runningState(state);
  if (running === 'needsYou' || running === 'working') {
    return running;
  }
  if (state.reconnect) {
    return 'interrupted'; // The row would change with each attempt, every few seconds.
  }
  if (state.status === 'starting') {
    return 'working';
  }
  const isQuiet = state.failure !== undefined && QUIET_FAILURES.has(state.failure.code);
  const isLost = state.status === 'disconnected' && state.failure !== undefined && !isQuiet;
  if ((state.status === 'failed' && !isQuiet) || isLost || outcome.state === 'failed') {
    return 'failed';
  }
  if (subagentsIn(state).some(works)) {
    return 'working';
  }
  if (outcome.state === 'limited' || state.continuation) {
    return 'limited';
  }
  return outcome.state === 'interrupted' ? 'interrupted' : unread ? 'done' : 'resting';
}

function subagentFacts(state: SessionState): Pick<SessionFacts, 'askedBy' | 'subagents'> {
  const askedBy = askingSubagent(state);
  const subagents = subagentsIn(state).filter(works).length;
  return { ...(askedBy !== undefined && { askedBy }), ...(subagents > 0 && { subagents }) };
}

function firstAt({ entries }: SessionState): number | undefined {
  const first = entries.at(0);
  return first && !isAbsent(first) ? first.at : undefined;
}

/**
 * @param elsewhere true when the session is open in another window that responds
 * @param agent the agent that the stored id means; undefined when it is no longer configured
 */
export function keptFacts(summary: JournalSummary, elsewhere: boolean, agent?: AgentIdentity): SessionFacts {
  const { agentId, agentName } = agent ?? { agentId: storedIdOf(summary), agentName: summary.agentName };
  const { key, cwd, title, createdAt, changedAt, turnEndedAt, sessionId, changes, state, marks } = summary;
  const unread = isUnread(summary, marks);
  const isOpen = state === 'working' || state === 'needsYou';
  // Work that was in progress ended with its window.
  const stopped = state === 'failed' || state === 'limited' ? state : state === 'interrupted' || isOpen ? 'interrupted' : undefined;
  return {
    id: key,
    key,
    ...(sessionId !== undefined && { sessionId }),
    title: marks.name?.trim() || title || agentName,
    agentId,
    agentName,
    cwd,
    status: (elsewhere && isOpen ? state : stopped) ?? (unread ? 'done' : 'resting'),
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

/** @param fallback the title of a session that has none */
export function agentFacts(
  { agentId, agentName }: Pick<AgentIdentity, 'agentId' | 'agentName'>,
  listed: ListedSession,
  fallback: string,
): SessionFacts {
  const { sessionId, cwd, title, updatedAt } = listed;
  return {
    id: `agent ${JSON.stringify([agentId, sessionId])}`,
    listed,
    sessionId,
    title: title?.trim() || fallback,
    agentId,
    agentName,
    cwd,
    status: 'resting',
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

/** Returns the titles that sessions of several agents have, such as that of a session which another agent continues. */
export function sharedTitles(sessions: readonly Pick<SessionFacts, 'title' | 'agentId'>[]): ReadonlySet<string> {
  const agents = new Map<string, string>();
  return new Set(
    sessions.flatMap(({ title, agentId }) => {
      const first = agents.get(title) ?? agentId;
      agents.set(title, first);
      return first === agentId ? [] : [title];
    }),
  );
}

/** Adds the status that the agent reports, unless the session runs in a window here, which knows it better. */
export function withRemoteStatus(facts: SessionFacts, status: RemoteStatus | undefined): SessionFacts {
  if (!status?.isOpen || facts.running || facts.elsewhere) {
    return facts;
  }
  return { ...facts, atAgent: status.work === 'running' ? 'working' : status.work === 'requires_action' ? 'needsYou' : 'open' };
}

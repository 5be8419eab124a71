/**
 * The life cycle of a session at its agent, as a pure state machine: maps a state and an event to the next state and its effects.
 * `sessionLifecycle.ts` performs the effects. docs/decisions/session has the table; `test/unit/session/lifecycle/lifecycle.test.ts` has each state
 * × each event.
 */
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { SessionReference } from './sessionDependencies';
import type { LifecycleEffect, LifecycleEvent, LifecycleFacts, LifecycleState, Target } from './lifecycleTypes';
import type { OpenMethod } from './sessionOpener';

export type { LifecycleEffect, LifecycleEvent, LifecycleFacts, LifecycleState, Target } from './lifecycleTypes';

export interface Transition {
  readonly state: LifecycleState;
  readonly effects: readonly LifecycleEffect[];
}

/** Any session, existing or new. */
const ANY: Target = { requireExisting: false, isUnrecorded: false };

/** The initial state. `reference`: the session to open. `isEnded`: the user has ended it in another window. */
export function initialState(reference: SessionReference | undefined, isEnded = false): LifecycleState {
  const isExisting = reference !== undefined;
  const target = { requireExisting: isExisting, isUnrecorded: isExisting, ...(reference && { reference }) };
  return { name: isEnded ? 'ended' : 'disconnected', target };
}

/** The next state and the effects. An event without meaning in this state returns the same state object and no effects. */
export function transition(state: LifecycleState, event: LifecycleEvent, facts: LifecycleFacts): Transition {
  return next(state, event, facts) ?? { state, effects: [] };
}

/** Undefined when the event has no meaning in this state. */
function next(state: LifecycleState, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  if (state.name === 'disposed') {
    return undefined;
  }
  if (event.type === 'dispose') {
    return { state: { name: 'disposed' }, effects: [{ type: 'detach' }] };
  }
  if (event.type === 'restart_agent') {
    return whenRestarted(state, event.byUser);
  }
  switch (state.name) {
    case 'disconnected':
      return whenDisconnected(state, event);
    case 'starting':
      return whenStarting(state, event, facts);
    case 'opening':
      return whenOpening(state, event, facts);
    case 'waitingForSignIn':
      return whenWaitingForSignIn(state, event, facts);
    case 'lost':
      return whenLost(state, event);
    case 'ready':
      return whenReady(event, facts);
    case 'changingFolders':
      return whenChangingFolders(state, event);
    case 'closing':
      return whenClosing(event);
    case 'ended':
      return event.type === 'resume' ? start({ ...state.target, requireExisting: true }, true) : undefined;
  }
}

/** Opens the same session in a new process. Pending requests to the old one are dropped. A session that the user has ended stays ended. */
function whenRestarted(state: LifecycleState, byUser: boolean): Transition | undefined {
  switch (state.name) {
    case 'ready':
    case 'changingFolders':
      return restarted(ANY, 'disconnected', byUser);
    case 'starting':
    case 'opening':
    case 'waitingForSignIn':
      return restarted(state.target, 'session_failed', byUser);
    case 'lost':
      return restarted(state.target, state.wasReady ? 'disconnected' : 'session_failed', byUser);
    case 'disconnected':
      return start(state.target, byUser);
    default:
      return undefined;
  }
}

function restarted(target: Target, event: 'session_failed' | 'disconnected', byUser: boolean): Transition {
  const { state, effects } = start(target, byUser);
  return { state, effects: [{ type: 'fail', event, failure: { code: 'agent.restarted' } }, { type: 'detach' }, ...effects] };
}

type In<Name extends LifecycleState['name']> = Extract<LifecycleState, { name: Name }>;

function whenDisconnected({ target }: In<'disconnected'>, event: LifecycleEvent): Transition | undefined {
  switch (event.type) {
    case 'open':
      return start(target, true);
    case 'restart_signed_in':
      return start(target, false, event.authenticateFirst);
    case 'resume':
      return start({ ...target, requireExisting: true }, true);
    case 'adopt':
      return {
        state: { name: 'starting', target: { ...target, adoption: event.adoption } },
        effects: [{ type: 'join_kept', adoption: event.adoption }],
      };
    case 'end':
      return end(target);
    default:
      return undefined;
  }
}

function whenStarting({ target, authenticateFirst }: In<'starting'>, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  const { adoption, ...rest } = target;
  if (event.type === 'start_refused') {
    return fail(rest, adoption ? 'disconnected' : 'session_failed', event.failure);
  }
  if (adoption && (event.type === 'agent_ended' || event.type === 'cancel_start')) {
    return fail(rest, 'disconnected', event.type === 'agent_ended' ? event.failure : { code: 'agent.start_cancelled' });
  }
  if (event.type !== 'agent_ready') {
    return duringStart(rest, event, facts);
  }
  if (adoption) {
    return { state: { name: 'ready' }, effects: [{ type: 'adopt_session', adoption }] };
  }
  const record = { type: 'record_agent', dialect: event.dialect } as const;
  if (authenticateFirst && !event.authenticatedBy.has(authenticateFirst.methodId)) {
    return { state: { name: 'waitingForSignIn', target }, effects: [record, { type: 'authenticate', method: authenticateFirst }] };
  }
  const { state, effects } = requestFirst(target, facts);
  return { state, effects: [record, ...effects] };
}

function whenOpening(state: In<'opening'>, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  const { target, method, others, refusal } = state;
  switch (event.type) {
    case 'session_opened': {
      const { isUnrecorded } = target;
      const accept = { type: 'accept_session', opened: event.opened, method, isUnrecorded, ...(refusal && { refusal }) } as const;
      return { state: { name: 'ready' }, effects: [accept, { type: 'send_pending' }] };
    }
    case 'session_refused': {
      const { failure } = event;
      if (method === 'new' || failure.code === 'auth.required') {
        return refused(target, failure, facts);
      }
      if (others.length > 0) {
        return requestExisting(target, others, facts);
      }
      // The agent no longer has the session: the conversation continues without the agent's memory.
      return target.requireExisting ? refused(target, failure, facts) : requestNew(target, failure);
    }
    default:
      return duringStart(target, event, facts);
  }
}

function whenWaitingForSignIn({ target }: In<'waitingForSignIn'>, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  switch (event.type) {
    case 'signed_in':
      return requestFirst(target, facts);
    case 'sign_in_given_up':
      return event.failure && fail(target, 'session_failed', event.failure);
    case 'agent_ended':
      return lost(target, event.failure, false);
    default:
      return duringStart(target, event, facts);
  }
}

function whenLost({ target, failure, wasReady }: In<'lost'>, event: LifecycleEvent): Transition | undefined {
  const type = wasReady ? 'disconnected' : 'session_failed';
  switch (event.type) {
    case 'open':
      return start(target, true);
    case 'resume':
      return start({ ...target, requireExisting: true }, true);
    case 'restart_signed_in':
      return start(target, false, event.authenticateFirst);
    case 'sign_in_given_up':
      return fail(target, type, event.failure ?? failure);
    case 'cancel_start':
      return wasReady ? undefined : fail(target, type, { code: 'agent.start_cancelled' });
    case 'end':
      return end(target);
    default:
      return undefined;
  }
}

function whenReady(event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  switch (event.type) {
    case 'change_folders': {
      const { roots } = event;
      const method = facts.canResume ? 'resume' : 'load';
      return { state: { name: 'changingFolders', method, roots }, effects: [{ type: 'request_session', method, roots }] };
    }
    case 'agent_ended':
      // Some agents exit when they are not allowed to do something. Signing in still helps and restarts them.
      return facts.isHeld ? lost(ANY, event.failure, true) : fail(ANY, 'disconnected', event.failure);
    case 'restart_signed_in':
      return restart(ANY, event.authenticateFirst);
    case 'end':
      return { state: { name: 'closing' }, effects: [{ type: 'record_end' }, { type: 'close_session' }] };
    default:
      return undefined;
  }
}

function whenChangingFolders({ method, roots }: In<'changingFolders'>, event: LifecycleEvent): Transition | undefined {
  switch (event.type) {
    case 'session_opened':
      return {
        state: { name: 'ready' },
        effects: [{ type: 'accept_folders', opened: event.opened, method, roots }, { type: 'send_pending' }],
      };
    case 'session_refused':
      return { state: { name: 'ready' }, effects: [{ type: 'keep_folders', failure: event.failure }, { type: 'send_pending' }] };
    case 'agent_ended':
      return fail(ANY, 'session_failed', event.failure);
    case 'cancel_start':
      return fail(ANY, 'session_failed', { code: 'agent.start_cancelled' });
    case 'restart_signed_in':
      return restart(ANY, event.authenticateFirst);
    case 'end':
      return end(ANY);
    default:
      return undefined;
  }
}

function whenClosing(event: LifecycleEvent): Transition | undefined {
  switch (event.type) {
    case 'agent_ended':
      return { state: { name: 'closing' }, effects: [{ type: 'detach' }] };
    case 'closed':
      return { state: { name: 'ended', target: ANY }, effects: [{ type: 'detach' }] };
    default:
      return undefined;
  }
}

/** Handles the events that have the same meaning from the start of the process until the session is open. */
function duringStart(target: Target, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  switch (event.type) {
    case 'agent_ended':
      return notOpened(target, event.failure, facts);
    case 'cancel_start':
      return fail(target, 'session_failed', { code: 'agent.start_cancelled' });
    case 'restart_signed_in':
      return restart(target, event.authenticateFirst);
    case 'end':
      return end(target);
    default:
      return undefined;
  }
}

/** `byUser`: the user started this session. After a sign-in, perhaps in another session, the start is automatic. */
function start(wanted: Target, byUser: boolean, authenticateFirst?: AuthMethod): Transition {
  const { reference, adoption: _, ...written } = wanted;
  // The session that is forked belongs to another conversation, so its id is never recorded in this one.
  const target = reference?.fork ? wanted : written;
  return {
    state: { name: 'starting', target, ...(authenticateFirst && { authenticateFirst }) },
    effects: [{ type: 'start', byUser, ...(reference && !reference.fork && { reference }) }],
  };
}

/** Leaves the process for one that starts after the sign-in. */
function restart(target: Target, authenticateFirst?: AuthMethod): Transition {
  const { state, effects } = start(target, false, authenticateFirst);
  return { state, effects: [{ type: 'detach' }, ...effects] };
}

/** Requests the conversation's session if the agent can reopen it, otherwise a new one. */
function requestFirst(target: Target, facts: LifecycleFacts): Transition {
  const { sessionId, isSpoken, isReplayWanted, canLoad, canResume } = facts;
  if (target.reference?.fork) {
    return requestFork(target, target.reference, facts);
  }
  const offered = { load: canLoad, resume: canResume };
  // `resume` comes first when the history is on the screen. An empty conversation needs the replay of `load`, and so does one with a gap.
  const methods = (isSpoken && !isReplayWanted ? (['resume', 'load'] as const) : (['load', 'resume'] as const)).filter(
    (method) => offered[method],
  );
  if (sessionId !== undefined && methods.length > 0) {
    return requestExisting(target, methods, facts);
  }
  return target.requireExisting ? refused(target, { code: 'session.not_loaded' }, facts) : requestNew(target);
}

function requestExisting(target: Target, [method, ...others]: readonly OpenMethod[], facts: LifecycleFacts): Transition {
  if (method === undefined || facts.isOpenElsewhere) {
    return refused(target, { code: 'session.open_elsewhere' }, facts);
  }
  return { state: { name: 'opening', target, method, others }, effects: [{ type: 'request_session', method }] };
}

function requestFork(target: Target, fork: SessionReference, facts: LifecycleFacts): Transition {
  const method = 'fork';
  return facts.canFork
    ? { state: { name: 'opening', target, method, others: [] }, effects: [{ type: 'request_session', method, fork }] }
    : refused(target, { code: 'session.not_forked' }, facts);
}

function requestNew(target: Target, refusal?: Failure): Transition {
  const method = 'new';
  return {
    state: { name: 'opening', target, method, others: [], ...(refusal && { refusal }) },
    effects: [{ type: 'request_session', method }],
  };
}

function refused(target: Target, failure: Failure, facts: LifecycleFacts): Transition {
  return failure.code === 'auth.required' && facts.canSignIn
    ? { state: { name: 'waitingForSignIn', target }, effects: [{ type: 'require_sign_in', failure }] }
    : notOpened(target, failure, facts);
}

function notOpened(target: Target, failure: Failure, { isHeld }: LifecycleFacts): Transition {
  return isHeld ? lost(target, failure, false) : fail(target, 'session_failed', failure);
}

function lost(target: Target, failure: Failure, wasReady: boolean): Transition {
  return { state: { name: 'lost', target, failure, wasReady }, effects: [{ type: 'detach' }] };
}

function fail(target: Target, event: 'session_failed' | 'disconnected', failure: Failure): Transition {
  return { state: { name: 'disconnected', target }, effects: [{ type: 'fail', event, failure }, { type: 'detach' }] };
}

function end(target: Target): Transition {
  return { state: { name: 'ended', target }, effects: [{ type: 'record_end' }, { type: 'detach' }] };
}

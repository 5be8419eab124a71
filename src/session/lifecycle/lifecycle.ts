/**
 * The life of a session at its agent, as a pure state machine: which event leads from which state to which, and what is to be done about it.
 * `sessionLifecycle.ts` carries that out. docs/architecture.md has the diagram; `test/unit/session/lifecycle/lifecycle.test.ts` has every state × every event.
 */
import type { Dialect } from '../../acp/dialect';
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { SessionReference } from '../sessionDependencies';
import type { OpenedSession, OpenMethod } from './sessionOpener';
import type { SessionRoots } from './sessionRoots';

/** Which session the conversation wants, as long as it has none. */
export interface Target {
  /** Only the session that the conversation is of will do: no new one takes its place. */
  readonly requireExisting: boolean;
  /** The session was somebody else's, or of before our record: what was said in it is not known here. */
  readonly isUnrecorded: boolean;
  /** The session to become; absent once a start has written it into the conversation, and for a new session. */
  readonly reference?: SessionReference;
}

export type LifecycleState =
  /** No agent: not started yet, failed to start, lost, or read back from a journal. */
  | { readonly name: 'disconnected'; readonly target: Target }
  /** The process starts, or was joined, and has not answered `initialize`. */
  | { readonly name: 'starting'; readonly target: Target; readonly authenticateFirst?: AuthMethod }
  /** The agent was asked for the session. `others`: what is tried next; `refusal`: why it is a new session that is asked for. */
  | {
      readonly name: 'opening';
      readonly target: Target;
      readonly method: OpenMethod;
      readonly others: readonly OpenMethod[];
      readonly refusal?: Failure;
    }
  /** The agent wants the user to sign in before it gives a session. */
  | { readonly name: 'waitingForSignIn'; readonly target: Target }
  /** The agent is gone, but the session or its prompt waits for a sign-in, which starts the agent anew. */
  | { readonly name: 'lost'; readonly target: Target; readonly failure: Failure; readonly wasReady: boolean }
  | { readonly name: 'ready' }
  /** A session that was ready is asked for again, with other folders. */
  | { readonly name: 'changingFolders'; readonly method: OpenMethod; readonly roots: SessionRoots }
  /** The user has ended it, the agent has not confirmed that yet. */
  | { readonly name: 'closing' }
  | { readonly name: 'ended'; readonly target: Target }
  /** The window closes, or nobody lists the session any more. */
  | { readonly name: 'disposed' };

export type LifecycleEvent =
  /** The user wants it started, or started again. */
  | { readonly type: 'open' }
  /** The user wants the session back that the conversation was. */
  | { readonly type: 'resume' }
  /** The agent has answered `initialize`. `authenticatedBy`: methods that this process was told of already. */
  | { readonly type: 'agent_ready'; readonly dialect: Dialect; readonly authenticatedBy: ReadonlySet<string> }
  | { readonly type: 'agent_ended'; readonly failure: Failure }
  | { readonly type: 'session_opened'; readonly opened: OpenedSession }
  | { readonly type: 'session_refused'; readonly failure: Failure }
  /** The sign-in that the session waited for was made, and the agent that runs knows of it. */
  | { readonly type: 'signed_in' }
  /** Only a process that starts from now on knows of the sign-in. With a method, it must be told of that first. */
  | { readonly type: 'restart_signed_in'; readonly authenticateFirst?: AuthMethod }
  /** Nothing holds a session without an agent any more; `failure` when the session itself was given up: what it was refused with. */
  | { readonly type: 'sign_in_given_up'; readonly failure?: Failure }
  | { readonly type: 'change_folders'; readonly roots: SessionRoots }
  | { readonly type: 'cancel_start' }
  | { readonly type: 'end' }
  /** The agent has confirmed the end, or had its time to. */
  | { readonly type: 'closed' }
  | { readonly type: 'dispose' };

export type LifecycleEffect =
  /** Says where the session takes place, and joins the agent's process. */
  | { readonly type: 'start'; readonly reference?: SessionReference }
  | { readonly type: 'record_agent'; readonly dialect: Dialect }
  /** Tells the agent of the method; the session waits for that. */
  | { readonly type: 'authenticate'; readonly method: AuthMethod }
  | { readonly type: 'require_sign_in'; readonly failure: Failure }
  | { readonly type: 'request_session'; readonly method: OpenMethod; readonly roots?: SessionRoots }
  /** What the agent has answered becomes the conversation's. */
  | {
      readonly type: 'accept_session';
      readonly opened: OpenedSession;
      readonly method: OpenMethod;
      readonly isUnrecorded: boolean;
      readonly refusal?: Failure;
    }
  | { readonly type: 'accept_folders'; readonly opened: OpenedSession; readonly method: OpenMethod; readonly roots: SessionRoots }
  | { readonly type: 'keep_folders'; readonly failure: Failure }
  /** It takes prompts: what waited for that is done. */
  | { readonly type: 'send_pending' }
  /** Says that it is not there, and gives back what was not taken. */
  | { readonly type: 'fail'; readonly event: 'session_failed' | 'disconnected'; readonly failure: Failure }
  /** Says that the user has ended it, and gives back what was not sent. */
  | { readonly type: 'record_end' }
  /** Tells the agent that the session is over. */
  | { readonly type: 'close_session' }
  /** Leaves the agent's process. Its answers from then on are nobody's. */
  | { readonly type: 'detach' };

/** What a transition reads of the conversation and of the agent. */
export interface LifecycleFacts {
  /** The agent's id for the session that the conversation is of. */
  readonly sessionId?: string | undefined;
  /** Something was said in the conversation. */
  readonly isSpoken: boolean;
  /** The agent offers `session/load`, `session/resume`. */
  readonly canLoad: boolean;
  readonly canResume: boolean;
  /** Another conversation with the same process is of that session. */
  readonly isOpenElsewhere: boolean;
  /** The agent says how to sign in, and can be started again. */
  readonly canSignIn: boolean;
  /** The session or its prompt waits for a sign-in that the user sees: it is kept, whatever becomes of the agent meanwhile. */
  readonly isHeld: boolean;
}

export interface Transition {
  readonly state: LifecycleState;
  readonly effects: readonly LifecycleEffect[];
}

/** Whatever session the conversation had or gets. */
const ANY: Target = { requireExisting: false, isUnrecorded: false };

/** The state before anything happens. `reference`: the session to become; `isEnded`: the user had ended it in another window. */
export function initialState(reference: SessionReference | undefined, isEnded = false): LifecycleState {
  const isExisting = reference !== undefined;
  const target = { requireExisting: isExisting, isUnrecorded: isExisting, ...(reference && { reference }) };
  return { name: isEnded ? 'ended' : 'disconnected', target };
}

/** What becomes of the session. An event that means nothing in this state leaves it as it is: the same object, no effects. */
export function transition(state: LifecycleState, event: LifecycleEvent, facts: LifecycleFacts): Transition {
  return next(state, event, facts) ?? { state, effects: [] };
}

/** Undefined when the event means nothing in this state. */
function next(state: LifecycleState, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  if (state.name === 'disposed') {
    return undefined;
  }
  if (event.type === 'dispose') {
    return { state: { name: 'disposed' }, effects: [{ type: 'detach' }] };
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
      return event.type === 'resume' ? start({ ...state.target, requireExisting: true }) : undefined;
  }
}

type In<Name extends LifecycleState['name']> = Extract<LifecycleState, { name: Name }>;

function whenDisconnected({ target }: In<'disconnected'>, event: LifecycleEvent): Transition | undefined {
  switch (event.type) {
    case 'open':
      return start(target);
    case 'restart_signed_in':
      return start(target, event.authenticateFirst);
    case 'resume':
      return start({ ...target, requireExisting: true });
    case 'end':
      return end(target);
    default:
      return undefined;
  }
}

function whenStarting({ target, authenticateFirst }: In<'starting'>, event: LifecycleEvent, facts: LifecycleFacts): Transition | undefined {
  if (event.type !== 'agent_ready') {
    return duringStart(target, event, facts);
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
      // The agent no longer has it: the conversation goes on without its memory.
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
      return start(target);
    case 'resume':
      return start({ ...target, requireExisting: true });
    case 'restart_signed_in':
      return start(target, event.authenticateFirst);
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
      // Some agents end when they may not do what was asked: signing in is still what helps, and starts them anew.
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

/** What means the same from the start of the process until the session is there. */
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

function start({ reference, ...target }: Target, authenticateFirst?: AuthMethod): Transition {
  return {
    state: { name: 'starting', target, ...(authenticateFirst && { authenticateFirst }) },
    effects: [{ type: 'start', ...(reference && { reference }) }],
  };
}

/** Leaves the process for one that was started after the sign-in. */
function restart(target: Target, authenticateFirst?: AuthMethod): Transition {
  const { state, effects } = start(target, authenticateFirst);
  return { state, effects: [{ type: 'detach' }, ...effects] };
}

/** Asks for the session that this conversation is of, where the agent can bring it back, else for a new one. */
function requestFirst(target: Target, facts: LifecycleFacts): Transition {
  const { sessionId, isSpoken, canLoad, canResume } = facts;
  const offered = { load: canLoad, resume: canResume };
  // What is on the screen already need not be told again; an empty one wants to be filled.
  const methods = (isSpoken ? (['resume', 'load'] as const) : (['load', 'resume'] as const)).filter((method) => offered[method]);
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

/** What a session's life is made of: its states, what happens to it, and what is done about that. `lifecycle.ts` says which leads to which. */
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
  /** The session to become, or to fork; absent once a start has written it into the conversation, and for a new session. */
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
  /** The agent may not start: its folders are not trusted. */
  | { readonly type: 'start_refused'; readonly failure: Failure }
  /** The agent has answered `initialize`. `authenticatedBy`: methods that this process was told of already. */
  | { readonly type: 'agent_ready'; readonly dialect: Dialect; readonly authenticatedBy: ReadonlySet<string> }
  | { readonly type: 'agent_ended'; readonly failure: Failure }
  | { readonly type: 'session_opened'; readonly opened: OpenedSession }
  | { readonly type: 'session_refused'; readonly failure: Failure }
  /** The sign-in that the session waited for was made, and the agent that runs knows of it. */
  | { readonly type: 'signed_in' }
  /** Only a process that starts from now on knows of the sign-in. With a method, it must be told of that first. */
  | { readonly type: 'restart_signed_in'; readonly authenticateFirst?: AuthMethod }
  /** The agent's process is to be ended and started again. `byUser`: the user chose this session for it, and not another one of the same agent. */
  | { readonly type: 'restart_agent'; readonly byUser: boolean }
  /** Nothing holds a session without an agent any more; `failure` when the session itself was given up: what it was refused with. */
  | { readonly type: 'sign_in_given_up'; readonly failure?: Failure }
  | { readonly type: 'change_folders'; readonly roots: SessionRoots }
  | { readonly type: 'cancel_start' }
  | { readonly type: 'end' }
  /** The agent has confirmed the end, or had its time to. */
  | { readonly type: 'closed' }
  | { readonly type: 'dispose' };

export type LifecycleEffect =
  /** Records where the session takes place, and joins the agent's process once that may start. `byUser`: the user may be asked about trust. */
  | { readonly type: 'start'; readonly reference?: SessionReference; readonly byUser: boolean }
  | { readonly type: 'record_agent'; readonly dialect: Dialect }
  /** Tells the agent of the method; the session waits for that. */
  | { readonly type: 'authenticate'; readonly method: AuthMethod }
  | { readonly type: 'require_sign_in'; readonly failure: Failure }
  | { readonly type: 'request_session'; readonly method: OpenMethod; readonly roots?: SessionRoots; readonly fork?: SessionReference }
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
  /** The agent offers `session/load`, `session/resume`, `session/fork`. */
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly canFork: boolean;
  /** Another conversation with the same process is of that session. */
  readonly isOpenElsewhere: boolean;
  /** The agent says how to sign in, and can be started again. */
  readonly canSignIn: boolean;
  /** The session or its prompt waits for a sign-in that the user sees: it is kept, whatever becomes of the agent meanwhile. */
  readonly isHeld: boolean;
}

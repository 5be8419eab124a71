/** The states, events and effects of a session's life cycle. `lifecycle.ts` has the transitions. */
import type { Dialect } from '../../acp/dialect';
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { SessionReference } from './sessionDependencies';
import type { Adoption } from './adoption';
import type { OpenedSession, OpenMethod } from './sessionOpener';
import type { SessionRoots } from './sessionRoots';

/** The session to open, while the conversation has none. */
export interface Target {
  /** True when only the conversation's existing session may be opened, and no new one in its place. */
  readonly requireExisting: boolean;
  /** True when the session was created elsewhere or before this record, so that its earlier messages are unknown here. */
  readonly isUnrecorded: boolean;
  /** The session to open or fork. Undefined for a new session, and after a start has recorded it in the conversation. */
  readonly reference?: SessionReference;
  /** The agent of an earlier window that has the session open. Nothing is requested then. */
  readonly adoption?: Adoption;
}

export type LifecycleState =
  /** No agent: not started yet, failed to start, ended, or restored from a journal. */
  | { readonly name: 'disconnected'; readonly target: Target }
  /** The process is starting or was joined, and has not answered `initialize`. */
  | { readonly name: 'starting'; readonly target: Target; readonly authenticateFirst?: AuthMethod }
  /** The session was requested. `others`: the methods to try next. `refusal`: the reason for requesting a new session. */
  | {
      readonly name: 'opening';
      readonly target: Target;
      readonly method: OpenMethod;
      readonly others: readonly OpenMethod[];
      readonly refusal?: Failure;
    }
  /** The agent requires a sign-in before it opens a session. */
  | { readonly name: 'waitingForSignIn'; readonly target: Target }
  /** The agent has ended, but the session or its prompt waits for a sign-in, which restarts the agent. */
  | { readonly name: 'lost'; readonly target: Target; readonly failure: Failure; readonly wasReady: boolean }
  | { readonly name: 'ready' }
  /** A session that was ready is requested again, with other folders. */
  | { readonly name: 'changingFolders'; readonly method: OpenMethod; readonly roots: SessionRoots }
  /** The user has ended the session, and the agent has not confirmed that yet. */
  | { readonly name: 'closing' }
  | { readonly name: 'ended'; readonly target: Target }
  /** The window closes, or the session is removed from the list. */
  | { readonly name: 'disposed' };

export type LifecycleEvent =
  /** The user starts or restarts the session. */
  | { readonly type: 'open' }
  /** The session continues with an agent that has outlived an earlier window. */
  | { readonly type: 'adopt'; readonly adoption: Adoption }
  /** The user resumes the session of this conversation. */
  | { readonly type: 'resume' }
  /** The agent must not start: its folders are not trusted. */
  | { readonly type: 'start_refused'; readonly failure: Failure }
  /** The agent has answered `initialize`. `authenticatedBy`: the methods by which this process is authenticated already. */
  | { readonly type: 'agent_ready'; readonly dialect: Dialect; readonly authenticatedBy: ReadonlySet<string> }
  | { readonly type: 'agent_ended'; readonly failure: Failure }
  | { readonly type: 'session_opened'; readonly opened: OpenedSession }
  | { readonly type: 'session_refused'; readonly failure: Failure }
  /** The user has signed in, and the running agent has the credentials. */
  | { readonly type: 'signed_in' }
  /** The user has signed in, and only a new process has the credentials. It receives `authenticate` first when there is a method. */
  | { readonly type: 'restart_signed_in'; readonly authenticateFirst?: AuthMethod }
  /** The agent's process must restart. `byUser`: the user chose this session for the restart, not another session of the same agent. */
  | { readonly type: 'restart_agent'; readonly byUser: boolean }
  /** No request waits for a sign-in any longer. `failure`: the failure of the session's own request, when that one was given up. */
  | { readonly type: 'sign_in_given_up'; readonly failure?: Failure }
  | { readonly type: 'change_folders'; readonly roots: SessionRoots }
  | { readonly type: 'cancel_start' }
  | { readonly type: 'end' }
  /** The agent has confirmed the end, or its time has expired. */
  | { readonly type: 'closed' }
  | { readonly type: 'dispose' };

export type LifecycleEffect =
  /** Records the folders and joins the agent's process when it may start. `byUser`: the user may be asked to trust the folders. */
  | { readonly type: 'start'; readonly reference?: SessionReference; readonly byUser: boolean }
  /** Joins the agent of an earlier window. */
  | { readonly type: 'join_kept'; readonly adoption: Adoption }
  /** Receives the messages of the session from now on, and continues its turn. */
  | { readonly type: 'adopt_session'; readonly adoption: Adoption }
  | { readonly type: 'record_agent'; readonly dialect: Dialect }
  /** Sends `authenticate`. The session waits for the response. */
  | { readonly type: 'authenticate'; readonly method: AuthMethod }
  | { readonly type: 'require_sign_in'; readonly failure: Failure }
  | { readonly type: 'request_session'; readonly method: OpenMethod; readonly roots?: SessionRoots; readonly fork?: SessionReference }
  /** Applies the agent's response and its replay to the conversation. */
  | {
      readonly type: 'accept_session';
      readonly opened: OpenedSession;
      readonly method: OpenMethod;
      readonly isUnrecorded: boolean;
      readonly refusal?: Failure;
    }
  | { readonly type: 'accept_folders'; readonly opened: OpenedSession; readonly method: OpenMethod; readonly roots: SessionRoots }
  | { readonly type: 'keep_folders'; readonly failure: Failure }
  /** Repeats the requests that waited for an open session. */
  | { readonly type: 'send_pending' }
  /** Records the failure and returns the prompt that the agent did not accept. */
  | { readonly type: 'fail'; readonly event: 'session_failed' | 'disconnected'; readonly failure: Failure }
  /** Records that the user has ended the session, and drops a prompt that the agent has not accepted. */
  | { readonly type: 'record_end' }
  /** Closes the session at the agent. */
  | { readonly type: 'close_session' }
  /** Leaves the agent's process and ignores its further responses. */
  | { readonly type: 'detach' };

/** The facts about the conversation and the agent that a transition reads. */
export interface LifecycleFacts {
  /** The agent's id for the conversation's session. */
  readonly sessionId?: string | undefined;
  /** True when the conversation has messages. */
  readonly isSpoken: boolean;
  /** True when the agent supports `session/load`, `session/resume`, `session/fork`. */
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly canFork: boolean;
  /** True when the agent may have sent messages that were lost with the connection, so that its replay is requested. */
  readonly isReplayWanted?: boolean;
  /** True when another conversation has claimed the session in the same process. */
  readonly isOpenElsewhere: boolean;
  /** True when the agent offers sign-in methods and can be restarted. */
  readonly canSignIn: boolean;
  /** True while the session or its prompt waits for a sign-in that is shown. The conversation is then kept even if the agent ends. */
  readonly isHeld: boolean;
}

/** Derived reads of a session's state; nothing here is stored. */
import type { PromptCapabilities } from './content';
import type { SessionState } from './state';

/** True while the agent works: a turn runs, or its updates come between turns. */
export function isBusy({ turn, work }: Pick<SessionState, 'turn' | 'work'>): boolean {
  return turn !== undefined || work !== undefined;
}

/** True while the agent works and the user has pressed Stop. */
export function isCancelling({ turn, work }: Pick<SessionState, 'turn' | 'work'>): boolean {
  return (turn ?? work)?.cancelling === true;
}

/** True while the agent works on although the user has pressed Stop: restarting it is offered. */
export function isUnresponsive({ turn, work }: Pick<SessionState, 'turn' | 'work'>): boolean {
  return (turn ?? work)?.isUnresponsive === true;
}

/** The id of the turn or of the work between turns that is going on. */
export function busyId({ turn, work }: Pick<SessionState, 'turn' | 'work'>): string | undefined {
  return turn?.turnId ?? work?.workId;
}

/** True until the user has said something: at most messages and notices of the agent are there, such as a banner. */
export function isNew({ entries, firstPrompt, turn }: Pick<SessionState, 'entries' | 'firstPrompt' | 'turn'>): boolean {
  if (firstPrompt || turn || entries.length > MAX_BANNER) {
    return false;
  }
  for (const { kind } of entries) {
    if (kind !== 'message' && kind !== 'notice') {
      return false;
    }
  }
  return true;
}

/**
 * True while a session holds nothing of the user's: no message was sent or queued, and the agent has no earlier conversation of it. A draft is stored
 * elsewhere.
 */
export function isUnused(state: SessionState): boolean {
  return isNew(state) && !state.work && !state.isFromAgent && state.queue.length === 0;
}

/** Entries of a conversation that counts as new at most. */
const MAX_BANNER = 20;

/** True while the agent waits for the user. */
export function needsYou(state: SessionState): boolean {
  return state.pendingPermissions.length > 0 || state.pendingElicitations.length > 0 || wantsSignIn(state) || wantsInput(state);
}

/** True while a command waits for input, and the agent waits for nothing else of the user. */
export function needsInputOnly(state: SessionState): boolean {
  return wantsInput(state) && state.pendingPermissions.length === 0 && state.pendingElicitations.length === 0 && !wantsSignIn(state);
}

/** True while a command waits for what the user types into its terminal. */
export function wantsInput({ terminals }: Pick<SessionState, 'terminals'>): boolean {
  for (const terminalId in terminals) {
    const { waiting, exitStatus, released } = terminals[terminalId]!;
    if (waiting && !exitStatus && !released) {
      return true;
    }
  }
  return false;
}

/** True while something waits for the user to sign in at the agent. */
export function wantsSignIn(state: Pick<SessionState, 'signIn'>): boolean {
  return state.signIn?.status === 'required' || state.signIn?.status === 'failed';
}

/** True while signing in is what the user sees: asked for, under way, or failed. */
export function showsSignIn(state: Pick<SessionState, 'signIn'>): boolean {
  return wantsSignIn(state) || state.signIn?.status === 'running';
}

/** Why a conversation without an agent can only be read. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'session.replayed',
  'session.agent_removed',
  'session.live_elsewhere',
  'session.restricted_mode',
  'session.newer_version',
]);

const NOT_OURS: ReadonlySet<string> = new Set(['session.live_elsewhere', 'session.newer_version', 'session.restricted_mode']);

/** True for a stored session that this window must not write. */
export function isReadOnlyHere({ failure }: Pick<SessionState, 'failure'>): boolean {
  return failure !== undefined && NOT_OURS.has(failure.code);
}

/**
 * True when its agent, which is gone, has said that it can bring the session back; or never had it, because the window went before: then it is asked for
 * the first time still.
 */
export function canResume({
  status,
  failure,
  sessionId,
  offers,
}: Pick<SessionState, 'status' | 'failure' | 'sessionId' | 'offers'>): boolean {
  const isLost = (status === 'disconnected' && !(failure && READ_ONLY.has(failure.code))) || status === 'ended';
  return isLost && (sessionId === undefined ? failure?.code === 'session.interrupted' : offers.load || offers.resume);
}

/** True while a prompt can be sent. */
export function takesPrompts(state: SessionState): boolean {
  return state.status === 'ready' && state.turn === undefined;
}

const EVERYTHING: PromptCapabilities = { image: true, audio: true, embeddedContext: true };

/** What the agent takes in a prompt; everything, until it has said: what waits for it is fitted when it is there, or given back. */
export function acceptedContent({ protocolVersion, promptCapabilities }: SessionState): PromptCapabilities {
  return protocolVersion === undefined ? EVERYTHING : promptCapabilities;
}

/** Values derived from a session's state; nothing here is stored. */
import { hasOwnTurn } from '../background/activeTasks';
import type { PromptCapabilities } from './content';
import { EntryList } from './entries';
import { type SessionState, withEntries } from './state';

/** True while the session's agent runs or is being started. */
export function isRunning({ status }: Pick<SessionState, 'status'>): boolean {
  return status === 'starting' || status === 'ready';
}

/** True while the agent works: a turn runs, or its updates come between turns. */
export function isBusy({ turn, work }: Pick<SessionState, 'turn' | 'work'>): boolean {
  return turn !== undefined || work !== undefined;
}

/** True while the agent works and the user has pressed Stop. */
export function isCancelling({ turn, work }: Pick<SessionState, 'turn' | 'work'>): boolean {
  return (turn ?? work)?.cancelling === true;
}

/** True while the agent works on after the user has pressed Stop. The page then offers to restart it. */
export function isUnresponsive({ turn, work }: Pick<SessionState, 'turn' | 'work'>): boolean {
  return (turn ?? work)?.isUnresponsive === true;
}

/** The id of the current turn, or of the work between turns. */
export function busyId({ turn, work }: Pick<SessionState, 'turn' | 'work'>): string | undefined {
  return turn?.turnId ?? work?.workId;
}

/** True until the user has sent something. A new conversation has at most messages and notices of the agent, such as a banner. */
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
 * True while the session has nothing from the user: no message was sent or queued, and the agent has no earlier conversation of it. A draft is stored
 * elsewhere.
 */
export function isUnused(state: SessionState): boolean {
  return isNew(state) && !state.work && !state.isFromAgent && state.queue.length === 0;
}

/** The most entries of a conversation that counts as new. */
const MAX_BANNER = 20;

/** True while the agent waits for the user. */
export function needsYou(state: SessionState): boolean {
  return state.pendingPermissions.length > 0 || state.pendingElicitations.length > 0 || wantsSignIn(state) || wantsInput(state);
}

/** True while a command waits for input, and the agent waits for nothing else of the user. */
export function needsInputOnly(state: SessionState): boolean {
  return wantsInput(state) && state.pendingPermissions.length === 0 && state.pendingElicitations.length === 0 && !wantsSignIn(state);
}

/** True while a command waits for the user's input in its terminal. */
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

/** True while the page shows signing in: required, under way, or failed. */
export function showsSignIn(state: Pick<SessionState, 'signIn'>): boolean {
  return wantsSignIn(state) || state.signIn?.status === 'running';
}

/** The reasons why a conversation without an agent can only be read. */
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

const PAUSES: ReadonlySet<string> = new Set(['session.interrupted', 'agent.idle']);

/** True when a session without an agent continues with the next message: its window closed, or its idle agent was closed. */
export function isPaused(state: Pick<SessionState, 'status' | 'failure' | 'sessionId' | 'capabilities'>): boolean {
  return state.failure !== undefined && PAUSES.has(state.failure.code) && canResume(state);
}

/**
 * True when the lost agent has announced that it can restore the session. Also true when the window closed before the agent had the session, which is
 * then requested for the first time. An idle agent is closed only when all of its sessions can continue.
 */
export function canResume({
  status,
  failure,
  sessionId,
  capabilities,
}: Pick<SessionState, 'status' | 'failure' | 'sessionId' | 'capabilities'>): boolean {
  const isLost = (status === 'disconnected' && !(failure && READ_ONLY.has(failure.code))) || status === 'ended';
  if (failure?.code === 'agent.idle') {
    return isLost;
  }
  return isLost && (sessionId === undefined ? failure?.code === 'session.interrupted' : capabilities.load || capabilities.resume);
}

/** True while a new session is opened whose options can be chosen already. */
export function choosesEarly({ status, sessionId, capabilities }: Pick<SessionState, 'status' | 'sessionId' | 'capabilities'>): boolean {
  return status === 'starting' && sessionId === undefined && capabilities.options === true;
}

/** True while a prompt can be sent: no turn runs, neither the user's nor one that the agent reports as its own. */
export function takesPrompts(state: SessionState): boolean {
  return state.status === 'ready' && !state.capabilities.readOnly && state.turn === undefined && !(state.work && hasOwnTurn(state));
}

const EVERYTHING: PromptCapabilities = { image: true, audio: true, embeddedContext: true };

/**
 * Returns the content that the agent accepts in a prompt. Until the agent has reported it, everything counts as accepted: waiting messages are fitted
 * or given back when it is known.
 */
export function acceptedContent({ protocolVersion, promptCapabilities }: SessionState): PromptCapabilities {
  return protocolVersion === undefined ? EVERYTHING : promptCapabilities;
}

/** Returns the conversation up to, but not including, this entry; undefined when the entry does not exist. */
export function conversationBefore(state: SessionState, entryId: string): SessionState | undefined {
  const index = state.entries.indexOf(entryId);
  return index < 0 ? undefined : withEntries(state, EntryList.of(state.entries.slice(0, index)));
}

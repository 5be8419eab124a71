/**
 * Rules of the message queue for host and page: the destination of a new message, the next message to send, the reasons to wait, and the size limits.
 */
import type { ContentBlock } from '../model/content';
import type { Failure } from '../model/failure';
import { canResume, showsSignIn, takesPrompts } from '../model/select';
import type { SessionState } from '../model/state';
import { type QueuedMessages, type QueuedMessage, sizeOfContent } from '../model/queuedMessage';

export const MAX_QUEUED_MESSAGES = 50;
/** The most UTF-16 units of all queued messages together: the limit of one prompt. */
export const MAX_QUEUE_SIZE = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** The destination of a message that the user sends now: a turn at once, the queue, the queue while the session is resumed for it, or refused. */
export type MessageDestination = 'turn' | 'queue' | 'resume' | 'refused';

export function messageDestination(state: SessionState): MessageDestination {
  if (state.capabilities.readOnly) {
    return 'refused';
  }
  if (state.continuation && (state.status === 'ready' || canResume(state))) {
    return 'queue'; // The agent takes nothing before its limit resets.
  }
  if (takesPrompts(state)) {
    // The message comes after messages that are about to be sent, but before those that wait for the user.
    return state.pendingConfig || state.queue.some(({ paused }) => !paused) ? 'queue' : 'turn';
  }
  if (state.status === 'ready' || state.status === 'starting') {
    return 'queue';
  }
  const isBroken = state.status === 'failed' && state.reconnect !== undefined;
  return isBroken || (state.status === 'disconnected' && canResume(state)) ? 'resume' : 'refused';
}

/**
 * Returns the message to send now; undefined while a turn runs, the agent is not ready, sets an option or is at its limit, or there is none to send.
 */
export function nextQueued(state: SessionState): QueuedMessage | undefined {
  const next = takesPrompts(state) && !state.pendingConfig && !state.continuation ? state.queue.find(({ paused }) => !paused) : undefined;
  return next?.editing || next?.steering ? undefined : next;
}

/** The ways to send a message at once while a turn runs: into that turn, or by interrupting it. */
export type SendNow = 'steer' | 'interrupt';

/** Returns the ways to send a message at once in this session, the gentler way first; empty when there are none. */
export function waysToSendNow({
  status,
  turn,
  signIn,
  capabilities,
}: Pick<SessionState, 'status' | 'turn' | 'signIn' | 'capabilities'>): readonly SendNow[] {
  if (status !== 'ready' || !turn) {
    return NO_WAY;
  }
  return capabilities.steer && !turn.cancelling && !showsSignIn({ signIn }) ? BOTH_WAYS : ONE_WAY;
}

const NO_WAY: readonly SendNow[] = [];
const ONE_WAY: readonly SendNow[] = ['interrupt'];
const BOTH_WAYS: readonly SendNow[] = ['steer', 'interrupt'];

/** True for a turn's end after which queued messages wait for the user: it was stopped, failed, or ended before the agent was done. */
export function pausesQueue(stopReason: string): boolean {
  return PAUSING.has(stopReason);
}

const PAUSING: ReadonlySet<string> = new Set(['cancelled', 'error', 'refusal', 'max_tokens', 'max_turn_requests']);

/** True when messages wait for the user, who can resume them: the agent runs, starts, or can be brought back. */
export function canResumeQueue(state: SessionState): boolean {
  return state.queue.some(({ paused }) => paused) && (state.status === 'ready' || state.status === 'starting' || canResume(state));
}

/** True when messages wait for the user because the agent does not confirm an option. */
export function waitsForConfig(state: SessionState): boolean {
  return state.pendingConfig?.overdue === true && state.queue.length > 0;
}

/** Returns the reason why the queue has no room for this message, or for this content in the message `queueId`. */
export function queueProblem(queue: QueuedMessages, content: readonly ContentBlock[], queueId?: string): Failure | undefined {
  const others = queue.filter((message) => message.queueId !== queueId);
  if (others.length >= MAX_QUEUED_MESSAGES) {
    return { code: 'queue.full', params: { count: MAX_QUEUED_MESSAGES } };
  }
  const size = others.reduce((sum, message) => sum + message.size, sizeOfContent(content));
  return size > MAX_QUEUE_SIZE ? { code: 'queue.too_large', params: { megabytes: MAX_QUEUE_SIZE / MEGABYTE } } : undefined;
}

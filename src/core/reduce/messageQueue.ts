/** The messages that wait for the agent. The user decides their order. A message leaves when its turn starts, or when it is removed. */
import type { SessionEvent } from '../model/event';
import type { QueuedMessages, QueuedMessage } from '../model/queuedMessage';
import { pausesQueue } from '../queue/rules';
import type { SessionState } from '../model/state';

type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

export function reduceMessageQueued(state: SessionState, { queueId, content, size }: Of<'message_queued'>): SessionState {
  return { ...state, queue: [...withoutMessage(state.queue, queueId), { queueId, content, size }] };
}

/** Ignores an event about a message that is no longer in the queue. */
export function reduceQueuedEditing(state: SessionState, { queueId, editing }: Of<'queued_message_editing'>): SessionState {
  return changed(state, queueId, ({ editing: _, ...rest }) => (editing ? { ...rest, editing } : rest));
}

export function reduceQueuedEdited(state: SessionState, { queueId, content, size }: Of<'queued_message_edited'>): SessionState {
  return changed(state, queueId, ({ editing: _, ...rest }) => ({ ...rest, content, size }));
}

/** An index beyond the end counts as the end. */
export function reduceQueuedMoved(state: SessionState, { queueId, index }: Of<'queued_message_moved'>): SessionState {
  const message = state.queue.find((each) => each.queueId === queueId);
  if (!message) {
    return state;
  }
  const others = withoutMessage(state.queue, queueId);
  return { ...state, queue: [...others.slice(0, index), message, ...others.slice(index)] };
}

/** Moves a message to the front, whether or not it waited for the user. */
export function reduceQueuedFirst(state: SessionState, { queueId }: Of<'queued_message_first'>): SessionState {
  const message = state.queue.find((each) => each.queueId === queueId);
  if (!message) {
    return state;
  }
  const { paused: _, ...rest } = message;
  return { ...state, queue: [rest, ...withoutMessage(state.queue, queueId)] };
}

export function reduceQueuedSteering(state: SessionState, { queueId, steering }: Of<'queued_message_steering'>): SessionState {
  return changed(state, queueId, ({ steering: _, ...rest }) => (steering ? { ...rest, steering } : rest));
}

export function reduceQueuedRemoved(state: SessionState, { queueId }: Of<'queued_message_removed'>): SessionState {
  const queue = withoutMessage(state.queue, queueId);
  return queue === state.queue ? state : { ...state, queue };
}

export function resumeQueue(state: SessionState): SessionState {
  return state.queue.some(({ paused }) => paused) ? { ...state, queue: state.queue.map(({ paused: _, ...rest }) => rest) } : state;
}

/** Messages of the user that waited for the reset wait for the user when there is no continuation any longer. */
export function reduceContinueScheduled(state: SessionState, { continuesAt: at, turnId }: Of<'continue_scheduled'>): SessionState {
  return at === undefined ? pauseQueue(withoutContinuation(state)) : { ...state, continuation: { at, turnId } };
}

/** The conversation continues, so it no longer waits for a limit's reset. */
export function withoutContinuation(state: SessionState): SessionState {
  return state.continuation ? { ...state, continuation: undefined } : state;
}

/** Makes the queued messages wait for the user. Messages queued later do not wait. */
export function pauseQueue(state: SessionState): SessionState {
  const queue = pausedQueue(state.queue);
  return queue === state.queue ? state : { ...state, queue };
}

/** Returns the same reference when all of them wait already. */
export function pausedQueue(queue: QueuedMessages): QueuedMessages {
  return queue.every(({ paused }) => paused) ? queue : queue.map((message) => ({ ...message, paused: true }));
}

/**
 * Pauses the queue when the agent is lost. Nothing shows whether the agent took a message that it was asked to take, so the user decides about that
 * one, too.
 */
export function detachQueue(state: SessionState): SessionState {
  const isSteering = state.queue.some(({ steering }) => steering);
  return pauseQueue(isSteering ? { ...state, queue: state.queue.map(({ steering: _, ...rest }) => rest) } : state);
}

/** `cancelling`: the user had stopped the turn, which already paused the queue. */
export function queueAfterTurn(queue: QueuedMessages, stopReason: string, cancelling: boolean): QueuedMessages {
  return pausesQueue(stopReason) && !(cancelling && stopReason === 'cancelled') ? pausedQueue(queue) : queue;
}

/** Returns the same reference when the message is not in the queue. */
export function withoutMessage(queue: QueuedMessages, queueId: string): QueuedMessages {
  return queue.some((message) => message.queueId === queueId) ? queue.filter((message) => message.queueId !== queueId) : queue;
}

function changed(state: SessionState, queueId: string, change: (message: QueuedMessage) => QueuedMessage): SessionState {
  return state.queue.some((message) => message.queueId === queueId)
    ? { ...state, queue: state.queue.map((message) => (message.queueId === queueId ? change(message) : message)) }
    : state;
}

/**
 * The queued messages of one session: adds and changes them, and starts the next one's turn when `core/queue/rules.ts` allows it. The queue itself
 * is part of the state. Changing or removing a message that was sent already returns a failure.
 */
import type { ContentBlock } from '../core/model/content';
import type { Failure } from '../core/model/failure';
import { entryIdOf } from '../core/model/state';
import { editedContent } from '../core/queue/queuedContent';
import type { StoredQueue } from './journal/storedQueue';
import { type Continuation, type QueuedMessages as Queue, type QueuedMessage, sizeOfContent } from '../core/model/queuedMessage';
import { nextQueued, queueProblem, type SendNow, waysToSendNow } from '../core/queue/rules';
import { afterSteering, type SteerOutcome } from '../core/queue/steering';
import type { SessionNotices } from './state/sessionNotices';
import type { SessionStore } from './state/store';

export interface MessageQueueDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  /** The agent's name in the settings. */
  readonly agentName: string;
  /** False when another extension host owns the messages, so that the user sees them there. */
  isOurs(): boolean;
  /** Starts a turn with this id. Returns the reason why it cannot. */
  send(content: readonly ContentBlock[], turnId: string): Failure | undefined;
  /** Adds a message to the running turn and reports the agent's answer. Returns the reason why it cannot. */
  steer(content: readonly ContentBlock[], settled: (answer: SteerOutcome | Failure) => void): Failure | undefined;
  /** Stops the running turn, if there is one, because another message follows. */
  interrupt(): void;
}

export class MessageQueue {
  private count = 0;

  constructor(private readonly deps: MessageQueueDependencies) {}

  private get queue(): Queue {
    return this.deps.store.state.queue;
  }

  /** Adds a message at the end of the queue, or sends it at once. Returns the reason why the queue is full. */
  add(content: readonly ContentBlock[], now?: SendNow): Failure | undefined {
    const problem = queueProblem(this.queue, content);
    if (problem) {
      return problem;
    }
    const queueId = this.mintId();
    this.deps.store.append({ type: 'message_queued', queueId, content, size: sizeOfContent(content) });
    return now && this.sendNow(queueId, now);
  }

  /**
   * Sends a message before its turn: into the running turn where the agent supports steering, or instead of it. A message that the user is editing
   * is not sent. Returns a failure when the message was sent already.
   */
  sendNow(queueId: string, how: SendNow): Failure | undefined {
    return this.change(queueId, (message) => {
      if (message.editing) {
        return;
      }
      if (how === 'steer' && waysToSendNow(this.deps.store.state).includes('steer')) {
        this.steer(message);
        return;
      }
      this.stopWaiting();
      this.deps.store.append({ type: 'queued_message_first', queueId });
      if (how === 'interrupt') {
        this.deps.interrupt();
      }
      this.sendNext();
    });
  }

  /** Starts editing: the message is not sent before {@link save} or {@link cancelEdit}. Returns a failure when it was sent already. */
  edit(queueId: string): Failure | undefined {
    return this.change(queueId, () => this.deps.store.append({ type: 'queued_message_editing', queueId, editing: true }));
  }

  /**
   * Saves the edited text.
   * @param kept the indexes of the attachments that stay. Returns a failure when the message cannot be saved, and editing then continues.
   */
  save(queueId: string, text: string, kept: readonly number[]): Failure | undefined {
    let problem: Failure | undefined;
    const sent = this.change(queueId, (message) => {
      const content = editedContent(message.content, text, kept);
      problem = queueProblem(this.queue, content, queueId);
      if (!problem && content.length > 0) {
        this.deps.store.append({ type: 'queued_message_edited', queueId, content, size: sizeOfContent(content) });
        this.sendNext();
      }
    });
    return sent ?? problem;
  }

  cancelEdit(queueId: string): void {
    this.change(queueId, () => {
      this.deps.store.append({ type: 'queued_message_editing', queueId, editing: false });
      this.sendNext();
    });
  }

  /** Moves a message to this index, counted without the message. Returns a failure when it was sent already. */
  move(queueId: string, index: number): Failure | undefined {
    return this.change(queueId, () => {
      this.deps.store.append({ type: 'queued_message_moved', queueId, index });
      this.sendNext();
    });
  }

  /** Removes a message. Returns a failure when it was sent already. */
  remove(queueId: string): Failure | undefined {
    return this.change(queueId, () => {
      this.deps.store.append({ type: 'queued_message_removed', queueId });
      // While it was edited, the message may have blocked others.
      this.sendNext();
    });
  }

  /** Sends the paused messages, one after the other. */
  resume(): void {
    if (this.queue.some(({ paused }) => paused)) {
      this.deps.store.append({ type: 'queue_resumed' });
      this.sendNext();
    }
  }

  /** Moves the messages to `other`, where they are paused. */
  moveTo(other: MessageQueue): void {
    for (const { queueId, content } of this.queue) {
      if (!other.add(content)) {
        this.deps.store.append({ type: 'queued_message_removed', queueId });
      }
    }
    other.pause();
    // The other conversation continues instead.
    this.stopWaiting();
  }

  /** Gives up the wait for a limit's reset. The queue then waits for the user. */
  stopWaiting(): void {
    if (this.deps.store.state.continuation) {
      this.deps.store.append({ type: 'continue_scheduled' });
    }
  }

  private pause(): void {
    this.deps.store.append({ type: 'queue_paused' });
  }

  /** Starts the turn of the next message that can be sent now. */
  sendNext(): void {
    const { store, notices, agentName, isOurs, send } = this.deps;
    const next = nextQueued(store.state);
    if (next && !isOurs()) {
      this.pause();
      return;
    }
    const refused = next && send(next.content, next.queueId);
    if (refused) {
      this.pause();
      notices.warn(agentName, refused);
    }
  }

  private steer({ queueId, content }: QueuedMessage): void {
    const { store, notices, steer } = this.deps;
    store.append({ type: 'queued_message_steering', queueId, steering: true });
    const refused = steer(content, (answer) => this.steered(queueId, answer));
    if (refused) {
      store.append({ type: 'queued_message_steering', queueId, steering: false });
      notices.warn('', refused);
    }
  }

  private steered(queueId: string, answer: SteerOutcome | Failure): void {
    const { store, notices } = this.deps;
    const message = this.queue.find((each) => each.queueId === queueId);
    if (!message?.steering) {
      return;
    }
    const { message: becomes, failure, isInfo } = afterSteering(answer);
    if (becomes === 'sent') {
      store.append(
        { type: 'queued_message_removed', queueId },
        { type: 'message', role: 'user', messageId: queueId, content: message.content },
      );
    } else {
      store.append({ type: 'queued_message_steering', queueId, steering: false });
      if (becomes === 'next' && !message.paused) {
        store.append({ type: 'queued_message_first', queueId });
      } else if (becomes === 'paused') {
        this.pause();
      }
    }
    if (failure && isInfo) {
      notices.inform(failure);
    } else if (failure) {
      notices.warn('', failure);
    }
    this.sendNext();
  }

  /** Applies a change to a queued message. Returns a failure when the message was sent already, and nothing when it was removed. */
  private change(queueId: string, apply: (message: QueuedMessage) => void): Failure | undefined {
    const message = this.queue.find((each) => each.queueId === queueId);
    if (message?.steering) {
      return { code: 'queue.already_sent' };
    }
    if (message) {
      apply(message);
      return undefined;
    }
    return this.isSent(queueId) ? { code: 'queue.already_sent' } : undefined;
  }

  private isSent(queueId: string): boolean {
    return isInConversation(this.deps.store.state.entries, queueId);
  }

  /** Returns an id that no other message of this conversation has, including restored ones. */
  private mintId(): string {
    let queueId: string;
    do {
      queueId = `queued-${this.deps.store.seq}-${++this.count}`;
    } while (this.queue.some((message) => message.queueId === queueId) || this.isSent(queueId));
    return queueId;
  }
}

/** The restored queue: the messages that were not sent, all of them paused, and the wait for a limit's reset. */
export function restoredQueue(
  { messages, continuation }: StoredQueue,
  entries: Entries,
  isRunning = false,
): { queue: Queue; continuation?: Continuation } {
  const queue = messages
    .filter(({ queueId }) => !isInConversation(entries, queueId))
    .map(({ queueId, content }) => ({ queueId, content, size: sizeOfContent(content), ...(!isRunning && { paused: true as const }) }));
  return { queue, ...(continuation && { continuation }) };
}

type Entries = SessionStore['state']['entries'];

function isInConversation(entries: Entries, queueId: string): boolean {
  return entries.indexOf(entryIdOf.message('user', queueId)) >= 0;
}

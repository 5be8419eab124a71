/**
 * The messages of one session that wait for the agent: takes them in, changes them, and starts the next one's turn when `core/queue/rules.ts` says so. The
 * queue itself is in the state. Who removes or changes a message that is being sent already is told so.
 */
import type { ContentBlock } from '../core/model/content';
import type { Failure } from '../core/model/failure';
import { entryIdOf } from '../core/model/state';
import { editedContent } from '../core/queue/editing';
import { type MessageQueue as Queue, type QueuedMessage, sizeOfContent } from '../core/queue/queuedMessage';
import { nextQueued, queueProblem, type SendNow, waysToSendNow } from '../core/queue/rules';
import { afterSteering, type SteerOutcome } from '../core/queue/steering';
import type { SessionNotices } from './sessionNotices';
import type { SessionStore } from './store';

export interface MessageQueueDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  /** The agent's name in settings. */
  readonly agentName: string;
  /** False when another extension host has the messages by now, and the user with them. */
  isOurs(): boolean;
  /** Starts a turn of this id; returns why it cannot. */
  send(content: readonly ContentBlock[], turnId: string): Failure | undefined;
  /** Puts a message into the running turn, and says what the agent answered; returns why it cannot. */
  steer(content: readonly ContentBlock[], settled: (answer: SteerOutcome | Failure) => void): Failure | undefined;
  /** Stops the running turn, if there is one, for a message to follow. */
  interrupt(): void;
}

export class MessageQueue {
  private count = 0;

  constructor(private readonly dependencies: MessageQueueDependencies) {}

  private get queue(): Queue {
    return this.dependencies.store.state.queue;
  }

  /** Puts it at the end, to be sent in its turn or at once. Returns why there is no room. */
  add(content: readonly ContentBlock[], now?: SendNow): Failure | undefined {
    const problem = queueProblem(this.queue, content);
    if (problem) {
      return problem;
    }
    const queueId = this.mintId();
    this.dependencies.store.append({ type: 'message_queued', queueId, content, size: sizeOfContent(content) });
    return now && this.sendNow(queueId, now);
  }

  /**
   * Sends it before what it waits for is over: into the running turn, where the agent has a way, or instead of it. One that the user is changing is not
   * sent. Returns that it was sent already.
   */
  sendNow(queueId: string, how: SendNow): Failure | undefined {
    return this.change(queueId, (message) => {
      if (message.editing) {
        return;
      }
      if (how === 'steer' && waysToSendNow(this.dependencies.store.state).includes('steer')) {
        this.steer(message);
        return;
      }
      this.dependencies.store.append({ type: 'queued_message_first', queueId });
      if (how === 'interrupt') {
        this.dependencies.interrupt();
      }
      this.sendNext();
    });
  }

  /** The user begins to change it: it is not sent before {@link save} or {@link cancelEdit}. Returns that it was sent already. */
  edit(queueId: string): Failure | undefined {
    return this.change(queueId, () => this.dependencies.store.append({ type: 'queued_message_editing', queueId, editing: true }));
  }

  /** Its text from now on, and the places of the attachments that stay with it. Returns why not; the user goes on changing it then. */
  save(queueId: string, text: string, kept: readonly number[]): Failure | undefined {
    let problem: Failure | undefined;
    const sent = this.change(queueId, (message) => {
      const content = editedContent(message.content, text, kept);
      problem = queueProblem(this.queue, content, queueId);
      if (!problem && content.length > 0) {
        this.dependencies.store.append({ type: 'queued_message_edited', queueId, content, size: sizeOfContent(content) });
        this.sendNext();
      }
    });
    return sent ?? problem;
  }

  /** It stays as it was. */
  cancelEdit(queueId: string): void {
    this.change(queueId, () => {
      this.dependencies.store.append({ type: 'queued_message_editing', queueId, editing: false });
      this.sendNext();
    });
  }

  /** To this place, counted without it. Returns that it was sent already. */
  move(queueId: string, index: number): Failure | undefined {
    return this.change(queueId, () => {
      this.dependencies.store.append({ type: 'queued_message_moved', queueId, index });
      this.sendNext();
    });
  }

  /** Takes it back: it will not be sent. Returns that it was sent already. */
  remove(queueId: string): Failure | undefined {
    return this.change(queueId, () => {
      this.dependencies.store.append({ type: 'queued_message_removed', queueId });
      // It may have been in the way of others, by being changed.
      this.sendNext();
    });
  }

  /** What waits for the user is sent, one after the other. */
  resume(): void {
    if (this.queue.some(({ paused }) => paused)) {
      this.dependencies.store.append({ type: 'queue_resumed' });
      this.sendNext();
    }
  }

  /** What waits here waits in `other` from now on, for the user. */
  moveTo(other: MessageQueue): void {
    for (const { queueId, content } of this.queue) {
      if (!other.add(content)) {
        this.dependencies.store.append({ type: 'queued_message_removed', queueId });
      }
    }
    other.pause();
  }

  private pause(): void {
    this.dependencies.store.append({ type: 'queue_paused' });
  }

  /** Starts the next one's turn, when there is one to be sent now. */
  sendNext(): void {
    const { store, notices, agentName, isOurs, send } = this.dependencies;
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
    const { store, notices, steer } = this.dependencies;
    store.append({ type: 'queued_message_steering', queueId, steering: true });
    const refused = steer(content, (answer) => this.steered(queueId, answer));
    if (refused) {
      store.append({ type: 'queued_message_steering', queueId, steering: false });
      notices.warn('', refused);
    }
  }

  private steered(queueId: string, answer: SteerOutcome | Failure): void {
    const { store, notices } = this.dependencies;
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

  /** Returns that the message was sent already; one that was removed before is nothing to speak of. */
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
    return isInConversation(this.dependencies.store.state.entries, queueId);
  }

  /** Of no other message of this conversation, also when it was read back. */
  private mintId(): string {
    let queueId: string;
    do {
      queueId = `queued-${this.dependencies.store.seq}-${++this.count}`;
    } while (this.queue.some((message) => message.queueId === queueId) || this.isSent(queueId));
    return queueId;
  }
}

/** What a journal's conversation goes on with: messages that were queued and not sent, all of them waiting for the user. */
export function restoredQueue(messages: readonly Pick<QueuedMessage, 'queueId' | 'content'>[], entries: Entries): Queue {
  return messages
    .filter(({ queueId }) => !isInConversation(entries, queueId))
    .map(({ queueId, content }) => ({ queueId, content, size: sizeOfContent(content), paused: true }));
}

type Entries = SessionStore['state']['entries'];

function isInConversation(entries: Entries, queueId: string): boolean {
  return entries.indexOf(entryIdOf.message('user', queueId)) >= 0;
}

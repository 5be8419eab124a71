/**
 * A session's queued messages on disk, beside its journal: they outlive a window that is reloaded and one that crashes. The whole queue is written whenever it
 * has changed, after what happened in the conversation: a message that was sent is in the journal before it is gone from here.
 *
 * The file names the extension host that it belongs to, the last one in which the user had to do with it. After a reload in a browser the old host may run on
 * for minutes; it must not send what the user has before them in the new one.
 */
import { randomUUID } from 'node:crypto';
import type { SessionEvent } from '../../core/model/event';
import type { Disposable, Log } from '../../core/model/ports';
import { parseIntent } from '../../core/protocol/intent';
import { isQueueEvent, type MessageQueue, type QueuedMessage } from '../../core/queue/queuedMessage';
import type { SessionStore } from '../store';

/** Where queues are kept. */
export interface QueueFiles {
  /** Replaces what is kept for this key; without `text` nothing is kept any more. */
  writeQueue(key: string, text: string | undefined): Promise<void>;
  readQueue(key: string): Promise<string | undefined>;
  /** The first 100 bytes of what is kept, which hold the owner; undefined when nothing is. At once: nothing may come between it and what depends on it. */
  readQueueHead(key: string): string | undefined;
}

/** What is kept of a message. */
export type StoredMessage = Pick<QueuedMessage, 'queueId' | 'content'>;

/** The format's version. */
const VERSION = 1;

export class QueueFile implements Disposable {
  private readonly owner = randomUUID();
  private written: MessageQueue;
  private isPending = false;
  /** What is pending is the user's doing, here. */
  private claims = false;
  /** This host has written the file, and not removed it since. */
  private isOnDisk = false;
  private writing: Promise<void> = Promise.resolve();
  private readonly subscription: Disposable;

  constructor(
    private readonly files: QueueFiles,
    private readonly key: string,
    private readonly store: SessionStore,
    /** Resolves when the journal has all that happened so far. */
    private readonly journaled: () => Promise<void>,
    private readonly log: Pick<Log, 'error'>,
  ) {
    this.written = store.state.queue;
    this.subscription = store.onEvents((_, events) => this.onEvents(events));
    // Something was queued, or read back, before there was anybody to write it; by now it may be gone again.
    this.claims = true;
    this.schedule();
  }

  /** False when the messages are another extension host's by now. */
  get isOurs(): boolean {
    if (this.claims || !this.isOnDisk) {
      return true;
    }
    try {
      return ownerIn(this.files.readQueueHead(this.key)) === this.owner;
    } catch {
      return true; // What cannot be read is nobody else's either.
    }
  }

  /** All of it is on disk when this resolves. */
  flush(): Promise<void> {
    return this.writing;
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Runs with every event. */
  private onEvents(events: readonly SessionEvent[]): void {
    if (this.store.state.queue !== this.written) {
      this.claims ||= events.some((event) => isQueueEvent(event) && event.type !== 'queue_paused');
      this.schedule();
    }
  }

  private schedule(): void {
    if (!this.isPending) {
      this.isPending = true;
      this.writing = this.writing.then(() => this.write());
    }
  }

  private async write(): Promise<void> {
    await this.journaled();
    this.isPending = false;
    const { queue } = this.store.state;
    this.written = queue;
    const mayWrite = this.claims || this.isOurs;
    this.claims = false;
    if (!mayWrite) {
      return;
    }
    try {
      this.isOnDisk &&= queue.length > 0;
      await this.files.writeQueue(this.key, queue.length > 0 ? textOf(queue, this.owner) : undefined);
      this.isOnDisk = queue.length > 0;
    } catch (error) {
      this.log.error(`The queue of ${this.key} cannot be written: ${String(error)}`);
    }
  }
}

function textOf(queue: MessageQueue, owner: string): string {
  const messages: StoredMessage[] = queue.map(({ queueId, content }) => ({ queueId, content }));
  return JSON.stringify({ acpHostQueue: VERSION, owner, messages });
}

function ownerIn(head: string | undefined): string | undefined {
  return /^\{"acpHostQueue":\d+,"owner":"([\w-]+)"/.exec(head ?? '')?.[1];
}

/** What is kept for this key. Never rejects: what cannot be read is left where it is. */
export async function readQueue(files: QueueFiles, key: string, log: Pick<Log, 'warn'>): Promise<readonly StoredMessage[]> {
  try {
    const text = await files.readQueue(key);
    return text === undefined ? [] : parseQueue(text);
  } catch (error) {
    log.warn(`The queue of ${key} cannot be read: ${String(error)}`);
    return [];
  }
}

/** Throws when it is no queue, or one of a newer version. A message that does not fit costs itself. */
export function parseQueue(text: string): readonly StoredMessage[] {
  const { acpHostQueue, messages } = JSON.parse(text) as { acpHostQueue?: unknown; messages?: unknown };
  if (acpHostQueue !== VERSION || !Array.isArray(messages)) {
    throw new TypeError('not a queue that this version knows');
  }
  return messages.flatMap((message: unknown) => {
    const { queueId, content } = (message ?? {}) as { queueId?: unknown; content?: unknown };
    const prompt = parseIntent({ type: 'prompt', content });
    return typeof queueId === 'string' && prompt?.type === 'prompt' ? [{ queueId, content: prompt.content }] : [];
  });
}

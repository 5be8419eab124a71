/**
 * A session's queued messages on disk, beside its journal: they outlive a window that is reloaded and one that crashes. The whole queue is written whenever it
 * has changed, after what happened in the conversation: a message that was sent is in the journal before it is gone from here. The extension host that owns
 * the session writes it, and sends what is in it: see `storage/sessionOwners.ts`.
 */
import { isMention } from '../../core/mentions/mention';
import type { Disposable, Log } from '../../core/model/ports';
import { parseIntent } from '../../core/protocol/intent';
import type { MessageQueue, QueuedMessage } from '../../core/queue/queuedMessage';
import type { SessionStore } from '../store';

/** Where queues are kept. */
export interface QueueFiles {
  /** Replaces what is kept for this key; without `text` nothing is kept any more. */
  writeQueue(key: string, text: string | undefined): Promise<void>;
  readQueue(key: string): Promise<string | undefined>;
}

/** What is kept of a message. */
export type StoredMessage = Pick<QueuedMessage, 'queueId' | 'content'>;

/** The format's version. */
const VERSION = 1;

export class QueueFile implements Disposable {
  private written: MessageQueue;
  private isPending = false;
  private writing: Promise<void> = Promise.resolve();
  private readonly subscription: Disposable;

  constructor(
    private readonly files: QueueFiles,
    private readonly key: string,
    private readonly store: SessionStore,
    /** Resolves when the journal has all that happened so far. */
    private readonly journaled: () => Promise<void>,
    /** False when another extension host has the session by now. */
    private readonly isOurs: () => boolean,
    private readonly log: Pick<Log, 'error'>,
  ) {
    this.written = store.state.queue;
    this.subscription = store.onEvents(() => this.onEvents());
    // Something was queued, or read back, before there was anybody to write it; by now it may be gone again.
    this.schedule();
  }

  /** What could not be written may be written now. */
  retry(): void {
    this.schedule();
  }

  /** All of it is on disk when this resolves. */
  flush(): Promise<void> {
    return this.writing;
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Runs with every event. */
  private onEvents(): void {
    if (this.store.state.queue !== this.written) {
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
    if (!this.isOurs()) {
      return;
    }
    try {
      await this.files.writeQueue(this.key, queue.length > 0 ? textOf(queue) : undefined);
    } catch (error) {
      this.log.error(`The queue of ${this.key} cannot be written: ${String(error)}`);
    }
  }
}

function textOf(queue: MessageQueue): string {
  const messages: StoredMessage[] = queue.map(({ queueId, content }) => ({ queueId, content }));
  return JSON.stringify({ acpHostQueue: VERSION, messages });
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
    return typeof queueId === 'string' && prompt?.type === 'prompt'
      ? [{ queueId, content: prompt.content.filter((block) => !isMention(block)) }]
      : [];
  });
}

/**
 * A session's queued messages on disk, beside its journal. They survive reloading the window and a crash. Each change writes the whole queue, after
 * the journal: a sent message is in the journal before it leaves this file. The extension host that owns the session writes the file and sends its
 * messages: see `storage/sessionOwners.ts`.
 */
import { isMention } from '../../core/mentions/mention';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { SessionState } from '../../core/model/state';
import { parseIntent } from '../../core/protocol/intent';
import type { Continuation } from '../../core/model/queuedMessage';
import type { SessionStore } from '../state/store';
import { NO_QUEUE, type StoredMessage, type StoredQueue } from './storedQueue';

/** The storage of queues. */
export interface QueueFiles {
  /** Replaces the stored queue of this key; deletes it when `text` is undefined. */
  writeQueue(key: string, text: string | undefined): Promise<void>;
  readQueue(key: string): Promise<string | undefined>;
}

type Written = Pick<SessionState, 'queue' | 'continuation'>;

/** The format's version. */
const VERSION = 1;

export class QueueFile implements Disposable {
  private written: Written;
  private isPending = false;
  private writing: Promise<void> = Promise.resolve();
  private readonly subscription: Disposable;

  constructor(
    private readonly files: QueueFiles,
    private readonly key: string,
    private readonly store: SessionStore,
    /** Resolves when the journal has all events so far. */
    private readonly journaled: () => Promise<void>,
    /** False when another extension host owns the session. */
    private readonly isOurs: () => boolean,
    private readonly log: Pick<Log, 'error'>,
  ) {
    this.written = store.state;
    this.subscription = store.onEvents(() => this.onEvents());
    // The queue may have changed before this object existed, so the file may be out of date.
    this.schedule();
  }

  /** Writes the queue again after a failed write. */
  retry(): void {
    this.schedule();
  }

  /** Resolves when the queue is on disk. */
  flush(): Promise<void> {
    return this.writing;
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Runs for each event. */
  private onEvents(): void {
    const { queue, continuation } = this.store.state;
    if (queue !== this.written.queue || continuation !== this.written.continuation) {
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
    const { queue, continuation } = this.store.state;
    this.written = { queue, continuation };
    if (!this.isOurs()) {
      return;
    }
    try {
      await this.files.writeQueue(this.key, queue.length > 0 || continuation ? textOf(this.written) : undefined);
    } catch (error) {
      this.log.error(`The queue of ${this.key} cannot be written: ${String(error)}`);
    }
  }
}

function textOf({ queue, continuation }: Written): string {
  const messages: StoredMessage[] = queue.map(({ queueId, content }) => ({ queueId, content }));
  return JSON.stringify({ acpHostQueue: VERSION, messages, ...(continuation && { continuation }) });
}

/** The stored queue of this key. Never rejects. A file that cannot be read is left unchanged. */
export async function readQueue(files: QueueFiles, key: string, log: Pick<Log, 'warn'>): Promise<StoredQueue> {
  try {
    const text = await files.readQueue(key);
    return text === undefined ? NO_QUEUE : parseQueue(text);
  } catch (error) {
    log.warn(`The queue of ${key} cannot be read: ${String(error)}`);
    return NO_QUEUE;
  }
}

/** Parses a queue. Leaves out invalid messages. Throws when the text is not a queue of this version. */
export function parseQueue(text: string): StoredQueue {
  const { acpHostQueue, messages, continuation } = JSON.parse(text) as {
    readonly acpHostQueue?: unknown;
    readonly messages?: unknown;
    readonly continuation?: unknown;
  };
  if (acpHostQueue !== VERSION || !Array.isArray(messages)) {
    throw new TypeError('not a queue that this version knows');
  }
  const wait = continuationIn(continuation);
  return { messages: messages.flatMap(messageIn), ...(wait && { continuation: wait }) };
}

function messageIn(message: unknown): StoredMessage[] {
  const { queueId, content } = (message ?? {}) as { queueId?: unknown; content?: unknown };
  const prompt = parseIntent({ type: 'prompt', content });
  return typeof queueId === 'string' && prompt?.type === 'prompt'
    ? [{ queueId, content: prompt.content.filter((block) => !isMention(block)) }]
    : [];
}

function continuationIn(value: unknown): Continuation | undefined {
  const { at, turnId } = (value ?? {}) as { at?: unknown; turnId?: unknown };
  return typeof at === 'number' ? { at, ...(typeof turnId === 'string' && { turnId }) } : undefined;
}

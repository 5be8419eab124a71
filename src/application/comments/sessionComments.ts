/**
 * The comments of one session: their threads and their statuses. Pure. Stored as text next to the session's journal, so that the threads exist
 * again after a reload.
 */
import { commentsIn } from '../../core/model/attachment';
import type { ContentBlock } from '../../core/model/content';
import type { SessionEvent } from '../../core/model/event';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { LineComment } from './commentsBlock';

/**
 * A `waiting` comment is in the composer, or in a message that the agent did not answer. The user took a `removed` one out of the composer. A `sent` one is
 * in a queued message or a running turn. An `answered` one stays so.
 */
export type CommentStatus = 'waiting' | 'removed' | 'sent' | 'answered';

/** Lines, 0-based; `end` is the last one. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

export interface KeptComment {
  readonly id: number;
  readonly text: string;
  /** The text of the lines when the comment was written; empty where it is withheld. */
  readonly lines: string;
  /** The file is protected from reading, so its text is neither stored nor sent. */
  readonly isWithheld?: true;
  status: CommentStatus;
}

export interface KeptThread {
  readonly uri: string;
  /** The name that the agent gets: a file's path, or the document that the lines belong to. */
  readonly place: string;
  span: LineSpan;
  comments: readonly KeptComment[];
}

/** The effect of an edit on lines: the text from `first` to `last`, up to `lastCharacter` in that line, was replaced by `text`. */
export interface LineEdit {
  readonly first: number;
  readonly last: number;
  readonly lastCharacter: number;
  readonly text: string;
}

/** Threads of one session that are kept; answered ones go first. */
const MAX_THREADS = 500;
/** The agent did nothing with the message: comments in it can be sent again. */
const UNANSWERED: ReadonlySet<string> = new Set(['cancelled', 'error', 'refusal']);

export class SessionComments {
  private constructor(
    /** The id of the attachment that collects the comments. */
    readonly collection: string,
    private nextId: number,
    private list: readonly KeptThread[],
  ) {}

  /** @param text the value of {@link stored}; invalid text counts as none @param collection the id for a session without comments */
  static from(text: string | undefined, collection: string): SessionComments {
    return (text === undefined ? undefined : parsed(text)) ?? new SessionComments(collection, 1, []);

    function parsed(json: string): SessionComments | undefined {
      try {
        const kept = JSON.parse(json) as { version?: unknown; collection?: unknown; nextId?: unknown; threads?: unknown };
        const isOurs = kept.version === 1 && typeof kept.collection === 'string' && typeof kept.nextId === 'number';
        const threads = Array.isArray(kept.threads) ? kept.threads.filter(isThread) : [];
        return isOurs ? new SessionComments(kept.collection as string, kept.nextId as number, threads) : undefined;
      } catch {
        return undefined;
      }
    }
  }

  get threads(): readonly KeptThread[] {
    return this.list;
  }

  /** Undefined when there is nothing to keep. */
  get stored(): string | undefined {
    const { collection, nextId, list: threads } = this;
    return threads.length === 0 ? undefined : JSON.stringify({ version: 1, collection, nextId, threads });
  }

  /** The comments to send, in the order in which they were written. */
  get waiting(): readonly LineComment[] {
    return this.list
      .flatMap(({ place, span, comments }) =>
        comments
          .filter(({ status }) => status === 'waiting')
          .map(({ id, text, lines, isWithheld }) => ({
            id,
            place,
            first: span.start + 1,
            end: span.end + 1,
            lines,
            text,
            ...(isWithheld && { isWithheld }),
          })),
      )
      .sort((one, other) => one.id - other.id);
  }

  /**
   * @param thread of this session, or a new one, which is its own from here on
   * @param lines the text of the lines; undefined where it must not be sent to the agent
   */
  add(thread: KeptThread, text: string, lines: string | undefined): void {
    const quoted = lines === undefined ? { lines: '', isWithheld: true as const } : { lines };
    thread.comments = [...thread.comments, { id: this.nextId++, text, ...quoted, status: 'waiting' }];
    if (!this.list.includes(thread)) {
      this.list = [...this.list, thread];
    }
    if (this.list.length > MAX_THREADS) {
      const oldest = this.list.find((each) => isAnswered(each)) ?? this.list[0]!;
      this.list = this.list.filter((each) => each !== oldest);
    }
  }

  /** Changes the status of those of `ids` that have the status `from`. Returns true when there were any. */
  change(ids: ReadonlySet<number>, from: CommentStatus, to: CommentStatus): boolean {
    const changed = this.list.flatMap(({ comments }) => comments.filter(({ id, status }) => status === from && ids.has(id)));
    changed.forEach((comment) => (comment.status = to));
    return changed.length > 0;
  }

  /** Deletes comments, and threads that have none left. */
  drop(ids: ReadonlySet<number>): void {
    for (const thread of this.list) {
      thread.comments = thread.comments.filter(({ id }) => !ids.has(id));
    }
    this.list = this.list.filter(({ comments }) => comments.length > 0);
  }

  /** Updates the statuses from the conversation, and returns the threads with a changed one. An answered comment stays answered. */
  update(state: Pick<SessionState, 'entries' | 'queue' | 'turn'>): readonly KeptThread[] {
    const open = this.list.flatMap(({ comments }) => comments.filter(({ status }) => status !== 'answered'));
    if (open.length === 0) {
      return [];
    }
    const statuses = this.statusesIn(state);
    const next = ({ id, status }: KeptComment): CommentStatus => statuses.get(id) ?? (status === 'removed' ? 'removed' : 'waiting');
    const changed = open.filter((comment) => next(comment) !== comment.status);
    changed.forEach((comment) => (comment.status = next(comment)));
    return this.list.filter(({ comments }) => comments.some((comment) => changed.includes(comment)));
  }

  /** Returns the ids of the comments that wait and were in no message yet. */
  unsent(state: Pick<SessionState, 'entries' | 'queue' | 'turn'>): readonly number[] {
    const statuses = this.statusesIn(state);
    return this.waiting.map(({ id }) => id).filter((id) => !statuses.has(id));
  }

  /** Returns the status of each comment that is in a message, from the newest message that contains it. */
  private statusesIn({ entries, queue, turn }: Pick<SessionState, 'entries' | 'queue' | 'turn'>): Map<number, CommentStatus> {
    const statuses = new Map<number, CommentStatus>();
    // Read from the newest entry, because a turn's entry comes after the messages that were sent in it.
    let status: CommentStatus = turn ? 'sent' : 'waiting';
    queue.forEach(({ content }) => this.idsIn(content).forEach((id) => statuses.set(id, 'sent')));
    for (let index = entries.length - 1; index >= 0; index--) {
      const entry = entries.peek(index);
      if (!entry || isAbsent(entry)) {
        continue;
      }
      if (entry.kind === 'turn') {
        status = UNANSWERED.has(entry.stopReason) ? 'waiting' : 'answered';
      } else if (entry.kind === 'message' && entry.role === 'user') {
        this.idsIn(entry.content).forEach((id) => statuses.has(id) || statuses.set(id, status));
      }
    }
    return statuses;
  }

  private idsIn(content: readonly ContentBlock[]): readonly number[] {
    return content.flatMap((block) => {
      const comments = commentsIn(block);
      return comments?.collection === this.collection ? comments.ids : [];
    });
  }
}

/** True for a thread with nothing left to send or to answer. */
export function isAnswered({ comments }: KeptThread): boolean {
  return comments.every(({ status }) => status === 'answered' || status === 'removed');
}

/** True for an event that may change the status of a comment. */
export function mayChangeStatus(event: SessionEvent): boolean {
  return STATUS_EVENTS.has(event.type) && (event.type !== 'message' || event.role === 'user');
}

const STATUS_EVENTS: ReadonlySet<string> = new Set([
  'message',
  'turn_ended',
  'disconnected',
  'session_ended',
  'message_queued',
  'queued_message_edited',
  'queued_message_removed',
]);

/** Where lines are after an edit: what comes before them moves them, what they are in grows or shrinks them. */
export function moved(span: LineSpan, { first, last, lastCharacter, text }: LineEdit): LineSpan {
  const written = text.split('\n').length - 1;
  const delta = written - (last - first);
  const isBefore = last < span.start || (last === span.start && lastCharacter === 0 && (text === '' || text.endsWith('\n')));
  if (isBefore) {
    return { start: span.start + delta, end: span.end + delta };
  }
  if (first > span.end || (first === span.end && first === last && lastCharacter > 0 && /^\r?\n/.test(text))) {
    return span;
  }
  const start = Math.min(span.start, first + written);
  return { start, end: Math.max(start, span.end + delta) };
}

function isThread(value: unknown): value is KeptThread {
  const { uri, place, span, comments } = (value ?? {}) as Partial<KeptThread>;
  return (
    typeof uri === 'string' &&
    typeof place === 'string' &&
    Number.isInteger(span?.start) &&
    Number.isInteger(span?.end) &&
    Array.isArray(comments) &&
    comments.every(({ id, text, lines }: Partial<KeptComment>) => [typeof id, typeof text, typeof lines].join() === 'number,string,string')
  );
}

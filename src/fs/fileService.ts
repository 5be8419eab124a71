import { failureOf } from '../core/model/failure';
import type { RootCheck } from '../util/roots';
import { linesOf, withLineFeeds } from '../util/text';
import type { Buffers } from './buffers';
import { cancelled, editRefused, isNotFound, movedMeanwhile, pastTheEnd, tooLarge } from './faults';
import type { FileAccess } from '../core/model/roots';
import { KeyedQueue } from './queue';
import { withoutMark, Writer, type MergeBase, type Written } from './writer';

export interface FileLimits {
  /** The maximum size of files that are read or merged. */
  readonly maxBytes: number;
}

export const DEFAULT_FILE_LIMITS: FileLimits = { maxBytes: 10 * 1024 * 1024 };

/** An agent's operation on a file, before it is performed. */
export interface FileOperation {
  readonly access: FileAccess;
  /** The path as the agent wrote it. */
  readonly requested: string;
  /** The real path. It is in a root, or belongs to a file that the user added. */
  readonly path: string;
  /** The text of a write. */
  readonly content?: string;
  /**
   * Returns the file's current text, including unsaved changes. Resolves to null when there is no file, to undefined when its text cannot be read.
   */
  present(): Promise<string | null | undefined>;
}

/** Resolves when the operation is allowed, to true if the user was asked. Rejects with a `Fault` when it is not allowed. */
export type FileGuard = (operation: FileOperation, signal?: AbortSignal) => Promise<boolean>;

/** The result of a write before it is performed. */
export interface ProposedWrite {
  /** The path as the agent wrote it. */
  readonly requested: string;
  /** The real path, in a root. */
  readonly path: string;
  /** The text that the agent sent. */
  readonly content: string;
  /** The file's current text, including unsaved changes; null when there is no file. */
  readonly before: string | null;
  /** The file's text after the write. */
  readonly after: string;
}

/**
 * Resolves to the text that the file should get, or to undefined when no review is necessary. Rejects with a `Fault` when the write is not
 * allowed.
 */
export type WriteReview = (write: ProposedWrite, signal?: AbortSignal) => Promise<string | undefined>;

/** A change of a file that the editor makes for an agent. */
export interface FileEdit {
  /** Absolute. */
  readonly path: string;
  /** The text of the file in the editor that the change is based on. */
  readonly before: string;
  readonly after: string;
}

/** A change that may be made. */
export interface AllowedEdit extends FileEdit {
  /** The real path. */
  readonly real: string;
  /** The text that the user has put in the place of `after`, in a review. */
  readonly reviewed?: string;
}

/**
 * Resolves to the real path of a file outside the roots that the user added to the session, by any of its names. Undefined for other files. Never
 * rejects.
 */
export type AddedFile = (path: string) => Promise<string | undefined>;

/** A reviewed text that replaces the agent's, and the text that it is based on. */
interface ReviewedText {
  readonly content: string;
  readonly base: string;
}

/** Two sessions may write the same file, so the order is kept per editor and not per session. */
const queues = new WeakMap<Buffers, KeyedQueue>();

/**
 * The file operations of one session's agent: `fs/read_text_file` and `fs/write_text_file`. It stores for each file the text that the agent knows,
 * so that a write applies only the agent's changes. https://agentclientprotocol.com/protocol/v1/file-system
 */
export class FileService {
  private readonly bases = new Map<string, MergeBase>();
  private readonly names = new KeyedQueue();
  private readonly queue: KeyedQueue;

  constructor(
    private readonly buffers: Buffers,
    private readonly roots: RootCheck,
    private readonly limits: FileLimits = DEFAULT_FILE_LIMITS,
    private readonly guard?: FileGuard,
    private readonly review?: WriteReview,
    private readonly added?: AddedFile,
  ) {
    this.queue = queues.get(buffers) ?? new KeyedQueue();
    queues.set(buffers, this.queue);
  }

  /**
   * Returns the open document's text, including unsaved changes, or else the file's. `line` is 1-based; the lines include their line endings.
   * Rejects with a `Fault`, whose `rpcCode` is -32002 when there is no such file.
   */
  async read(request: { path: string; line?: number | null; limit?: number | null }, signal?: AbortSignal): Promise<string> {
    return this.inOrder({ access: 'read', requested: request.path }, signal, async (path) => {
      const text = await this.present(path);
      // A UTF-16 unit takes at most three bytes, so the bytes are counted only near the limit.
      if (text.length * 3 > this.limits.maxBytes) {
        const bytes = Buffer.byteLength(text);
        if (bytes > this.limits.maxBytes) {
          throw tooLarge(path, bytes, this.limits.maxBytes);
        }
      }
      const part = slice(path, text, request.line ?? undefined, request.limit ?? undefined);
      this.bases.set(path, { known: text });
      return part;
    });
  }

  /**
   * Applies the agent's changes since it last read or wrote the file to the current text, and saves. Text that the user typed meanwhile stays. If
   * both changed the same lines, nothing is written and the `Fault` `fs.conflict` names the lines. Resolves to undefined when the file contained
   * all changes already.
   */
  async write({ path: requested, content }: { path: string; content: string }, signal?: AbortSignal): Promise<Written | undefined> {
    return this.inOrder({ access: 'write', requested, content }, signal, async (path, result) => {
      const reviewed = result === 'nothing' ? undefined : result;
      const base = reviewed ? { known: reviewed.base } : this.bases.get(path);
      // The file may have changed since nothing had to be written, and the user has not seen the write.
      const mayChange = result !== 'nothing';
      const writer = new Writer(this.buffers, this.limits, path, reviewed?.content ?? content, base, signal, mayChange);
      const known = await writer.write();
      const own = withoutMark(content);
      // The agent knows only its own text. The user's changes in a review count as the user's, like typed text.
      this.bases.set(path, reviewed && withLineFeeds(reviewed.content) !== withLineFeeds(own) ? { known: own } : known);
      return writer.written;
    });
  }

  /**
   * Changes several files at once, after the checks of {@link write} for each of them. When one is refused, none is changed.
   * @param apply makes the changes, all or none; other writes of these files wait for it
   */
  async editTogether(
    edits: readonly FileEdit[],
    apply: (allowed: readonly AllowedEdit[]) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const allowed: AllowedEdit[] = [];
    for (const edit of edits) {
      const { path: requested, before, after } = edit;
      const wanted = { access: 'write', requested } as const;
      const { path: real } = await this.place(wanted);
      stopWhenAborted(signal);
      const wasAsked = await this.guard?.({ ...wanted, path: real, content: after, present: async () => before }, signal);
      const reviewed = wasAsked ? undefined : await this.review?.({ requested, path: real, content: after, before, after }, signal);
      allowed.push({ ...edit, real, ...(reviewed !== undefined && reviewed !== after && { reviewed }) });
    }
    const last = async (): Promise<void> => {
      stopWhenAborted(signal);
      // The user may have been asked about one file while the name of another was given to a link.
      for (const { path: requested, real } of allowed) {
        if ((await this.place({ access: 'write', requested })).path !== real) {
          throw movedMeanwhile(requested);
        }
      }
      await apply(allowed);
    };
    // All callers take the files in the same order, so that none waits for the other.
    const reals = [...new Set(allowed.map(({ real }) => real))].sort();
    await reals.reduceRight<() => Promise<void>>((next, real) => () => this.queue.run(real, next), last)();
  }

  /** Resolves to undefined when no review is necessary, and to `nothing` when nothing would be written at present. */
  private async reviewed(
    requested: string,
    path: string,
    content: string,
    signal: AbortSignal | undefined,
  ): Promise<ReviewedText | 'nothing' | undefined> {
    if (!this.review) {
      return undefined;
    }
    const writer = new Writer(this.buffers, this.limits, path, content, this.bases.get(path), signal);
    const proposed = await writer.proposed().catch(() => undefined);
    const text = proposed && (await this.review({ requested, path, content, ...proposed }, signal));
    return !proposed ? 'nothing' : text === undefined ? undefined : { content: text, base: proposed.before ?? '' };
  }

  /**
   * Runs `task` after all earlier requests for the same file. Requests with the same name run in order too. Otherwise the first of two could take
   * longer to resolve its path, and a read after a write would miss the written text. While the user is being asked, only requests with the same
   * name wait. Afterwards the name must still resolve to the same file.
   */
  private inOrder<T>(
    wanted: Pick<FileOperation, 'access' | 'requested' | 'content'>,
    signal: AbortSignal | undefined,
    task: (path: string, reviewed: ReviewedText | 'nothing' | undefined) => Promise<T>,
  ): Promise<T> {
    const { requested } = wanted;
    return this.names.run(requested, async () => {
      const { path, isAdded } = await this.place(wanted);
      stopWhenAborted(signal);
      let wasMissing = false;
      const present = async (): Promise<string | null | undefined> => {
        const text = await this.presentOrNone(path);
        wasMissing = text === null;
        return text;
      };
      const wasAsked = await this.guard?.({ ...wanted, path, present }, signal);
      const reviewed = wanted.content === undefined || wasAsked ? undefined : await this.reviewed(requested, path, wanted.content, signal);
      return this.queue.run(path, async () => {
        stopWhenAborted(signal);
        if ((wasAsked || reviewed) && (await this.place(wanted)).path !== path) {
          throw movedMeanwhile(requested);
        }
        // A new file needed no question. A file that was created while a review was open would need one.
        if (!wasAsked && wasMissing && wanted.access === 'write' && (await this.presentOrNone(path)) !== null) {
          throw editRefused(path);
        }
        const done = await task(path, reviewed);
        // The file that the user added may have been replaced, and the text may be the other file's.
        if (isAdded && (await this.place(wanted)).path !== path) {
          throw movedMeanwhile(requested);
        }
        return done;
      });
    });
  }

  /** @throws the `Fault` of `RootCheck.resolve` */
  private async place({ access, requested }: Pick<FileOperation, 'access' | 'requested'>): Promise<{ path: string; isAdded: boolean }> {
    try {
      return { path: await this.roots.resolve(requested), isAdded: false };
    } catch (error) {
      const isOutside = failureOf(error).code === 'fs.outside_roots';
      const mayBeAdded = this.added && access === 'read' && isOutside && !(await this.roots.leadsAway(requested));
      const real = mayBeAdded ? await this.added!(requested) : undefined;
      if (real === undefined) {
        throw error;
      }
      return { path: real, isAdded: true };
    }
  }

  /** Resolves to null when there is no file, to undefined when its text cannot be read. */
  private presentOrNone(path: string): Promise<string | null | undefined> {
    return this.present(path).catch((error: unknown) => (isNotFound(error) ? null : undefined));
  }

  private async present(path: string): Promise<string> {
    const open = await this.buffers.find(path);
    return open ? open.text : (await this.buffers.read(path, this.limits.maxBytes)).text;
  }
}

function stopWhenAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw cancelled();
  }
}

function slice(path: string, text: string, line: number | undefined, limit: number | undefined): string {
  if (line === undefined && limit === undefined) {
    return text;
  }
  const { starts, length } = linesOf(text);
  // Some agents count lines from 0.
  const first = Math.max(1, line ?? 1) - 1;
  const start = starts[first];
  if (start === undefined) {
    throw pastTheEnd(path, first + 1, starts.length);
  }
  return text.slice(start, limit === undefined ? length : (starts[first + Math.max(0, limit)] ?? length));
}

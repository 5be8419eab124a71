import { failureOf } from '../core/model/failure';
import type { RootCheck } from '../util/roots';
import { linesOf, withLineFeeds } from '../util/text';
import type { Buffers } from './buffers';
import { cancelled, editRefused, isNotFound, movedMeanwhile, pastTheEnd, tooLarge } from './faults';
import type { FileAccess } from './protection/protectedRules';
import { KeyedQueue } from './queue';
import { withoutMark, Writer } from './writer';
import type { MergeBase, Written } from './writer';

export interface FileLimits {
  /** Larger files are neither read nor merged. */
  readonly maxBytes: number;
}

export const DEFAULT_FILE_LIMITS: FileLimits = { maxBytes: 10 * 1024 * 1024 };

/** Something an agent wants of a file, before any of it is done. */
export interface FileOperation {
  readonly access: FileAccess;
  /** As the agent named it. */
  readonly asked: string;
  /** The real path. It is in a root, or belongs to a file that the user added. */
  readonly path: string;
  /** The text that a write brings. */
  readonly content?: string;
  /** What the file holds now, unsaved changes included; null when there is no file, undefined when it cannot be shown. */
  present(): Promise<string | null | undefined>;
}

/** Resolves when the operation may be done, true where the user had to be asked; rejects with a `Fault` when it may not. */
export type FileGuard = (operation: FileOperation, signal?: AbortSignal) => Promise<boolean>;

/** What a write would make of a file, before any of it is done. */
export interface ProposedWrite {
  /** As the agent named it. */
  readonly asked: string;
  /** Where that leads; in a root. */
  readonly path: string;
  /** The text that the agent sent. */
  readonly content: string;
  /** What the file holds now, unsaved changes included; null when there is no file. */
  readonly before: string | null;
  /** What it would hold. */
  readonly after: string;
}

/** Resolves with the text that the file is to hold, undefined where nobody looks at it first; rejects with a `Fault` when it may not be written. */
export type WriteReview = (write: ProposedWrite, signal?: AbortSignal) => Promise<string | undefined>;

/** Resolves to the real path of a file outside the roots that the user added to the session, by any of its names. Undefined for other files. Never rejects. */
export type AddedFile = (path: string) => Promise<string | undefined>;

/** A text that was looked at in the place of the agent's, and the text that it was made from. */
interface ReviewedText {
  readonly content: string;
  readonly base: string;
}

/** Two sessions may write the same file: the order is kept per editor, not per session. */
const queues = new WeakMap<Buffers, KeyedQueue>();

/**
 * What one session's agent may do with files: `fs/read_text_file` and `fs/write_text_file`.
 * It remembers per file the text the agent knows, so that a write carries over only what the agent changed.
 * https://agentclientprotocol.com/protocol/v1/file-system
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
   * The open document's text, unsaved changes included, else the file's. `line` is 1-based; the lines come with their line
   * ends. Rejects with a `Fault`, whose `rpcCode` is -32002 when there is no such file.
   */
  async read(request: { path: string; line?: number | null; limit?: number | null }, signal?: AbortSignal): Promise<string> {
    return this.inOrder({ access: 'read', asked: request.path }, signal, async (path) => {
      const text = await this.present(path);
      // Bytes are at least as many as UTF-16 units, and counting them is only needed near the limit.
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
   * Carries what the agent changed since it last read or wrote the file into the present text, and saves. Text the user typed
   * meanwhile stays; where both changed the same lines nothing is written and the `Fault` `fs.conflict` names the lines.
   * Undefined when the file had all of it already.
   */
  async write({ path: asked, content }: { path: string; content: string }, signal?: AbortSignal): Promise<Written | undefined> {
    return this.inOrder({ access: 'write', asked, content }, signal, async (path, reviewed) => {
      const base = reviewed ? { known: reviewed.base } : this.bases.get(path);
      const writer = new Writer(this.buffers, this.limits, path, reviewed?.content ?? content, base, signal);
      const known = await writer.write();
      const own = withoutMark(content);
      // What the user made of it is theirs, as what they type is: the agent knows its own text alone.
      this.bases.set(path, reviewed && withLineFeeds(reviewed.content) !== withLineFeeds(own) ? { known: own } : known);
      return writer.written;
    });
  }

  /** Undefined where nobody looks at it first, or nothing would be written. */
  private async reviewed(asked: string, path: string, content: string, signal: AbortSignal | undefined): Promise<ReviewedText | undefined> {
    if (!this.review) {
      return undefined;
    }
    const writer = new Writer(this.buffers, this.limits, path, content, this.bases.get(path), signal);
    const proposed = await writer.proposed().catch(() => undefined);
    const text = proposed && (await this.review({ asked, path, content, ...proposed }, signal));
    return text === undefined ? undefined : { content: text, base: proposed!.before ?? '' };
  }

  /**
   * Runs `task` after all that was asked before of the same file. Also of the same name: looking up where it leads may take longer for the first
   * of two requests than for the second, and what an agent reads after a write must hold it. While the user is asked about one, only those of the same
   * name wait; then the name must still lead to what was asked about.
   */
  private inOrder<T>(
    wanted: Pick<FileOperation, 'access' | 'asked' | 'content'>,
    signal: AbortSignal | undefined,
    task: (path: string, reviewed: ReviewedText | undefined) => Promise<T>,
  ): Promise<T> {
    const { asked } = wanted;
    return this.names.run(asked, async () => {
      const { path, isAdded } = await this.place(wanted);
      stopWhenAborted(signal);
      let wasMissing = false;
      const present = async (): Promise<string | null | undefined> => {
        const text = await this.presentOrNone(path);
        wasMissing = text === null;
        return text;
      };
      const wasAsked = await this.guard?.({ ...wanted, path, present }, signal);
      const reviewed = wanted.content === undefined || wasAsked ? undefined : await this.reviewed(asked, path, wanted.content, signal);
      return this.queue.run(path, async () => {
        stopWhenAborted(signal);
        if ((wasAsked || reviewed) && (await this.place(wanted)).path !== path) {
          throw movedMeanwhile(asked);
        }
        // No question was needed for a new file. It would be needed for a file that has appeared since, while a review was open.
        if (!wasAsked && wasMissing && wanted.access === 'write' && (await this.presentOrNone(path)) !== null) {
          throw editRefused(path);
        }
        const done = await task(path, reviewed);
        // Another file may have taken the place of the one that the user added, and the text may be its own.
        if (isAdded && (await this.place(wanted)).path !== path) {
          throw movedMeanwhile(asked);
        }
        return done;
      });
    });
  }

  /** @throws the `Fault` of `RootCheck.resolve` */
  private async place({ access, asked }: Pick<FileOperation, 'access' | 'asked'>): Promise<{ path: string; isAdded: boolean }> {
    try {
      return { path: await this.roots.resolve(asked), isAdded: false };
    } catch (error) {
      const isOutside = failureOf(error).code === 'fs.outside_roots';
      const mayBeAdded = this.added && access === 'read' && isOutside && !(await this.roots.leadsAway(asked));
      const real = mayBeAdded ? await this.added!(asked) : undefined;
      if (real === undefined) {
        throw error;
      }
      return { path: real, isAdded: true };
    }
  }

  /** Resolves to null when there is no file, to undefined when its text cannot be had. */
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
  // Some agents count from 0.
  const first = Math.max(1, line ?? 1) - 1;
  const start = starts[first];
  if (start === undefined) {
    throw pastTheEnd(path, first + 1, starts.length);
  }
  return text.slice(start, limit === undefined ? length : (starts[first + Math.max(0, limit)] ?? length));
}

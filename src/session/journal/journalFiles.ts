/**
 * Stores journals, and beside them drafts, queued messages, comments, marks and summaries. Only the user can read the files (0600 in a 0700
 * folder). {@link JournalFolders} knows the folder of each session.
 */
import { isLeftOver, writeFileSafely } from '../../util/writeFileSafely';
import type { JournalFile } from './journal';
import type { JournalHeader } from './journalHeader';
import { isEmptiedDraft } from './emptiedDraft';
import { parseJournal } from './journalReader';
import { type JournalSummary, type KeptSummary, listed, parseSummary, summarize } from './journalSummary';
import { type MarksPatch, marksText, NO_MARKS, parseMarks, patchedMarks, type SessionMarks } from './sessionMarks';

/** The folders of the sessions' files. */
export interface JournalFolders {
  /** The absolute path; undefined when the session has no files. */
  of(key: string): Promise<string | undefined>;
  /** The same for a session that may be new: creates the folder. Undefined when the session must not be stored. */
  make(key: string): Promise<string | undefined>;
  /** Called after a session's summary was written. */
  described?(summary: KeptSummary): Promise<void>;
  /** Throws when this window does not own the journal. Synchronous, so that nothing can happen between the check and the write. */
  checkOwner?(key: string): void;
}

/** Keeps all files in one folder, which is created with the first write. */
function oneFolder(folder: string): JournalFolders {
  return {
    of: () => Promise.resolve(folder),
    make: async () => {
      await (await modules()).fs.mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
  };
}

export class JournalFiles {
  private readonly folders: JournalFolders;

  constructor(
    /** A string is the path of one folder for all sessions. */
    folders: JournalFolders | string,
    /** The size limit of a journal in bytes, read for each write; see `boundJournal`. */
    private readonly maxBytes: () => number = () => Infinity,
  ) {
    this.folders = typeof folders === 'string' ? oneFolder(folders) : folders;
  }

  file(key: string): JournalFile {
    /** Size of the complete writes, in bytes; unknown before the first write. */
    let size: number | undefined;
    const check = (): void => this.folders.checkOwner?.(key);
    const bound = async (file: string): Promise<void> => {
      if (size !== undefined && size > this.maxBytes()) {
        const { boundJournal } = await import('./journalBound');
        size = await boundJournal(file, this.maxBytes(), check);
      }
    };
    return {
      append: async (text) => {
        const file = await this.made(key, `${key}.jsonl`);
        if (file === undefined) {
          return;
        }
        const { fs } = await modules();
        const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
        // A link in the journal's place is not followed, because this extension does not create any. Windows has no such flag.
        const journal = await fs.open(file, O_WRONLY | O_APPEND | O_CREAT | ((O_NOFOLLOW as number | undefined) ?? 0), 0o600);
        try {
          const { size: present } = await journal.stat();
          check();
          // A partial write, left by a full disk, is removed before the text is written again.
          size = size !== undefined && size < present ? size : present;
          if (size < present) {
            await journal.truncate(size);
          }
          try {
            await journal.appendFile(text);
          } catch (error) {
            await journal.truncate(size).catch(() => undefined);
            throw error;
          }
          size += Buffer.byteLength(text);
        } finally {
          await journal.close();
        }
        await bound(file);
      },
      replace: async (text) => {
        const file = await this.made(key, `${key}.jsonl`);
        if (file !== undefined) {
          check();
          await copied(file);
          await writeFileSafely(file, [text], { overwrite: true, check });
          size = Buffer.byteLength(text);
          await bound(file);
        }
      },
      describe: async (text) => {
        check();
        await this.put(key, `${key}.summary.json`, text);
        const summary = parseSummary(text, key);
        await (summary && this.folders.described?.(summary));
      },
    };
  }

  /** Yields the lines one by one without reading the whole journal into memory; none when there is no journal. */
  async *lines(key: string): AsyncIterable<string> {
    for await (const lines of this.portions(key)) {
      yield* lines;
    }
  }

  /** Yields the lines in portions as they are read: an `await` for each line costs more than reading it. */
  async *portions(key: string): AsyncIterable<readonly string[]> {
    const folder = await this.folderOf(key);
    if (folder === undefined) {
      return;
    }
    const [{ path }, { createReadStream }] = await Promise.all([modules(), import('node:fs')]);
    // A line may span many chunks, which are joined once, when it is complete.
    let begun: string[] = [];
    try {
      for await (const chunk of createReadStream(path.join(folder, `${key}.jsonl`), {
        encoding: 'utf8',
        highWaterMark: 256 * 1024,
      }) as AsyncIterable<string>) {
        const lines = chunk.split('\n');
        if (lines.length > 1) {
          lines[0] = begun.join('') + lines[0]!;
          begun = [];
        }
        begun.push(lines.pop()!);
        yield lines.filter((line) => line !== '');
      }
      const rest = begun.join('');
      if (rest !== '') {
        yield [rest];
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error;
      }
    }
  }

  async readDraft(key: string): Promise<string | undefined> {
    return this.readFile(key, `${key}.draft.json`);
  }

  async writeDraft(key: string, text: string | undefined): Promise<void> {
    return this.putOrRemove(key, `${key}.draft.json`, text);
  }

  async readQueue(key: string): Promise<string | undefined> {
    return this.readFile(key, `${key}.queue.json`);
  }

  async writeQueue(key: string, text: string | undefined): Promise<void> {
    return this.putOrRemove(key, `${key}.queue.json`, text);
  }

  async readComments(key: string): Promise<string | undefined> {
    return this.readFile(key, `${key}.comments.json`);
  }

  async writeComments(key: string, text: string | undefined): Promise<void> {
    return this.putOrRemove(key, `${key}.comments.json`, text);
  }

  async remove(key: string): Promise<void> {
    const folder = await this.folderOf(key);
    const { fs, path } = await modules();
    const names = ENDS.map((end) => `${key}.${end}`);
    const present = folder === undefined ? [] : await fs.readdir(folder).catch(() => []);
    const ours = present.filter((name) => names.some((own) => name === own || name === `${own}.new` || isLeftOver(name, own)));
    await Promise.all(ours.map((name) => fs.rm(path.join(folder!, name), { force: true, recursive: true, maxRetries: BUSY_RETRIES })));
  }

  /** The absolute path of the folder for the session's changes, which its first writer creates. Undefined when the session must not be stored. */
  async changesFolder(key: string): Promise<string | undefined> {
    return this.made(key, `${key}.changes`);
  }

  /** Bytes; undefined where there is no journal. */
  async journalSize(key: string): Promise<number | undefined> {
    const [folder, { fs, path }] = await Promise.all([this.folderOf(key), modules()]);
    const info = folder === undefined ? undefined : await fs.stat(path.join(folder, `${key}.jsonl`)).catch(unlessAbsent);
    return info?.size;
  }

  async readMarks(key: string): Promise<SessionMarks> {
    return parseMarks(await this.readFile(key, `${key}.marks.json`));
  }

  /** Applies the patch under a file lock, because another window may write at the same time. Returns the new marks. */
  async writeMarks(key: string, patch: MarksPatch): Promise<SessionMarks> {
    const file = await this.made(key, `${key}.marks.json`);
    if (file === undefined) {
      return NO_MARKS;
    }
    const { withFileLock } = await import('../../util/fileLock');
    return withFileLock(`${file}.lock`, async () => {
      const marks = patchedMarks(await this.readMarks(key), patch);
      await this.putOrRemove(key, `${key}.marks.json`, marksText(marks));
      return marks;
    });
  }

  /** Returns the summary for lists; undefined without a journal that can be read. A session that stores something of the user's is never unused. */
  async summary(key: string): Promise<JournalSummary | undefined> {
    const { promptTitle } = await import('../../text/transcript/sessionTitle');
    const [kept, marks] = await Promise.all([this.keptSummary(key), this.readMarks(key).catch(() => NO_MARKS)]);
    const summary = kept && listed(kept, promptTitle, marks);
    if (!summary?.isUnused) {
      return summary;
    }
    const { isUnused: _, ...used } = summary;
    return (await this.holdsInput(key, marks)) ? used : summary;
  }

  /** True when the user has typed or marked something in this session that is stored beside its journal. Unreadable files count. */
  private async holdsInput(key: string, { name, pinned, archived }: SessionMarks): Promise<boolean> {
    const read = [this.readDraft(key), this.readQueue(key), this.readComments(key)];
    const texts = await Promise.all(read.map((each) => each.catch(() => '')));
    const isInput = (text: string | undefined): boolean => text !== undefined && !isEmptiedDraft(text);
    return name !== undefined || pinned === true || archived === true || texts.some(isInput);
  }

  /**
   * Restores the header of a journal that was cut in its first line, from the summary, so that the session can be opened again. Only the owner of
   * the session may call this.
   */
  async mendHeader(key: string): Promise<void> {
    const folder = await this.folderOf(key);
    if (folder === undefined) {
      return;
    }
    const { fs, path } = await modules();
    const file = path.join(folder, `${key}.jsonl`);
    const beginning = await readBeginning(fs, file).catch(() => undefined);
    if (beginning === undefined || beginning.includes('\n') || beginning.length >= BEGINNING || parseJournal(beginning)) {
      return;
    }
    const summary = await this.keptSummary(key);
    if (summary) {
      const { agentId, agentName, cwd, createdAt } = summary;
      const header: JournalHeader = { acpHostJournal: 1, key, ...(agentId !== undefined && { agentId }), agentName, cwd, createdAt };
      await copied(file);
      await writeFileSafely(file, [JSON.stringify(header) + '\n'], { overwrite: true });
    }
  }

  /** Deletes the temporary files that a crash left in a folder, when they are too old for a running write. */
  async sweep(folder: string): Promise<void> {
    const { fs, path } = await modules();
    const present = await fs.readdir(folder).catch(() => []);
    for (const file of present.filter((name) => isLeftOver(name)).map((name) => path.join(folder, name))) {
      const changedAt = await fs.stat(file).then(
        (stat) => stat.mtimeMs,
        () => Infinity,
      );
      if (changedAt < Date.now() - LEFT_OVER_MS) {
        await fs.rm(file, { force: true }).catch(() => undefined);
      }
    }
    const { pruneCopies } = await import('./journalCopies');
    for (const name of present.filter((each) => each.endsWith('.copies'))) {
      await pruneCopies(path.join(folder, name));
    }
  }

  private async keptSummary(key: string): Promise<KeptSummary | undefined> {
    const kept = await this.readFile(key, `${key}.summary.json`);
    const summary = kept === undefined ? undefined : parseSummary(kept, key);
    if (summary && !mayBeUnused(summary)) {
      return summary;
    }
    const folder = await this.folderOf(key);
    if (folder === undefined) {
      return undefined;
    }
    const { fs, path } = await modules();
    const beginning = readBeginning(fs, path.join(folder, `${key}.jsonl`));
    if (!summary) {
      return summarized(key, await beginning);
    }
    // A crash may have happened between the first message and its summary. Early versions did not mark each unused session.
    const own = await beginning.then(
      (text) => summarized(key, text),
      () => undefined,
    );
    return own?.isUnused ? { ...summary, isUnused: true } : summary.isUnused && own ? own : summary;
  }

  private async putOrRemove(key: string, name: string, text: string | undefined): Promise<void> {
    if (text !== undefined) {
      return this.put(key, name, text);
    }
    const folder = await this.folderOf(key);
    if (folder !== undefined) {
      const [{ path }, { removeFile }] = await Promise.all([modules(), import('../../util/windows/renameOver')]);
      await removeFile(path.join(folder, name));
    }
  }

  /** Replaces the file atomically: a reader gets the old text or the new one, also after a crash. */
  private async put(key: string, name: string, text: string): Promise<void> {
    const file = await this.made(key, name);
    if (file !== undefined) {
      await writeFileSafely(file, [text], { overwrite: true });
    }
  }

  private async readFile(key: string, name: string): Promise<string | undefined> {
    const folder = await this.folderOf(key);
    if (folder === undefined) {
      return undefined;
    }
    const { fs, path } = await modules();
    try {
      return await fs.readFile(path.join(folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }

  /** The session's folder. The key is validated because it may come from a panel's saved state. */
  private folderOf(key: string): Promise<string | undefined> {
    return isKey(key) ? this.folders.of(key) : Promise.reject(new RangeError(`not a session key: ${key}`));
  }

  /** The file's path in a folder that exists; undefined when nothing is stored for the session. */
  private async made(key: string, name: string): Promise<string | undefined> {
    if (!isKey(key)) {
      throw new RangeError(`not a session key: ${key}`);
    }
    const [{ path }, folder] = await Promise.all([modules(), this.folders.make(key)]);
    return folder === undefined ? undefined : path.join(folder, name);
  }
}

/** The file name extensions of a session's files. */
const ENDS = ['jsonl', 'summary.json', 'draft.json', 'queue.json', 'comments.json', 'marks.json', 'owner', 'changes', 'copies'];
/** The attempts to delete a file that another program has open. Windows refuses that. */
const BUSY_RETRIES = 5;
/** ms after which a temporary file is no longer being written. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

/** Resolves when the journal is copied and may be rewritten. */
async function copied(journal: string): Promise<void> {
  const { copyJournal } = await import('./journalCopies');
  await copyJournal(journal, journal.replace(/jsonl$/, 'copies'));
}

/** Bytes of a journal that are read for its summary: the header, and usually the first turn. */
const BEGINNING = 64 * 1024;

async function readBeginning(fs: typeof import('node:fs/promises'), file: string): Promise<string> {
  const handle = await fs.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The summary of a journal with this beginning. It is marked unused only when the journal was read completely and has no newer format. */
function summarized(key: string, beginning: string): KeptSummary | undefined {
  const journal = parseJournal(beginning);
  if (!journal) {
    return undefined;
  }
  const { isUnused, ...summary } = { ...summarize(journal), key };
  return isUnused && !journal.isNewer && Buffer.byteLength(beginning) < BEGINNING ? { ...summary, isUnused } : summary;
}

function mayBeUnused({ isUnused, title, turnEndedAt }: KeptSummary): boolean {
  return isUnused === true || (title === '' && turnEndedAt === undefined);
}

/** Returns undefined for a missing file. @throws any other error */
function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}

/** Loads the modules at the first use, because opening VS Code must not read the disk for this extension. */
async function modules(): Promise<{ fs: typeof import('node:fs/promises'); path: typeof import('node:path') }> {
  const [fs, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  return { fs, path };
}

export function isKey(key: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(key);
}

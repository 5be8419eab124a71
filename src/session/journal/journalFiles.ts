/** Journals, and beside them drafts, queued messages and what lists say of them, as files in one folder, readable by the user only (0600 in a 0700 folder). */
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { isLeftOver, writeFileSafely } from '../../util/writeFileSafely';
import type { DraftFiles } from './drafts';
import type { JournalFile } from './journal';
import type { QueueFiles } from './queueFile';
import { parseJournal } from './journalReader';
import { type JournalSummary, type KeptSummary, listed, parseSummary, summarize } from './journalSummary';
import { type MarksPatch, marksText, NO_MARKS, parseMarks, patchedMarks, type SessionMarks } from './sessionMarks';
import type { Journals } from '../sessions';

export class JournalFiles implements Journals, DraftFiles, QueueFiles {
  constructor(
    /** Absolute; made on the first write. */
    private readonly folder: string,
    /** Bytes of one journal, asked now and then; see `boundJournal`. */
    private readonly maxBytes: () => number = () => Infinity,
  ) {}

  file(key: string): JournalFile {
    let made: Promise<unknown> | undefined;
    /** Bytes; unknown before the first write. */
    let size: number | undefined;
    const bound = async (): Promise<void> => {
      if (size !== undefined && size > this.maxBytes()) {
        const [{ path }, { boundJournal }] = await Promise.all([files(key), import('./journalBound')]);
        size = await boundJournal(path.join(this.folder, `${key}.jsonl`), this.maxBytes());
      }
    };
    return {
      append: async (text) => {
        const { fs, path } = await files(key);
        made ??= fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
        await made;
        const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
        // A link in its place is none of ours. Windows has no such flag.
        const journal = await fs.open(
          path.join(this.folder, `${key}.jsonl`),
          O_WRONLY | O_APPEND | O_CREAT | ((O_NOFOLLOW as number | undefined) ?? 0),
          0o600,
        );
        try {
          await journal.appendFile(text);
          size = (await journal.stat()).size;
        } finally {
          await journal.close();
        }
        await bound();
      },
      replace: async (text) => {
        await this.put(key, `${key}.jsonl`, text);
        size = Buffer.byteLength(text);
        await bound();
      },
      describe: (summary) => this.put(key, `${key}.summary.json`, summary),
    };
  }

  /** One line after the other, without having all of it in memory; none when there is no journal. */
  async *lines(key: string): AsyncIterable<string> {
    for await (const lines of this.portions(key)) {
      yield* lines;
    }
  }

  /** The same in portions as they come from the disk: an `await` for each line costs more than reading it. */
  async *portions(key: string): AsyncIterable<readonly string[]> {
    const { path } = await files(key);
    const { createReadStream } = await import('node:fs');
    // A line may come in many chunks: they are joined once, when it is whole.
    let begun: string[] = [];
    try {
      for await (const chunk of createReadStream(path.join(this.folder, `${key}.jsonl`), {
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

  readQueueHead(key: string): string | undefined {
    checkKey(key);
    let file: number;
    try {
      file = openSync(path.join(this.folder, `${key}.queue.json`), 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
    try {
      const bytes = Buffer.alloc(QUEUE_HEAD);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, QUEUE_HEAD, 0));
    } finally {
      closeSync(file);
    }
  }

  async writeQueue(key: string, text: string | undefined): Promise<void> {
    return this.putOrRemove(key, `${key}.queue.json`, text);
  }

  async remove(key: string): Promise<void> {
    const { fs, path } = await files(key);
    const names = ['jsonl', 'summary.json', 'draft.json', 'queue.json', 'marks.json'].map((end) => `${key}.${end}`);
    const present = await fs.readdir(this.folder).catch(() => []);
    const ours = present.filter((name) => names.some((own) => name === own || name === `${own}.new` || isLeftOver(name, own)));
    await Promise.all(ours.map((name) => fs.rm(path.join(this.folder, name), { force: true })));
  }

  private async putOrRemove(key: string, name: string, text: string | undefined): Promise<void> {
    if (text !== undefined) {
      return this.put(key, name, text);
    }
    const { fs, path } = await files(key);
    await fs.rm(path.join(this.folder, name), { force: true });
  }

  /** Whoever reads it gets the old text or the new one whole, however we end. */
  private async put(key: string, name: string, text: string): Promise<void> {
    const { fs, path } = await files(key);
    await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFileSafely(path.join(this.folder, name), [text], { overwrite: true });
  }

  private async readFile(key: string, name: string): Promise<string | undefined> {
    const { fs, path } = await files(key);
    try {
      return await fs.readFile(path.join(this.folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }

  /** The newest journals, newest first; what cannot be read is left out. */
  async list(limit: number): Promise<JournalSummary[]> {
    const { fs, path } = await modules();
    const present = await fs.readdir(this.folder).catch(() => []);
    void this.sweep(present.filter((name) => isLeftOver(name)));
    const names = present.filter((name) => name.endsWith('.jsonl'));
    const dated = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.folder, name);
        return {
          file,
          changedAt: await fs.stat(file).then(
            (stat) => stat.mtimeMs,
            () => 0,
          ),
        };
      }),
    );
    const newest = dated.sort((a, b) => b.changedAt - a.changedAt).slice(0, limit);
    const { promptTitle } = await import('../../text/transcript/sessionTitle');
    const kept = await Promise.all(
      newest.map(async ({ file }) => {
        const key = path.basename(file, '.jsonl');
        const [summary, marks] = await Promise.all([this.summaryOf(key).catch(() => undefined), this.readMarks(key).catch(() => NO_MARKS)]);
        return summary && listed(summary, promptTitle, marks);
      }),
    );
    return kept.filter((summary) => summary !== undefined);
  }

  async readMarks(key: string): Promise<SessionMarks> {
    return parseMarks(await this.readFile(key, `${key}.marks.json`));
  }

  async writeMarks(key: string, patch: MarksPatch): Promise<void> {
    return this.putOrRemove(key, `${key}.marks.json`, marksText(patchedMarks(await this.readMarks(key), patch)));
  }

  /** What crashes left, once nobody can be writing it any more. */
  private async sweep(names: readonly string[]): Promise<void> {
    const { fs, path } = await modules();
    for (const file of names.map((name) => path.join(this.folder, name))) {
      const changedAt = await fs.stat(file).then(
        (stat) => stat.mtimeMs,
        () => Infinity,
      );
      if (changedAt < Date.now() - LEFT_OVER_MS) {
        await fs.rm(file, { force: true }).catch(() => undefined);
      }
    }
  }

  private async summaryOf(key: string): Promise<KeptSummary | undefined> {
    const kept = await this.readFile(key, `${key}.summary.json`);
    const summary = kept === undefined ? undefined : parseSummary(kept, key);
    if (summary) {
      return summary;
    }
    const { fs, path } = await files(key);
    const journal = parseJournal(await readBeginning(fs, path.join(this.folder, `${key}.jsonl`)));
    return journal && summarize(journal);
  }
}

/** Bytes. */
const QUEUE_HEAD = 100;
/** ms after which nobody writes to a file any more that was begun. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

/** Bytes of a journal that are read to tell what it is of: the header, and mostly the first turn. */
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

/** Loaded at the first use: opening VS Code must not touch the disk for us. A key comes back from a panel's saved state, so it is checked. */
async function files(key: string): Promise<{ fs: typeof import('node:fs/promises'); path: typeof import('node:path') }> {
  checkKey(key);
  return modules();
}

function checkKey(key: string): void {
  if (!/^[a-z0-9-]{1,64}$/.test(key)) {
    throw new RangeError(`not a session key: ${key}`);
  }
}

async function modules(): Promise<{ fs: typeof import('node:fs/promises'); path: typeof import('node:path') }> {
  const [fs, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  return { fs, path };
}

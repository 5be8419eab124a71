/**
 * The audit's files: one for each day, as JSON lines that are only appended. Two windows may write the same file, and each batch is one write. The
 * folder exists from the first entry on. Old files are deleted.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type AuditEntry, auditEntryIn } from './auditEntry';

/** Bytes of a file after which the day continues in another one, and of all files together. */
const MAX_FILE = 4 * 1024 * 1024;
const MAX_TOTAL = 64 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Only the user may read the audit. */
const MODE = { file: 0o600, folder: 0o700 };

/** `2026-11-27.jsonl`, `2026-11-27.1.jsonl`, … */
const NAME = /^(\d{4}-\d\d-\d\d)(?:\.(\d{1,6}))?\.jsonl$/;

export class AuditFiles {
  /** The file with whose first entries old files were deleted last. */
  private pruned: string | undefined;

  /** @param days for which entries are kept; 0 keeps none */
  constructor(
    private readonly folder: string,
    private readonly days: () => number,
    private readonly limits = { file: MAX_FILE, total: MAX_TOTAL },
  ) {}

  /** Appends entries to the file of the day. @param now ms since the epoch */
  async append(entries: readonly AuditEntry[], now: number): Promise<void> {
    if (entries.length === 0 || this.days() <= 0) {
      return;
    }
    await mkdir(this.folder, { recursive: true, mode: MODE.folder });
    const file = await this.fileOf(dayOf(now));
    await appendFile(file, linesOf(entries), { mode: MODE.file });
    if (this.pruned !== file) {
      this.pruned = file;
      await this.prune(now);
    }
  }

  /** The same for a window that closes and cannot wait. */
  appendNow(entries: readonly AuditEntry[], now: number): void {
    if (entries.length > 0 && this.days() > 0) {
      try {
        mkdirSync(this.folder, { recursive: true, mode: MODE.folder });
        appendFileSync(path.join(this.folder, `${dayOf(now)}.jsonl`), linesOf(entries), { mode: MODE.file });
      } catch {
        // The window closes, so that no one could read a warning.
      }
    }
  }

  /** Reads the entries, oldest first. Entries beyond the days of the setting are left out. @param now ms since the epoch */
  async *read(now: number): AsyncIterable<AuditEntry> {
    const since = now - this.days() * DAY_MS;
    for (const name of await this.names()) {
      const text = await readFile(path.join(this.folder, name), 'utf8').catch(() => '');
      for (const line of text.split('\n')) {
        const entry = line === '' ? undefined : auditEntryIn(line);
        if (entry && entry.at >= since) {
          yield entry;
        }
      }
    }
  }

  /** Deletes the files of days that are over, then the oldest ones until the rest is small enough. */
  private async prune(now: number): Promise<void> {
    const first = dayOf(now - this.days() * DAY_MS);
    let total = 0;
    for (const name of (await this.names()).toReversed()) {
      const file = path.join(this.folder, name);
      total += await sizeOf(file);
      if (name.slice(0, first.length) < first || total > this.limits.total) {
        await rm(file, { force: true }).catch(() => undefined);
      }
    }
  }

  private async fileOf(day: string): Promise<string> {
    const last = (await this.names()).filter((name) => name.startsWith(day)).at(-1) ?? `${day}.jsonl`;
    const isFull = (await sizeOf(path.join(this.folder, last))) >= this.limits.file;
    return path.join(this.folder, isFull ? `${day}.${numberOf(last) + 1}.jsonl` : last);
  }

  /** The names of the files, oldest first. */
  private async names(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => [] as string[]);
    return names
      .filter((name) => NAME.test(name))
      .sort((one, other) => (one.slice(0, 10) === other.slice(0, 10) ? numberOf(one) - numberOf(other) : one < other ? -1 : 1));
  }
}

/** Returns the day in UTC, so that all windows and time zones use the same file. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function numberOf(name: string): number {
  return Number(NAME.exec(name)?.[2] ?? 0);
}

/** An empty line ends the line that a window has not finished. */
function linesOf(entries: readonly AuditEntry[]): string {
  return `\n${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/**
 * An environment variable that identifies the processes of a launch. They inherit it even when their parent, group or session changes. Each launch
 * has its own value. Linux shows the environment with which a process was started; macOS does so for programs other than the system's own.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { inPool } from '../pool';
import { hasProc, type ProcessRow } from './processList';

const NAME = 'ACP_HOST_PROCESS';
/** The most marks of nested launches that are passed on. */
const MAX_MARKS = 16;
/** Bytes. Linux allows no process to start with more than 6 MB. */
const MAX_ENVIRONMENT = 8 * 1024 * 1024;
/** The most environments that are open at the same time. */
const OPEN_FILES = 16;
const CHUNK = 64 * 1024;
/** ms after which the result so far counts, because the environment of a process that hangs in the kernel may never be read. */
const TIMEOUT_MS = 1000;

export function newMark(): string {
  return randomUUID();
}

/** Adds a mark to `environment`. An existing mark stays, since the program that started this window may search for it. */
export function markedEnvironment(environment: Readonly<Record<string, string>>, mark: string): Record<string, string> {
  if (process.platform === 'win32') {
    return { ...environment }; // Windows does not let us read it.
  }
  const others = (environment[NAME] ?? '').split(':').filter((each) => /^[\w-]{1,64}$/.test(each));
  return { ...environment, [NAME]: [...others, mark].slice(-MAX_MARKS).join(':') };
}

/** Returns the marks in an environment as the system shows it, with NUL between variables. */
export function marksIn(environment: string): string[] {
  return environment
    .split('\0')
    .filter((each) => each.startsWith(`${NAME}=`))
    .flatMap((each) => each.slice(NAME.length + 1).split(':'));
}

/** Returns the marks of a process from `ps -E -o pid=,command=`: its arguments, then its variables. */
export function marksInPs(line: string): { readonly pid: number; readonly marks: readonly string[] } | undefined {
  const match = new RegExp(`^\\s*(\\d+)\\s.*\\s${NAME}=([\\w:-]+)(?:\\s|$)`).exec(line);
  return match ? { pid: Number(match[1]), marks: match[2]!.split(':') } : undefined;
}

/** Caches, because several callers use the same list: each environment is read once for all of them. */
const read = new WeakMap<ProcessRow, Promise<readonly string[]>>();
const readByPs = new WeakMap<readonly ProcessRow[], Promise<ReadonlyMap<number, readonly string[]>>>();
/** Pending reads, which may hang forever, with their start times. Later lists have rows of their own and must not miss a pending read. */
const reading = new Map<string, { readonly began: number; readonly marks: Promise<readonly string[]> }>();

/** Returns the pids of `rows` that did not start before `since` and have the mark, except for processes in a service unit of their own. */
export async function findMarked(rows: readonly ProcessRow[], mark: string, since: number): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const later = rows.filter((row) => row.started >= since && !row.zombie && row.pid !== process.pid);
  if (!hasProc()) {
    const marks = readByPs.get(rows) ?? marksByPs();
    readByPs.set(rows, marks);
    const all = await marks;
    later.forEach(({ pid }) => all.get(pid)?.includes(mark) && found.add(pid));
    return found;
  }
  const own = unitOf('self');
  const all = inPool(later, OPEN_FILES, async (row) => {
    const marks = read.get(row) ?? readMarksOnce(row);
    read.set(row, marks);
    if ((await marks).includes(mark) && unitOf(row.pid) === own) {
      found.add(row.pid);
    }
  });
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([all, new Promise<void>((resolve) => (timer = setTimeout(resolve, TIMEOUT_MS)))]);
  clearTimeout(timer);
  return new Set(found);
}

/** Returns the marks of each process, synchronously and for all marks; see {@link findMarked}. Empty where there is no `/proc`. */
export function marksNow(rows: readonly ProcessRow[], since: number): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  if (hasProc()) {
    const own = unitOf('self');
    for (const { pid, started, zombie } of rows) {
      const marks = started >= since && !zombie && pid !== process.pid ? marksIn(readEnvironmentNow(pid)) : [];
      if (marks.length > 0 && unitOf(pid) === own) {
        found.set(pid, marks);
      }
    }
  }
  return found;
}

/** Reads the marks of a process once at a time. A read that hangs longer than the timeout is not awaited again. */
function readMarksOnce({ pid, started }: ProcessRow): Promise<readonly string[]> {
  const key = `${pid} ${started}`;
  const now = performance.now();
  const pending = reading.get(key);
  if (pending) {
    return now - pending.began < TIMEOUT_MS ? pending.marks : Promise.resolve([]);
  }
  const marks = readMarks(pid).finally(() => reading.delete(key));
  reading.set(key, { began: now, marks });
  return marks;
}

async function readMarks(pid: number): Promise<readonly string[]> {
  try {
    const { open } = await import('node:fs/promises');
    const file = await open(`/proc/${pid}/environ`);
    try {
      const chunks: Buffer[] = [];
      for (let total = 0; total < MAX_ENVIRONMENT; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK);
        if (bytesRead === 0) {
          break;
        }
        chunks.push(buffer.subarray(0, bytesRead));
        total += bytesRead;
      }
      return marksIn(Buffer.concat(chunks).toString('latin1'));
    } finally {
      await file.close();
    }
  } catch {
    return []; // The process is gone, or belongs to another user.
  }
}

function readEnvironmentNow(pid: number): string {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/environ`, 'r');
    const chunk = Buffer.alloc(CHUNK);
    let text = '';
    for (let length = readSync(file, chunk); length > 0 && text.length < MAX_ENVIRONMENT; length = readSync(file, chunk)) {
      text += chunk.toString('latin1', 0, length);
    }
    return text;
  } catch {
    return '';
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

/**
 * Returns the service manager's unit of a process: its control group. A browser that the desktop started for an agent is an application of its own,
 * and `systemd-run` starts a service. Neither belongs to the agent any longer.
 */
function unitOf(pid: number | 'self'): string | undefined {
  try {
    return /^(?:0:|\d+:name=systemd):.*$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

async function marksByPs(): Promise<ReadonlyMap<number, readonly string[]>> {
  const { execFile } = await import('node:child_process');
  // The system decides which variables are shown. There are no marks where `ps` does not support this.
  const text = await new Promise<string>((resolve) =>
    execFile('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { maxBuffer: 1 << 26, timeout: TIMEOUT_MS * 5 }, (error, out) =>
      resolve(error ? '' : out),
    ),
  );
  return new Map(
    text
      .split('\n')
      .map(marksInPs)
      .flatMap((each) => (each ? [[each.pid, each.marks]] : [])),
  );
}

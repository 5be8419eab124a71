/**
 * A variable that what we start inherits, whatever becomes of its parent, its group and its session: by its value, one per launch, the processes
 * of a launch are found. Linux shows the environment a process was started with; macOS does so for programs that are not the system's own.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { inPool } from '../pool';
import { hasProc, type ProcessRow } from './processList';

const NAME = 'ACP_HOST_PROCESS';
/** Marks of launches within launches that are handed on. */
const MAX_MARKS = 16;
/** Bytes; Linux lets nobody start with more than 6 MB. */
const MAX_ENVIRONMENT = 8 * 1024 * 1024;
/** Environments that are open at the same time. */
const OPEN_FILES = 16;
const CHUNK = 64 * 1024;
/** ms after which what was found counts: the environment of a process that hangs in the kernel may never be read. */
const TIMEOUT_MS = 1000;

export function newMark(): string {
  return randomUUID();
}

/** `environment` with a mark; one that it has stays, since who started this window may look for it. */
export function markedEnvironment(environment: Readonly<Record<string, string>>, mark: string): Record<string, string> {
  if (process.platform === 'win32') {
    return { ...environment }; // Nobody could read it.
  }
  const others = (environment[NAME] ?? '').split(':').filter((each) => /^[\w-]{1,64}$/.test(each));
  return { ...environment, [NAME]: [...others, mark].slice(-MAX_MARKS).join(':') };
}

/** The marks in an environment as the system shows it: NUL between variables. */
export function marksIn(environment: string): string[] {
  return environment
    .split('\0')
    .filter((each) => each.startsWith(`${NAME}=`))
    .flatMap((each) => each.slice(NAME.length + 1).split(':'));
}

/** The marks of a process by `ps -E -o pid=,command=`: its words, then its variables. */
export function marksInPs(line: string): { readonly pid: number; readonly marks: readonly string[] } | undefined {
  const match = new RegExp(`^\\s*(\\d+)\\s.*\\s${NAME}=([\\w:-]+)(?:\\s|$)`).exec(line);
  return match ? { pid: Number(match[1]), marks: match[2]!.split(':') } : undefined;
}

/** Several look at the same list: each environment is read once for all of them. */
const read = new WeakMap<ProcessRow, Promise<readonly string[]>>();
const readByPs = new WeakMap<readonly ProcessRow[], Promise<ReadonlyMap<number, readonly string[]>>>();
/** Reads under way, perhaps for ever, with when they began: lists made meanwhile have rows of their own, and must not miss what is being read. */
const reading = new Map<string, { readonly began: number; readonly marks: Promise<readonly string[]> }>();

/** Which of `rows` that did not start before `since` have the mark; of what became a unit of the service manager's own, none. */
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

/** As {@link findMarked}, at once, for all marks: the marks of each process. Nothing where there is no `/proc`. */
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

/** One read of a process at a time; what hangs for longer than we wait is not waited for again. */
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
    return []; // Gone, or somebody else's.
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
 * The unit of the service manager that a process belongs to: its control group. A browser that the desktop started on behalf of an agent is an
 * application of its own, as what `systemd-run` started is a service: neither is the agent's any more.
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
  // Variables are shown as far as the system lets us; where `ps` does not know this, there are no marks.
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

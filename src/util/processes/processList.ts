/** The processes of this machine, as far as ending a tree of them needs. Not for Windows. */
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The process group. */
  readonly group: number;
  /** The session's leader, where the system tells (Linux). */
  readonly session?: number;
  /** Ended, and only its parent has not noticed. */
  readonly zombie: boolean;
  /**
   * When it started: with `pid` it tells a process from a later one of the same number. Clock ticks since the system booted where there is a
   * `/proc`, elsewhere ms since the epoch, in whole seconds.
   */
  readonly started: number;
}

/** Processes that are read in one turn of the event loop: about a millisecond. */
const SLICE = 64;
/** How far `ps`, which knows whole seconds, and our clock may be apart. */
const PS_TOLERANCE_MS = 2000;
const PS_ARGS = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];

let running: Promise<ProcessRow[]> | undefined;
let next: Promise<ProcessRow[]> | undefined;
/** Longer than the line can be; a name in it has 64 bytes at most. */
const line = Buffer.alloc(2048);
let proc: boolean | undefined;

/** True where processes are read from `/proc`. */
export function hasProc(): boolean {
  return (proc ??= process.platform === 'linux' && existsSync('/proc/self/stat'));
}

/**
 * Everything that runs now, best effort: what ends or cannot be read meanwhile is missing. Those who ask while a list is being made
 * share the one after it, so that ending many at once does not read everything for each; never the present one, which may be too old.
 */
export function listProcesses(): Promise<ProcessRow[]> {
  if (running) {
    next ??= running.then(() => {
      next = undefined;
      return listProcesses();
    });
    return next;
  }
  running = list().finally(() => (running = undefined));
  return running;
}

/** As {@link listProcesses}, at once: for the moment in which this process exits. */
export function listProcessesNow(spawnSync?: typeof import('node:child_process').spawnSync): ProcessRow[] {
  if (!hasProc()) {
    return rowsOf(spawnSync?.('ps', PS_ARGS, { env: psEnvironment(), maxBuffer: 1 << 24, timeout: 1000, encoding: 'utf8' }).stdout ?? '');
  }
  return procPids()
    .map(readRow)
    .filter((row) => row !== undefined);
}

/** One process as it is now; undefined when there is none of that number, or no `/proc` to ask. */
export function readRow(pid: number): ProcessRow | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/stat`, 'r');
    return parseStat(line.toString('latin1', 0, readSync(file, line)));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

/** The first and the last {@link ProcessRow.started} that a process can have which was forked just now; undefined when it is gone already. */
export function startOf(pid: number): readonly [number, number] | undefined {
  if (!hasProc()) {
    const now = Date.now();
    return [now - PS_TOLERANCE_MS, now + PS_TOLERANCE_MS];
  }
  const row = readRow(pid);
  return row && [row.started, row.started];
}

/** When this process started: nothing that it starts is older. */
export function ownStart(): number {
  return hasProc() ? (readRow(process.pid)?.started ?? 0) : performance.timeOrigin - PS_TOLERANCE_MS;
}

async function list(): Promise<ProcessRow[]> {
  return hasProc() ? fromProc() : fromPs();
}

/** Read at once, a slice at a time: through the thread pool it costs ten times as much, and nothing in these files can make us wait. */
async function fromProc(): Promise<ProcessRow[]> {
  const pids = procPids();
  const rows: (ProcessRow | undefined)[] = [];
  for (let index = 0; index < pids.length; index += SLICE) {
    rows.push(...pids.slice(index, index + SLICE).map(readRow));
    await new Promise(setImmediate);
  }
  return rows.filter((row) => row !== undefined);
}

function procPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** One line of `/proc/<pid>/stat` (proc(5)); the name in parentheses may hold anything, so the fields are counted from its end. */
export function parseStat(line: string): ProcessRow | undefined {
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (!Number.isInteger(pid) || started === undefined) {
    return undefined;
  }
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
    started: Number(started),
  };
}

async function fromPs(): Promise<ProcessRow[]> {
  const { execFile } = await import('node:child_process');
  const text = await new Promise<string>((resolve) =>
    execFile('ps', PS_ARGS, { env: psEnvironment(), maxBuffer: 1 << 24 }, (_, out) => resolve(out ?? '')),
  );
  return rowsOf(text);
}

function psEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', TZ: 'UTC0' };
}

function rowsOf(text: string): ProcessRow[] {
  return text
    .split('\n')
    .map(parsePs)
    .filter((row) => row !== undefined);
}

/** One line of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, in UTC. */
export function parsePs(line: string): ProcessRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (!match) {
    return undefined;
  }
  const [, pid, parent, group, state, started] = match;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    zombie: state!.startsWith('Z'),
    started: Date.parse(`${started} UTC`),
  };
}

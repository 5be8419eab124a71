/** The processes of this machine, with the fields needed to end a process tree. Not for Windows. */
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The process group. */
  readonly group: number;
  /** The session's leader, where the system reports it (Linux). */
  readonly session?: number;
  /** True for an ended process that its parent has not reaped. */
  readonly zombie: boolean;
  /**
   * The start time. With `pid` it distinguishes a process from a later one with the same number. Clock ticks since the system booted where `/proc`
   * exists; elsewhere ms since the epoch, in whole seconds.
   */
  readonly started: number;
}

/** Processes that are read in one turn of the event loop, in about a millisecond. */
const SLICE = 64;
/** Tolerance between `ps`, which reports whole seconds, and our clock. */
const PS_TOLERANCE_MS = 2000;
const PS_ARGS = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];

let running: Promise<ProcessRow[]> | undefined;
let next: Promise<ProcessRow[]> | undefined;
/** Longer than any line: a process name has at most 64 bytes. */
const line = Buffer.alloc(2048);
let proc: boolean | undefined;

/** True when processes are read from `/proc`. */
export function hasProc(): boolean {
  return (proc ??= process.platform === 'linux' && existsSync('/proc/self/stat'));
}

/**
 * Lists all running processes, as far as possible: those that end or cannot be read meanwhile are missing. Callers during a listing share the next
 * one, so that ending many processes does not list all of them for each. They never get the present one, which may be too old.
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

/** Works like {@link listProcesses}, but synchronously, for the exit of this process. */
export function listProcessesNow(spawnSync?: typeof import('node:child_process').spawnSync): ProcessRow[] {
  if (!hasProc()) {
    return rowsOf(spawnSync?.('ps', PS_ARGS, { env: psEnvironment(), maxBuffer: 1 << 24, timeout: 1000, encoding: 'utf8' }).stdout ?? '');
  }
  return procPids()
    .map(readRow)
    .filter((row) => row !== undefined);
}

/** Reads the present state of one process; undefined when it does not exist, or there is no `/proc`. */
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

/** Returns the earliest and latest {@link ProcessRow.started} of a process that was just forked; undefined when it is gone already. */
export function startOf(pid: number): readonly [number, number] | undefined {
  if (!hasProc()) {
    const now = Date.now();
    return [now - PS_TOLERANCE_MS, now + PS_TOLERANCE_MS];
  }
  const row = readRow(pid);
  return row && [row.started, row.started];
}

/** Returns the start of this process. No process that it starts is older. */
export function ownStart(): number {
  return hasProc() ? (readRow(process.pid)?.started ?? 0) : performance.timeOrigin - PS_TOLERANCE_MS;
}

async function list(): Promise<ProcessRow[]> {
  return hasProc() ? fromProc() : fromPs();
}

/** Reads synchronously, a slice at a time: the thread pool would take ten times as long, and reading these files never blocks. */
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

/** Parses one line of `/proc/<pid>/stat` (proc(5)). The name in parentheses may contain anything, so the fields are counted from its end. */
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

/** Parses one line of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, in UTC. */
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

/** Ends a process of Windows with everything that it started. Windows has no groups and no request to end, so the system's `taskkill` does it. */
import path from 'node:path';
import { variable } from '../environment';
import { send } from './processSignal';

/** For tests. */
export interface WindowsTreeDependencies {
  /** Runs a program of the system. `code` is its exit code, or the reason why it did not run. */
  run(name: string, args: readonly string[]): Promise<{ readonly code: number | string; readonly output: string }>;
  kill(pid: number): void;
  isAlive(pid: number): boolean;
  /** ms within which terminated processes disappear. */
  readonly goneMs?: number;
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  /** Sorts by time. Undefined for processes of the system. */
  readonly created: string | undefined;
}

/** taskkill's exit code for a process that does not exist. */
const NO_PROCESS = 128;
/** ms after which a program of the system is given up. */
const RUN_MS = 10_000;
/** ms within which terminated processes disappear, and the time between two looks. */
const GONE_MS = 3000;
const POLL_MS = 20;
/** The most listings without taskkill. A process can start another one during a listing. */
const LISTINGS = 3;

/**
 * Ends the process and its descendants at once. Where taskkill is missing or refuses, the descendants are listed and terminated one by one.
 * @returns false when one of them is still alive
 */
export async function endOnWindows(pid: number, deps: WindowsTreeDependencies = system): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) {
    return true;
  }
  const { code } = await deps.run('taskkill.exe', ['/PID', String(pid), '/T', '/F']);
  if (code === 0 || code === NO_PROCESS) {
    return areGone([pid], deps);
  }
  const ended = new Set<number>();
  for (let listing = 0; listing < LISTINGS; listing++) {
    const members = membersOf(pid, await listed(deps)).filter((each) => !ended.has(each));
    if (members.length === 0) {
      break;
    }
    // The first one comes first, so that it starts no others meanwhile.
    members.forEach((each) => deps.kill(each));
    members.forEach((each) => ended.add(each));
  }
  return areGone([...ended], deps);
}

/** Lists all processes, with the times of their creation where the system has them. */
async function listed(deps: WindowsTreeDependencies): Promise<Row[]> {
  for (const fields of ['CreationDate,ParentProcessId,ProcessId', 'ParentProcessId,ProcessId']) {
    const rows = rowsOf((await deps.run('wbem\\wmic.exe', ['process', 'get', fields])).output);
    if (rows.length > 0) {
      return rows;
    }
  }
  return [];
}

/** Parses wmic's table, whose columns are in alphabetical order. */
export function rowsOf(output: string): Row[] {
  return output.split('\n').flatMap((line) => {
    const [, created, parent, pid] = /^\s*(?:(\d{14}\.\S+)\s+)?(\d+)\s+(\d+)\s*$/.exec(line.replaceAll('\0', '')) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), created }];
  });
}

/**
 * The process and its descendants, from the first one down. A process that is older than its parent is none of its children: the parent's number
 * was used before.
 */
function membersOf(pid: number, rows: readonly Row[]): number[] {
  const members = new Map<number, Row | undefined>([[pid, rows.find((row) => row.pid === pid)]]);
  for (const [parent, from] of members) {
    for (const row of rows) {
      const isOlder = row.created !== undefined && from?.created !== undefined && row.created < from.created;
      if (row.parent === parent && row.pid > 1 && row.pid !== process.pid && !isOlder) {
        members.set(row.pid, row);
      }
    }
  }
  return [...members.keys()];
}

async function areGone(pids: readonly number[], { isAlive, goneMs = GONE_MS }: WindowsTreeDependencies): Promise<boolean> {
  for (const end = performance.now() + goneMs; pids.some((pid) => isAlive(pid)); ) {
    if (performance.now() > end) {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

const system: WindowsTreeDependencies = {
  async run(name, args) {
    const { execFile } = await import('node:child_process');
    // By its path, because the user's PATH may be empty, or lead to another program of this name.
    const file = path.win32.join(variable(process.env, 'SystemRoot') ?? 'C:\\Windows', 'System32', name);
    return new Promise((resolve) =>
      execFile(file, args, { windowsHide: true, timeout: RUN_MS, encoding: 'latin1' }, (error, output) =>
        resolve({ code: error ? (error.code ?? 'ETIMEDOUT') : 0, output }),
      ),
    );
  },
  kill: (pid) => send(pid, 'SIGKILL'),
  isAlive: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
};

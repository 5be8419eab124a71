/** The descendants of a process: processes that a test started must not outlive it. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Process {
  readonly pid: number;
  readonly command: string;
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly command?: string;
}

/** All living descendants of `pid`, except the listing itself. Zombies do not count: their parent only has not reaped them yet. */
export async function childrenOf(pid: number): Promise<Process[]> {
  const rows = process.platform === 'linux' ? fromProc() : process.platform === 'win32' ? [] : await fromPs();
  const found: Row[] = [];
  let level = [pid];
  while (level.length > 0) {
    const next = rows.filter(({ parent }) => level.includes(parent));
    found.push(...next);
    level = next.map((row) => row.pid);
  }
  // esbuild's service belongs to tsx, which loads the tests, and lives as long as the tests.
  return found
    .map(({ pid, command = commandOf(pid) }) => ({ pid, command }))
    .filter(({ command }) => command !== undefined && !/\besbuild\b.*--service=/.test(command)) as Process[];
}

/** Synchronous: reading these files takes microseconds, while awaiting each of them takes tenths of milliseconds. */
function fromProc(): Row[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The second field is a name in parentheses, which may contain spaces and parentheses.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2);
      return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent) }];
    } catch {
      return []; // The process ended meanwhile.
    }
  });
}

/** Undefined when the process has ended. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

async function fromPs(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,command=']);
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[3]!.startsWith('Z') || match[4]!.startsWith('ps -A')) {
      return [];
    }
    return [{ pid: Number(match[1]), parent: Number(match[2]), command: match[4]! }];
  });
}

/** Which processes descend from one; what a test started must not outlive it. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface Process {
  readonly pid: number;
  readonly command: string;
}

interface Row extends Process {
  readonly parent: number;
}

/** All living descendants of `pid`, the listing itself left out. Zombies do not count: their parent has only not looked yet. */
export async function childrenOf(pid: number): Promise<Process[]> {
  const rows = process.platform === 'linux' ? await fromProc() : process.platform === 'win32' ? [] : await fromPs();
  const found: Row[] = [];
  let level = [pid];
  while (level.length > 0) {
    const next = rows.filter(({ parent }) => level.includes(parent));
    found.push(...next);
    level = next.map((row) => row.pid);
  }
  // esbuild's service belongs to tsx, which loads the tests, and lives as long as they do.
  return found.filter(({ command }) => !/\besbuild\b.*--service=/.test(command));
}

async function fromProc(): Promise<Row[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (pid) => {
      try {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
        // The second field is a name in parentheses that may itself hold spaces and parentheses.
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
        return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
      } catch {
        return []; // It ended while we looked.
      }
    }),
  );
  return rows.flat();
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

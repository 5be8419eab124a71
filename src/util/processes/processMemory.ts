/** The memory of a process and of the processes that it started. Not for Windows, where a list of processes costs a program's start. */
import { closeSync, openSync, readSync } from 'node:fs';
import { hasProc, listProcesses, type ProcessRow } from './processList';

const KB = 1024;
const buffer = Buffer.alloc(4096);

/**
 * Returns the resident memory in bytes of each process with its descendants, by its number. Memory that several processes share is counted in each.
 * Processes that are gone are missing, and all of them where the system does not say it.
 */
export async function memoryOf(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (pids.length === 0 || process.platform === 'win32') {
    return new Map();
  }
  if (hasProc()) {
    return sums(pids, await listProcesses(), residentMemory);
  }
  const rows = await fromPs();
  const sizes = new Map(rows.map(({ pid, memory }) => [pid, memory]));
  return sums(pids, rows, (pid) => sizes.get(pid));
}

/** Adds the memory of each tree. A process belongs to the tree of its parent, or to that of its process group's leader. */
export function sums(
  pids: readonly number[],
  rows: readonly Pick<ProcessRow, 'pid' | 'parent' | 'group'>[],
  memory: (pid: number) => number | undefined,
): ReadonlyMap<number, number> {
  const children = new Map<number, number[]>();
  for (const { pid, parent, group } of rows) {
    for (const owner of new Set([parent, group])) {
      if (owner !== pid) {
        children.set(owner, [...(children.get(owner) ?? []), pid]);
      }
    }
  }
  const found = new Map<number, number>();
  for (const root of pids) {
    const seen = new Set<number>();
    const left = rows.some(({ pid }) => pid === root) ? [root] : [];
    let total = 0;
    for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
      if (!seen.has(pid)) {
        seen.add(pid);
        total += memory(pid) ?? 0;
        left.push(...(children.get(pid) ?? []));
      }
    }
    if (seen.size > 0) {
      found.set(root, total);
    }
  }
  return found;
}

/** Reads `VmRSS` of `/proc/<pid>/status` (proc(5)). */
function residentMemory(pid: number): number | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/status`, 'r');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(buffer.toString('latin1', 0, readSync(file, buffer)))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * KB;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

interface PsRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly memory: number;
}

async function fromPs(): Promise<readonly PsRow[]> {
  const { execFile } = await import('node:child_process');
  const text = await new Promise<string>((resolve) =>
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,rss='], { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 1 << 24 }, (_, out) =>
      resolve(out ?? ''),
    ),
  );
  return text.split('\n').flatMap((line) => parsePsMemory(line) ?? []);
}

/** Parses one line of `ps -o pid=,ppid=,pgid=,rss=`. */
export function parsePsMemory(line: string): PsRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$/.exec(line);
  return match ? { pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), memory: Number(match[4]) * KB } : undefined;
}

/**
 * Ends a process with everything it started. The process leads its own group (`detached`, or a pty), so that one signal reaches most of
 * it; children that moved to a group of their own are found by session and by parent.
 */
import type { Disposable } from '../core/ports';
import { listProcesses, type ProcessRow } from './processList';

export interface EndOptions {
  /** ms between asking (SIGTERM) and insisting (SIGKILL). Default 2000; 0 insists at once. Windows cannot ask. */
  readonly graceMs?: number;
}

/** What cannot be killed (it waits in the kernel) is given up on after this long. */
const LAST_WAIT_MS = 3000;

/** True while the group that `pid` leads, or led, has a member. While it has, the system gives the number to nobody else. */
export function groupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Ends the group that `pid` leads and what descends from it, and waits until it is gone. The caller knows that `pid` is still its own:
 * the process was not reaped, or {@link groupAlive} held since.
 * @returns false when something is still there
 */
export async function endProcessTree(pid: number, options: EndOptions = {}): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) {
    return true;
  }
  return process.platform === 'win32' ? taskkill([pid]) : endPosix(pid, options.graceMs ?? 2000);
}

async function endPosix(pid: number, graceMs: number): Promise<boolean> {
  const known = new Map<number, string>();
  const asked = new Set<number>();
  let start: number | undefined;
  for (let wait = 4; ; wait = Math.min(wait * 2, 50)) {
    const members = membersOf(await listProcesses(), pid, known);
    if (members.length === 0) {
      return true;
    }
    // The grace is the process's: it begins when it is asked, not when we began to look.
    start ??= performance.now();
    const elapsed = performance.now() - start;
    if (elapsed > graceMs + LAST_WAIT_MS) {
      return false;
    }
    const insist = elapsed >= graceMs && (graceMs === 0 || asked.has(pid));
    if (insist || !asked.has(pid)) {
      signal(-pid, insist ? 'SIGKILL' : 'SIGTERM');
      asked.add(pid);
    }
    for (const member of members) {
      if (member.group !== pid && (insist || !asked.has(member.pid))) {
        signal(member.pid, insist ? 'SIGKILL' : 'SIGTERM');
        asked.add(member.pid);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, insist ? 50 : Math.max(1, graceMs - elapsed))));
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to end: the next look tells.
  }
}

/** The living members; `known` (pid to start time) keeps those whose parent ended before them. */
function membersOf(rows: readonly ProcessRow[], root: number, known: Map<number, string>): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  const pending: ProcessRow[] = [];
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) {
      siblings.push(row);
    } else {
      children.set(row.parent, [row]);
    }
    if (row.pid === root || row.group === root || row.session === root || known.get(row.pid) === row.started) {
      pending.push(row);
    }
  }
  const members = new Map<number, ProcessRow>();
  for (let row = pending.pop(); row; row = pending.pop()) {
    if (row.pid > 1 && row.pid !== process.pid && !members.has(row.pid)) {
      members.set(row.pid, row);
      known.set(row.pid, row.started);
      pending.push(...(children.get(row.pid) ?? []));
    }
  }
  return [...members.values()].filter((row) => !row.zombie);
}

async function taskkill(pids: readonly number[]): Promise<boolean> {
  const { execFile } = await import('node:child_process');
  const args = [...pids.flatMap((pid) => ['/PID', String(pid)]), '/T', '/F'];
  // 128: there is no such process.
  return new Promise((resolve) => execFile('taskkill', args, { windowsHide: true }, (error) => resolve(!error || error.code === 128)));
}

const withHost = new Set<number>();
let listening = false;

/** Until disposed: when this process exits, the group that `pid` leads is killed with it. */
export function endWithHost(pid: number): Disposable {
  if (!listening) {
    listening = true;
    process.on('exit', () => {
      for (const each of withHost) {
        // Nothing asynchronous happens any more; on Windows only the process itself can be reached this way.
        signal(process.platform === 'win32' ? each : -each, 'SIGKILL');
      }
    });
  }
  withHost.add(pid);
  return { dispose: () => void withHost.delete(pid) };
}

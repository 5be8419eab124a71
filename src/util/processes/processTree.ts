/**
 * Ends a process with everything it started. The process leads its own group (`detached`, or a pty), so that one signal reaches most of
 * it; what moved to a group or session of its own is found by its parent, by its session and by a mark in its environment.
 */
import type { Disposable } from '../../core/model/ports';
import { listProcesses, listProcessesNow, ownStart, startOf, type ProcessRow } from './processList';
import { findMarked, marksNow } from './processMark';
import { leftInGroup, membersOf, targetsOf, type Origin, type Target } from './processMembers';
import { send, signal } from './processSignal';

export interface EndOptions {
  /** ms between asking (SIGTERM) and forcing (SIGKILL). Default 2000; 0 forces at once. Windows cannot ask. */
  readonly graceMs?: number;
}

/** What cannot be killed (it waits in the kernel, or forks faster than we look) is given up on after this long. */
const LAST_WAIT_MS = 3000;
/** Looks in a row that must find nothing: a process that forks or loads its program just then can be missing in one. */
const EMPTY_LOOKS = 2;
/** Looks at most, and ms, while this process exits. */
const EXIT_LOOKS = 3;
const EXIT_LIMIT_MS = 1000;

/** True while the group that `pid` leads, or led, has a member. While it has, the system gives the number to nobody else. */
export function groupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Trees that end with this process. */
const withHost = new Set<ProcessTree>();
let listening = false;

/** A process that we started, and all that comes from it. Until its {@link end} it is killed when this process exits. */
export class ProcessTree implements Disposable {
  private readonly mark: string;
  /** Its handle is held until its end is told, so that until then the number is nobody else's. */
  private readonly windowsPid: () => number;
  private readonly origin: Origin;
  private hasExited = false;
  private gone = false;
  private remembered: Promise<void> = Promise.resolve();

  /**
   * Made in the turn in which the process was started, so that its number is still its own.
   * @param pid undefined when it is only known by its mark; on Windows it may also be told later, by a function (0 until then)
   * @param mark in the environment that it was given: `markedEnvironment`
   */
  constructor(pid: number | (() => number) | undefined, mark: string) {
    this.windowsPid = typeof pid === 'function' ? pid : () => pid ?? 0;
    const own = typeof pid === 'number' && Number.isInteger(pid) && pid > 1 ? pid : 0;
    this.origin = { pid: own, started: own > 0 && process.platform !== 'win32' ? startOf(own) : undefined, known: new Map() };
    this.mark = mark;
    withHost.add(this);
    listenToExit();
  }

  /** To be called when the process's own end is told: from now on its number may be another's, while what it left in its group is not. */
  exited(): void {
    this.hasExited = true;
    if (process.platform === 'win32') {
      this.dispose(); // Nothing of it can be found any more.
    } else if (this.origin.pid > 1 && groupAlive(this.origin.pid)) {
      this.remembered = listProcesses().then(
        (rows) => leftInGroup(rows, this.origin).forEach(({ pid, started }) => this.origin.known.set(pid, started)),
        () => undefined,
      );
    }
  }

  /**
   * Ends all of it and waits until it is gone.
   * @returns false when something is still there
   */
  async end({ graceMs = 2000 }: EndOptions = {}): Promise<boolean> {
    if (!this.gone) {
      if (process.platform === 'win32') {
        this.gone = this.hasExited || (await taskkill(this.windowsPid()));
      } else {
        await this.remembered;
        this.gone = await this.endPosix(graceMs);
      }
      if (this.gone) {
        this.dispose();
      }
    }
    return this.gone;
  }

  /** It may outlive this process. */
  dispose(): void {
    withHost.delete(this);
  }

  private async endPosix(graceMs: number): Promise<boolean> {
    const asked = new Set<string>();
    let start: number | undefined;
    let empty = 0;
    for (let wait = 4; ; wait = Math.min(wait * 2, 50)) {
      const rows = await listProcesses();
      const members = membersOf(rows, this.origin, await findMarked(rows, this.mark, this.since), process.pid);
      empty = members.length === 0 ? empty + 1 : 0;
      if (empty === EMPTY_LOOKS) {
        return true;
      }
      let pause = wait;
      if (members.length > 0) {
        // The grace is the process's: it begins when it is asked, not when we began to look.
        start ??= performance.now();
        const elapsed = performance.now() - start;
        if (elapsed > graceMs + LAST_WAIT_MS) {
          return false;
        }
        const isForced = elapsed >= graceMs && (graceMs === 0 || asked.size > 0);
        const those = isForced ? members : members.filter((row) => !asked.has(nameOf(row)));
        // A group is asked as a whole once; who comes into it later is asked alone.
        const targets =
          those.length === members.length
            ? targetsOf(
                members,
                this.origin,
                rows.find((row) => row.pid === process.pid),
              )
            : those.map(alone);
        targets.forEach((target) => signal(target, isForced ? 'SIGKILL' : 'SIGTERM'));
        those.forEach((row) => asked.add(nameOf(row)));
        pause = Math.min(wait, isForced ? 50 : Math.max(1, graceMs - elapsed));
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Kills what a list that was made just now shows of it. @returns whether there was something */
  killNow(rows: readonly ProcessRow[], marks: ReadonlyMap<number, readonly string[]>): boolean {
    if (process.platform === 'win32') {
      send(this.windowsPid(), 'SIGKILL'); // Only the process itself can be reached in this moment.
      return false;
    }
    const marked = new Set([...marks].filter(([, each]) => each.includes(this.mark)).map(([pid]) => pid));
    const members = membersOf(rows, this.origin, marked, process.pid);
    targetsOf(
      members,
      this.origin,
      rows.find((row) => row.pid === process.pid),
    ).forEach((target) => signal(target, 'SIGKILL'));
    return members.length > 0;
  }

  /** Nothing of it started before. As {@link ProcessRow.started}. */
  get since(): number {
    return this.origin.started?.[0] ?? ownStart();
  }
}

function nameOf({ pid, started }: ProcessRow): string {
  return `${pid} ${started}`;
}

function alone(row: ProcessRow): Target {
  return { pid: row.pid, witness: row };
}

async function taskkill(pid: number): Promise<boolean> {
  const { execFile } = await import('node:child_process');
  // 128: there is no such process.
  return new Promise((resolve) =>
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, (error) => resolve(!error || error.code === 128)),
  );
}

function listenToExit(): void {
  if (listening) {
    return;
  }
  listening = true;
  let spawnSync: typeof import('node:child_process').spawnSync | undefined;
  void import('node:child_process').then((module) => (spawnSync = module.spawnSync));
  process.on('exit', () => {
    const limit = performance.now() + EXIT_LIMIT_MS;
    // Nothing asynchronous happens any more. What forked during one look is found by the next.
    for (let look = 0, found = withHost.size > 0; found && look < EXIT_LOOKS && performance.now() < limit; look++) {
      const rows = process.platform === 'win32' ? [] : listProcessesNow(spawnSync);
      const marks = marksNow(rows, Math.min(...[...withHost].map(({ since }) => since)));
      found = [...withHost].map((tree) => tree.killNow(rows, marks)).includes(true);
    }
  });
}

/**
 * Ends a process with everything that it started. The process leads its own group (`detached`, or a pty), so that one signal reaches most of its
 * children. Those in a group or session of their own are found by their parent, by their session and by a mark in their environment.
 */
import type { Disposable } from '../../core/platform/disposable';
import { listProcesses, listProcessesNow, ownStart, startOf, type ProcessRow } from './processList';
import { findMarked, marksNow } from './processMark';
import { leftInGroup, membersOf, targetsOf, type Origin, type Target } from './processMembers';
import { send, signal } from './processSignal';

export interface EndOptions {
  /** ms between the request (SIGTERM) and the force (SIGKILL). Default 2000; 0 forces at once. Windows has no request. */
  readonly graceMs?: number;
}

/** ms after which a process that cannot be killed is given up: it waits in the kernel, or forks faster than it can be listed. */
const LAST_WAIT_MS = 3000;
/** The number of consecutive listings that must be empty. A process that forks or loads its program at that moment can be missing in one. */
const EMPTY_LOOKS = 2;
/** The most listings, and ms, while this process exits. */
const EXIT_LOOKS = 3;
const EXIT_LIMIT_MS = 1000;

/** True while the group that `pid` leads, or led, has a member. Until then the system does not reuse the number. */
export function groupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The trees that end with this process. */
const withHost = new Set<ProcessTree>();
let listening = false;

/** A process that we started, and all that comes from it. It is killed when this process exits, unless {@link end} was called before. */
export class ProcessTree implements Disposable {
  private readonly mark: string;
  /** The handle stays open until the exit is reported, so that the number is not reused until then. */
  private readonly windowsPid: () => number;
  private readonly origin: Origin;
  private hasExited = false;
  private gone = false;
  private remembered: Promise<void> = Promise.resolve();

  /**
   * Must be created in the same tick in which the process was started, so that the number is still its own.
   * @param pid undefined when only its mark is known; on Windows a function may supply it later (0 until then)
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

  /** Must be called when the exit is reported. From then on the number may be reused, but the rest of its group is still found. */
  exited(): void {
    this.hasExited = true;
    if (process.platform === 'win32') {
      this.dispose(); // On Windows nothing of it can be found from now on.
    } else if (this.origin.pid > 1 && groupAlive(this.origin.pid)) {
      this.remembered = listProcesses().then(
        (rows) => leftInGroup(rows, this.origin).forEach(({ pid, started }) => this.origin.known.set(pid, started)),
        () => undefined,
      );
    }
  }

  /**
   * Ends all of its processes and waits until they are gone.
   * @returns false when a process is still alive
   */
  async end({ graceMs = 2000 }: EndOptions = {}): Promise<boolean> {
    if (!this.gone) {
      if (process.platform === 'win32') {
        this.gone = this.hasExited || (await (await import('./windowsTree')).endOnWindows(this.windowsPid()));
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

  /** Allows it to outlive this process. */
  dispose(): void {
    withHost.delete(this);
  }

  private async endPosix(graceMs: number): Promise<boolean> {
    const requested = new Set<string>();
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
        // The grace period begins with the request, not with the first listing.
        start ??= performance.now();
        const elapsed = performance.now() - start;
        if (elapsed > graceMs + LAST_WAIT_MS) {
          return false;
        }
        const isForced = elapsed >= graceMs && (graceMs === 0 || requested.size > 0);
        const those = isForced ? members : members.filter((row) => !requested.has(nameOf(row)));
        // A group is requested as a whole once. Processes that join later are requested individually.
        const targets =
          those.length === members.length
            ? targetsOf(
                members,
                this.origin,
                rows.find((row) => row.pid === process.pid),
              )
            : those.map(alone);
        targets.forEach((target) => signal(target, isForced ? 'SIGKILL' : 'SIGTERM'));
        those.forEach((row) => requested.add(nameOf(row)));
        pause = Math.min(wait, isForced ? 50 : Math.max(1, graceMs - elapsed));
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Kills the processes of a list that was just made. @returns whether there were any */
  killNow(rows: readonly ProcessRow[], marks: ReadonlyMap<number, readonly string[]>): boolean {
    if (process.platform === 'win32') {
      send(this.windowsPid(), 'SIGKILL'); // Only the process itself can be reached at this moment.
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

  /** No process of it started before this; see {@link ProcessRow.started}. */
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

function listenToExit(): void {
  if (listening) {
    return;
  }
  listening = true;
  let spawnSync: typeof import('node:child_process').spawnSync | undefined;
  void import('node:child_process').then((module) => (spawnSync = module.spawnSync));
  process.on('exit', () => {
    const limit = performance.now() + EXIT_LIMIT_MS;
    // Asynchronous work is no longer possible here. A process that forks during one listing is found by the next.
    for (let look = 0, found = withHost.size > 0; found && look < EXIT_LOOKS && performance.now() < limit; look++) {
      const rows = process.platform === 'win32' ? [] : listProcessesNow(spawnSync);
      const marks = marksNow(rows, Math.min(...[...withHost].map(({ since }) => since)));
      found = [...withHost].map((tree) => tree.killNow(rows, marks)).includes(true);
    }
  });
}

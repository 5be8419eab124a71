/** Sends signals after a last check, because a process id may have been reused since the list was made. */
import { hasProc, readRow, type ProcessRow } from './processList';
import type { Target } from './processMembers';

/** For tests. */
export interface SignalDependencies {
  /** Reads the present process with this number; undefined when there is none. */
  read(pid: number): ProcessRow | undefined;
  send(pid: number, name: NodeJS.Signals): void;
}

/**
 * Sends a signal if the number still belongs to the observed process. Where the system reports it at once (Linux), the start of the process, or of
 * the witness in the group, is compared again. On other systems the list is as current as possible.
 */
export function signal(target: Target, name: NodeJS.Signals, deps?: SignalDependencies): void {
  const { pid, witness } = target;
  const read = deps?.read ?? (hasProc() ? readRow : () => witness);
  const now = read(witness.pid);
  if (now?.started === witness.started && (pid > 0 || now.group === -pid)) {
    (deps?.send ?? send)(pid, name);
  }
}

/** Calls `process.kill`, but never for 0, 1 and -1, which have other meanings. A missing process, or one that we may not end, is not an error. */
export function send(pid: number, name: NodeJS.Signals): void {
  try {
    if (Math.abs(pid) > 1) {
      process.kill(pid, name);
    }
  } catch {
    // The next listing shows the result.
  }
}

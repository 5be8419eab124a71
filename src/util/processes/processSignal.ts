/** The last moment before a signal: a number may have changed hands since the list was made. */
import { hasProc, readRow, type ProcessRow } from './processList';
import type { Target } from './processMembers';

/** For tests. */
export interface SignalDependencies {
  /** The process of this number as it is now; undefined when there is none. */
  read(pid: number): ProcessRow | undefined;
  send(pid: number, name: NodeJS.Signals): void;
}

/**
 * Sends a signal while the number is still that of who was seen: where the system says so at once (Linux), the start of the process, or of the one
 * that holds the group's number, is compared again; elsewhere the list is as new as it gets.
 */
export function signal(target: Target, name: NodeJS.Signals, ports?: SignalDependencies): void {
  const { pid, witness } = target;
  const read = ports?.read ?? (hasProc() ? readRow : () => witness);
  const now = read(witness.pid);
  if (now?.started === witness.started && (pid > 0 || now.group === -pid)) {
    (ports?.send ?? send)(pid, name);
  }
}

/** `process.kill`, but never for 0, 1 and -1, which mean others. What is gone, or not ours to end, is no error. */
export function send(pid: number, name: NodeJS.Signals): void {
  try {
    if (Math.abs(pid) > 1) {
      process.kill(pid, name);
    }
  } catch {
    // The next look tells.
  }
}

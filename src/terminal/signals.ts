/** Signal names. */
import { constants } from 'node:os';
import type { ExitStatus } from '../core/model/content';

/** Returns an exit in the protocol's form: a signal's name, or else the code. */
export function exitStatusOf(exitCode: number | null | undefined, signal: number | string | null | undefined): ExitStatus {
  if (signal) {
    const name = typeof signal === 'string' ? signal : Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
    return { signal: name ?? String(signal) };
  }
  return { exitCode: exitCode ?? 0 };
}

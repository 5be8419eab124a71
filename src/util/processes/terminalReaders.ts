/** Detects from `/proc` whether a command in a terminal waits for input. Linux only. */
import { readFile, readlink } from 'node:fs/promises';
import { hasProc, listProcesses } from './processList';

/** The number of read(2), by architecture. */
const READ_CALL: Readonly<Record<string, string>> = { x64: '0', arm64: '63' };
/** Kernel functions in which a process waits for a terminal's input. */
const TTY_WAIT: ReadonlySet<string> = new Set(['n_tty_read', 'wait_woken', 'tty_read']);
/** Kernel functions in which a process waits for one of several files, of which the terminal can be one. */
const POLL_WAIT = /poll|select/;

/**
 * True when the terminal's foreground process group has a process that is blocked in a read of the terminal, false when it has none. Undefined when
 * that is not certain: the system does not report it, or a process waits for several files at once.
 * @param leader the process that leads the terminal's session
 */
export async function readsTerminal(leader: number): Promise<boolean | undefined> {
  if (!hasProc()) {
    return undefined;
  }
  const foreground = foregroundGroup(await text(`/proc/${leader}/stat`));
  if (foreground === undefined) {
    return undefined;
  }
  const members = (await listProcesses()).filter(({ group, zombie }) => group === foreground && !zombie);
  const states = await Promise.all(members.map(({ pid }) => readState(pid)));
  return states.includes('reads') ? true : states.length === 0 || states.includes('unknown') ? undefined : false;
}

async function readState(pid: number): Promise<'reads' | 'other' | 'unknown'> {
  const [wait, call] = await Promise.all([text(`/proc/${pid}/wchan`), text(`/proc/${pid}/syscall`)]);
  if (POLL_WAIT.test(wait)) {
    return 'unknown';
  }
  if (call.startsWith('running')) {
    return 'other';
  }
  const [number, descriptor] = call.split(' ');
  const read = READ_CALL[process.arch];
  if (read !== undefined && descriptor !== undefined) {
    const target = number === read ? await readlink(`/proc/${pid}/fd/${Number(descriptor)}`).catch(() => '') : '';
    return /^\/dev\/(?:pts\/\d+|tty)/.test(target) ? 'reads' : 'other';
  }
  return wait === '' || wait === '0' ? 'unknown' : TTY_WAIT.has(wait) ? 'reads' : 'other';
}

/** Returns the eighth field of `stat`. The name before it may contain spaces and parentheses. */
function foregroundGroup(stat: string): number | undefined {
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5]);
  return group > 0 ? group : undefined;
}

async function text(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** The processes that listen on a TCP port of this machine. */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { hasProc, listProcesses } from './processList';
import { marksIn } from './processMark';

const TIMEOUT_MS = 3000;
/** The state LISTEN in `/proc/net/tcp`. */
const LISTENS = '0A';

/** Returns the pids. Empty when no process listens, or the system does not show whose port it is. */
export async function listenersOn(port: number): Promise<readonly number[]> {
  if (hasProc()) {
    return ownersOf(await listeningSockets(port));
  }
  if (process.platform === 'win32') {
    const lines = (await output('netstat', ['-ano', '-p', 'TCP'])).split(/\r?\n/);
    return lines.flatMap((line) => {
      const [, local = '', , state, pid] = line.trim().split(/\s+/);
      return state === 'LISTENING' && local.endsWith(`:${port}`) ? [Number(pid)] : [];
    });
  }
  const pids = await output('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t']);
  return pids.split('\n').flatMap((line) => (/^\d+$/.test(line.trim()) ? [Number(line)] : []));
}

/**
 * True when a process that this one has started listens on the port, even after its parent has ended. Undefined when the system does not show that.
 */
export async function isOwnPort(port: number): Promise<boolean | undefined> {
  const pids = await listenersOn(port);
  if (pids.length === 0 || process.platform === 'win32') {
    return undefined;
  }
  const parents = new Map((await listProcesses()).map(({ pid, parent }) => [pid, parent]));
  const isDescendant = (pid: number): boolean => {
    const seen = new Set<number>();
    for (let at: number | undefined = pid; at !== undefined && at > 1 && !seen.has(at); at = parents.get(at)) {
      if (at === process.pid) {
        return true;
      }
      seen.add(at);
    }
    return false;
  };
  const owned = await Promise.all(pids.map(async (pid) => isDescendant(pid) || (await isMarked(pid))));
  return owned.includes(true);
}

/** True for a process of a launch of ours that left its parent. */
async function isMarked(pid: number): Promise<boolean> {
  const environment = hasProc() ? await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '') : '';
  const own = new Set(marksIn(await readFile('/proc/self/environ', 'latin1').catch(() => '')));
  return marksIn(environment).some((mark) => !own.has(mark));
}

async function listeningSockets(port: number): Promise<ReadonlySet<string>> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  return new Set(
    tables.flatMap((table) =>
      table.split('\n').flatMap((line) => {
        const fields = line.trim().split(/\s+/);
        return fields[1]?.endsWith(`:${hex}`) && fields[3] === LISTENS && fields[9] !== undefined ? [`socket:[${fields[9]}]`] : [];
      }),
    ),
  );
}

/** The processes of this user with one of these sockets. */
async function ownersOf(sockets: ReadonlySet<string>): Promise<readonly number[]> {
  if (sockets.size === 0) {
    return [];
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
      const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
      return links.some((link) => sockets.has(link)) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => execFile(program, args, { timeout: TIMEOUT_MS, maxBuffer: 1 << 24 }, (_, out) => resolve(out ?? '')));
}

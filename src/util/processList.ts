/** The processes of this machine, as far as ending a tree of them needs. Not for Windows. */

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The process group. */
  readonly group: number;
  /** The session's leader, where the system tells (Linux). */
  readonly session?: number;
  /** Ended, and only its parent has not noticed. */
  readonly zombie: boolean;
  /** When it started, in whatever form: with `pid` it tells a process from a later one of the same number. */
  readonly started: string;
}

let running: Promise<ProcessRow[]> | undefined;
let next: Promise<ProcessRow[]> | undefined;

/**
 * Everything that runs now, best effort: what ends or cannot be read meanwhile is missing. Those who ask while a list is being made
 * share the one after it, so that ending many at once does not read everything for each; never the present one, which may be too old.
 */
export function listProcesses(): Promise<ProcessRow[]> {
  if (running) {
    next ??= running.then(() => {
      next = undefined;
      return listProcesses();
    });
    return next;
  }
  running = list().finally(() => (running = undefined));
  return running;
}

async function list(): Promise<ProcessRow[]> {
  return (await fromProc()) ?? fromPs();
}

async function fromProc(): Promise<ProcessRow[] | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const { readdir, readFile } = await import('node:fs/promises');
  try {
    const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const rows = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'latin1').then(parseStat, () => undefined)));
    return rows.filter((row) => row !== undefined);
  } catch {
    return undefined;
  }
}

/** One line of `/proc/<pid>/stat` (proc(5)); the name in parentheses may hold anything, so the fields are counted from its end. */
export function parseStat(line: string): ProcessRow | undefined {
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (!Number.isInteger(pid) || started === undefined) {
    return undefined;
  }
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), zombie: state === 'Z' || state === 'X', started };
}

async function fromPs(): Promise<ProcessRow[]> {
  const { execFile } = await import('node:child_process');
  const text = await new Promise<string>((resolve) =>
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 1 << 24 }, (_, out) =>
      resolve(out ?? ''),
    ),
  );
  return text.split('\n').map(parsePs).filter((row) => row !== undefined);
}

/** One line of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(line: string): ProcessRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (!match) {
    return undefined;
  }
  const [, pid, parent, group, state, started] = match;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state!.startsWith('Z'), started: started! };
}

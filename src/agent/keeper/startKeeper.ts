/** Starts keepers, and finds those of earlier windows. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { FRAMES, type KeeperRecord, type KeeperStart, type KeepLimits } from '../../core/keeper/messages';
import { fault } from '../../core/model/failure';
import type { Environment } from '../../util/environment';
import { newMark } from '../../util/processes/processMark';
import { makeSocketFolder, MAX_SOCKET_PATH } from '../../util/sockets/socketFolder';
import type { PreparedProgram, ResolvedLaunch } from '../prepare';

/** The built program and the folder of all keepers of this user. */
export interface KeeperPlaces {
  /** The built `main.ts`. */
  readonly program: string;
  /** Only the user can enter it. */
  readonly folder: string;
  /** The program that runs it: VS Code's own Node. */
  readonly node: string;
}

/** How a keeper holds an agent. */
export interface KeepingOptions {
  readonly places: KeeperPlaces;
  readonly limits: KeepLimits;
}

/** A keeper that has started, and listens. */
export interface StartedKeeper extends Pick<KeeperRecord, 'id' | 'address' | 'token'> {
  readonly mark: string;
}

/** The characters that an address keeps in a URL, as the WebSocket library takes it. */
const PLAIN_PATH = /^[\w./-]+$/;
/** ms in which a keeper must listen. */
const START_MS = 15_000;
/** Characters of its error output that a failure quotes. */
const MAX_ERROR = 500;
const RECORD = '.json';
/** The variables that the keeper itself needs. The agent's are part of its instructions. */
const INHERITED =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|windir|USERPROFILE|LOCALAPPDATA|APPDATA|XDG_RUNTIME_DIR|ACP_HOST_PROCESS|LD_LIBRARY_PATH)$/i;

/**
 * Starts a keeper for this program. The keeper starts the agent at once.
 * @param environment of the extension host
 * @throws Fault `agent.spawn_failed`
 */
export async function startKeeper(
  places: KeeperPlaces,
  environment: Environment,
  { agentName, command, args, cwd }: ResolvedLaunch,
  program: PreparedProgram,
  options: Pick<KeeperStart, 'limits' | 'maxLineBytes'>,
): Promise<StartedKeeper> {
  await closedFolder(places.folder);
  const id = randomUUID();
  const start: KeeperStart = {
    id,
    token: randomBytes(32).toString('base64url'),
    address: await addressFor(id, places.folder),
    record: path.join(places.folder, `${id}${RECORD}`),
    launch: { agentName, command, args, cwd },
    program,
    mark: newMark(),
    ...options,
  };
  const { spawn } = await import('node:child_process');
  const inherited = Object.fromEntries(Object.entries(environment).filter(([name]) => INHERITED.test(name)));
  const child = spawn(places.node, [places.program], {
    cwd: places.folder,
    env: { ...inherited, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    let errors = '';
    const fail = (detail: string): void =>
      reject(fault('agent.spawn_failed', { command, commandLine: command, cwd }, { detail: `${detail}\n${errors}`.trim() }));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('The keeper does not start.');
    }, START_MS);
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => fail(`The keeper has ended: ${signal ?? code ?? ''}`));
    child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-MAX_ERROR)));
    child.stdout.once('data', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(start));
  });
  // The extension host neither waits for it, nor keeps its pipes open.
  child.removeAllListeners('exit');
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  return { id, address: start.address, token: start.token, mark: start.mark };
}

/** Returns the record of a keeper; undefined when there is none. */
export async function findKeeper(folder: string, id: string): Promise<KeeperRecord | undefined> {
  if (!/^[\w-]{1,64}$/.test(id)) {
    return undefined;
  }
  try {
    const record = JSON.parse(await readFile(path.join(folder, `${id}${RECORD}`), 'utf8')) as Partial<KeeperRecord>;
    return typeof record.address === 'string' &&
      typeof record.token === 'string' &&
      typeof record.pid === 'number' &&
      typeof record.mark === 'string'
      ? (record as KeeperRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes the records of keepers that were killed, with what else they have left in the folder. */
export async function removeStaleRecords(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const id = path.basename(name, RECORD);
    const record = name.endsWith(RECORD) ? await findKeeper(folder, id) : undefined;
    if (record && !isAlive(record.pid)) {
      const rests = [name, `${id}${FRAMES}`].map((rest) => path.join(folder, rest));
      // The folder of a named pipe is that of all pipes of the machine.
      const own = path.isAbsolute(record.address) && !record.address.startsWith('\\\\') ? [path.dirname(record.address)] : [];
      for (const rest of [...rests, ...own]) {
        await rm(rest, { recursive: true, force: true }).catch(() => undefined);
      }
    }
  }
}

/** True when there is a process with this id, which may be another one by now. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function closedFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    await chmod(folder, 0o700);
  }
}

/** A path that is short enough for a socket, in a folder of its own that only this user can enter. */
async function addressFor(id: string, folder: string): Promise<string> {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\acp-host-${randomBytes(16).toString('hex')}`;
  }
  const own = path.join(folder, id.slice(0, 8), 's');
  if (own.length <= MAX_SOCKET_PATH && PLAIN_PATH.test(own)) {
    return own;
  }
  return path.join(await makeSocketFolder('acp-host-', (each) => PLAIN_PATH.test(each)), 's');
}

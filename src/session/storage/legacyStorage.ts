/**
 * Moves sessions that earlier versions stored in a folder of the workspace into the store of all windows. Each session is moved file by file, the
 * journal last. A later window continues an interrupted move, and two windows at once move each file once.
 */
import { constants, copyFile, link, mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { beginningOf } from '../../util/beginning';
import path from 'node:path';
import type { StoredAgent } from '../../core/agents/agentIds';
import { parseJournal } from '../journal/journalReader';
import { parseSummary, summarize } from '../journal/journalSummary';
import { renameOver } from '../../util/windows/renameOver';
import { isKey } from '../journal/journalFiles';

/**
 * The folders in which earlier versions stored sessions: the workspace's, those that VS Code gave its further extension hosts, and that of a window
 * without a workspace. All absolute.
 */
export async function legacyFolders(storage: string | undefined, globalStorage: string): Promise<string[]> {
  const folders = [path.join(globalStorage, 'sessions')];
  if (storage !== undefined) {
    // …/workspaceStorage/<workspace>-1/<extension>
    const extension = path.basename(storage);
    const workspaces = path.dirname(path.dirname(storage));
    const workspace = path.basename(path.dirname(storage)).replace(/-\d{1,4}$/, '');
    const names = await readdir(workspaces).catch(() => []);
    const own = names.filter(
      (name) => name === workspace || (name.startsWith(`${workspace}-`) && /^\d{1,4}$/.test(name.slice(workspace.length + 1))),
    );
    folders.push(...own.map((name) => path.join(workspaces, name, extension, 'sessions')));
  }
  return folders;
}

/** The facts about a session in a legacy folder. */
export interface LegacySession extends StoredAgent {
  readonly key: string;
  readonly cwd: string;
  readonly createdAt: number;
  readonly sessionId?: string;
  /** The time of the last change, ms since the epoch. */
  readonly changedAt: number;
}

/** @param place creates the new folder of the session's files and adds the session to the index. Returns the number of moved sessions. */
export async function moveSessions(from: string, place: (session: LegacySession) => Promise<string>): Promise<number> {
  const names = await readdir(from).catch(() => []);
  const present = new Set(names);
  let count = 0;
  for (const name of names) {
    const key = path.basename(name, '.jsonl');
    if (!name.endsWith('.jsonl') || !isKey(key)) {
      continue;
    }
    const session = await sessionIn(from, key).catch(() => undefined);
    if (session) {
      const to = await place(session);
      await mkdir(to, { recursive: true, mode: 0o700 });
      for (const end of ['summary.json', 'draft.json', 'queue.json', 'jsonl']) {
        const file = `${key}.${end}`;
        if (present.has(file)) {
          await move(path.join(from, file), path.join(to, file));
        }
      }
      count++;
    }
  }
  return count;
}

/** Undefined for a file that is not a journal, which is not moved. */
async function sessionIn(folder: string, key: string): Promise<LegacySession | undefined> {
  const file = path.join(folder, `${key}.jsonl`);
  const [text, info, kept] = await Promise.all([
    beginningOf(file, BEGINNING).then((bytes) => bytes.toString('utf8')),
    stat(file),
    readFile(path.join(folder, `${key}.summary.json`), 'utf8').catch(() => ''),
  ]);
  const journal = parseJournal(text);
  if (!journal) {
    return undefined;
  }
  const { cwd, agentId, agentName, createdAt } = journal.header;
  const { sessionId, changedAt = info.mtimeMs } = parseSummary(kept, key) ?? { ...summarize(journal), changedAt: undefined };
  return { key, cwd, agentId, agentName, createdAt, changedAt, ...(sessionId !== undefined && { sessionId }) };
}

/** Bytes of a journal that are read: the header, and usually the agent's session id. */
const BEGINNING = 64 * 1024;

/** Never overwrites a file: an existing one was moved before and may have changed since. */
async function move(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ENOENT':
        return; // The other window was faster.
      case 'EEXIST':
        break;
      default:
        // The target is on another disk, or the disk does not support links.
        await copy(from, to);
    }
  }
  await unlink(from).catch(() => undefined);
}

async function copy(from: string, to: string): Promise<void> {
  const begun = `${to}.${process.pid}.${Date.now()}.new`;
  try {
    await copyFile(from, begun, constants.COPYFILE_EXCL);
    const handle = await open(begun, 'r+');
    await handle.sync().finally(() => handle.close());
    const check = async (): Promise<void> => {
      if (await stat(to).catch(() => undefined)) {
        throw Object.assign(new Error(`EEXIST: file already exists, '${to}'`), { code: 'EEXIST' });
      }
    };
    await renameOver(begun, to, { check }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    });
  } finally {
    await rm(begun, { force: true });
  }
}

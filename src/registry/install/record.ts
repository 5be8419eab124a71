/**
 * The files that describe installed agents. Each version has one in its folder, written last: without it, the folder does not count. The choice between
 * versions is in one small file per agent. When that file is lost, the newest version starts.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { array, fallback, integer, literal, object, optional, record, string, type Infer } from '../../core/schema/schema';
import { writeFileSafely } from '../../util/writeFileSafely';

export const VERSION_FILE = 'install.json';
export const STATE_FILE = 'state.json';
/** The folder of the marks of running agents. */
export const USES = '.uses';

const MAX_TEXT = 4096;
const text = (max = MAX_TEXT) => string({ min: 1, max });

/** `node`: a script for Node. `file`: a program. `file` is relative to the version's folder. */
const versionRecord = object({
  format: integer({ min: 1, max: 1 }),
  agentId: text(),
  id: text(),
  origin: text(),
  name: text(),
  icon: optional(string({ max: 128 * 1024 })),
  version: text(),
  way: literal('npx', 'uvx', 'binary'),
  /** The package or the archive that was installed. */
  source: text(),
  installedAt: integer(),
  program: object({ kind: literal('node', 'file'), file: text(), engines: optional(text(200)) }),
  args: array(string({ max: MAX_TEXT })),
  env: record(string({ max: MAX_TEXT })),
});
export type VersionRecord = Infer<typeof versionRecord>;

const agentState = object({
  /** The name of the folder of the version that starts. */
  current: fallback(text()),
  isPinned: fallback(literal('yes')),
  skipped: fallback(text()),
  /** The names of the folders of the versions that were used before the current one, the last one first. */
  before: fallback(array(text())),
  /** The names of the folders of the versions that have been ready once. */
  started: fallback(array(text())),
  /** Failed starts of the current version since it became the current one. */
  failedStarts: fallback(integer()),
});
export type AgentState = Infer<typeof agentState>;

/** An installed version, with the name of its folder. */
export interface StoredVersion {
  readonly folder: string;
  readonly record: VersionRecord;
}

/** An installed agent. */
export interface StoredAgent {
  /** The agent's folder, absolute. */
  readonly home: string;
  readonly current: StoredVersion;
  /** The other versions, the one installed last first. */
  readonly others: readonly StoredVersion[];
  readonly state: AgentState;
}

/** Returns the name of an agent's folder: readable, valid on each system, and unique by a part of a hash. */
export function folderNameOf(agentId: string): string {
  const readable = agentId
    .replace(/^registry\//, '')
    .replace(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .toLowerCase();
  return `${readable || 'agent'}-${createHash('sha256').update(agentId).digest('hex').slice(0, 10)}`;
}

/** Reads all installed agents in `root`. A damaged file costs only its own version. */
export async function readAgents(root: string): Promise<StoredAgent[]> {
  const homes = (await foldersIn(root)).map((name) => path.join(root, name));
  const agents = await Promise.all(homes.map(readAgent));
  return agents.flatMap((agent) => agent ?? []).sort((a, b) => a.current.record.name.localeCompare(b.current.record.name));
}

/** @param home the agent's folder */
export async function readAgent(home: string): Promise<StoredAgent | undefined> {
  const [state, names] = await Promise.all([readState(home), foldersIn(home)]);
  const read = await Promise.all(names.map((name) => readVersion(path.join(home, name))));
  const versions = read.flatMap((version) => version ?? []).sort((a, b) => b.record.installedAt - a.record.installedAt);
  const agentId = versions[0]?.record.agentId;
  const own = versions.filter(({ record }) => record.agentId === agentId && folderNameOf(record.agentId) === path.basename(home));
  const current = own.find(({ folder }) => path.basename(folder) === state.current) ?? own[0];
  return current && { home, current, others: own.filter((each) => each !== current), state };
}

export async function readVersion(folder: string): Promise<StoredVersion | undefined> {
  const value = await readJson(path.join(folder, VERSION_FILE));
  return versionRecord.validate(value) ? { folder, record: versionRecord.parse(value) } : undefined;
}

export async function writeVersion(folder: string, value: VersionRecord): Promise<void> {
  await writeFileSafely(path.join(folder, VERSION_FILE), [JSON.stringify(value, undefined, 2)], { overwrite: true });
}

export async function writeState(home: string, state: AgentState): Promise<void> {
  await writeFileSafely(path.join(home, STATE_FILE), [JSON.stringify(state)], { overwrite: true });
}

async function readState(home: string): Promise<AgentState> {
  const value = await readJson(path.join(home, STATE_FILE));
  return agentState.validate(value) ? agentState.parse(value) : {};
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The names of the folders, without hidden ones. */
export async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}

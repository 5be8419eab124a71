/** Collects the places of a sandbox from the disk: only what exists can be mounted. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPlaces } from '../plan/agentState';
import { type Access, accessTo, type Place, planOf, type SandboxPlan } from '../plan/plan';
import { EMPTIED_FILES, SECRET_PLACES } from '../plan/secretPlaces';
import { gitFoldersOf } from './gitFolders';
import { type ExpectedMounts, identityOf, mountsIn } from './mounts';
import { protectedPlaces, type RuleFor } from './protectedFiles';

export interface PlaceSources {
  /** The user's home folder, and the agent's if that is another one. */
  readonly homes: readonly string[];
  /** The session's folders, absolute. */
  readonly roots: readonly string[];
  /** Undefined for commands. They do not need the agent's state. */
  readonly agent: AgentPlaces | undefined;
  /** The user's further folders, absolute. */
  readonly writable: readonly string[];
  readonly unreadable: readonly string[];
  /** Folders of the sandbox that stay between starts: caches of package managers. */
  readonly caches: readonly string[];
  /** Programs and files that must be readable, wherever they are. */
  readonly needed: readonly string[];
  readonly ruleFor: RuleFor;
}

/** Folders for temporary files, and for the sockets of other programs. A sandbox has its own. */
export const TEMPORARY = ['/tmp', '/var/tmp'];

export async function gatherPlan(sources: PlaceSources): Promise<SandboxPlan> {
  const { homes, agent } = sources;
  await Promise.all(sources.caches.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  await Promise.all(
    (agent?.write ?? []).filter(({ isFile }) => !isFile).map(({ path: each }) => mkdir(each, { recursive: true, mode: 0o700 })),
  );
  await Promise.all((agent?.readOnly ?? []).map(makeEmpty));
  const roots = await Promise.all(sources.roots.map((root) => realpath(root)));
  const git = await Promise.all(roots.map(gitFoldersOf));
  const emptied = new Set(EMPTIED_FILES.map((file) => path.basename(file)));
  const inHome = (names: readonly string[]): string[] => homes.flatMap((home) => names.map((name) => path.join(home, name)));
  const found = await Promise.all([
    placesAt(TEMPORARY, 'private'),
    placesAt(roots, 'write'),
    gitPlaces(roots),
    placesAt(
      git.flatMap(({ write }) => write),
      'write',
    ),
    placesAt(
      git.flatMap(({ readOnly }) => readOnly),
      'read',
    ),
    placesAt(
      git.flatMap(({ fixed }) => fixed),
      'write',
    ),
    placesAt(sources.caches, 'write'),
    placesAt(agent?.write.map(({ path: each }) => each) ?? [], 'write'),
    placesAt(agent?.readOnly ?? [], 'read'),
    placesAt(agent?.others ?? [], 'none'),
    placesAt(inHome(SECRET_PLACES), 'none'),
    placesAt(inHome(EMPTIED_FILES), 'empty'),
    placesAt(await openSockets(), 'none'),
    placesAt(sources.writable, 'write', true),
    placesAt(sources.unreadable, 'none', true),
    ...roots.map((root) => protectedPlaces(root, sources.ruleFor, emptied)),
  ]);
  const places = found.flat();
  const plan = planOf(places);
  const needed = (await placesAt(sources.needed, 'read')).filter((place) => !['read', 'write'].includes(accessTo(place.path, plan)));
  return needed.length === 0 ? plan : planOf([...places, ...needed.map((place) => ({ ...place, isOwn: true }))]);
}

/** Names of folders and files that an agent makes itself, with a content of its own. */
const NOT_MADE = /^(?:plugins|packages|pkg|local|extensions|config\.json|\.env)$/;
const EMPTY: Readonly<Record<string, string>> = { '.json': '{}\n', '.toml': '', '.md': '' };

/** Makes a place of an agent's settings that does not exist, because an agent could make it later, with hooks in it. */
async function makeEmpty(place: string): Promise<void> {
  const content = EMPTY[path.extname(place)];
  if (NOT_MADE.test(path.basename(place))) {
    return;
  }
  await (content === undefined ? mkdir(place, { mode: 0o700 }) : writeFile(place, content, { flag: 'wx', mode: 0o600 })).catch(
    () => undefined,
  );
}

/** Git's own folders of the roots, as mounts that cannot be renamed. A link would make its target writable, so it does not count. */
async function gitPlaces(roots: readonly string[]): Promise<readonly Place[]> {
  const folders = roots.map((root) => path.join(root, '.git'));
  const places = await placesAt(folders, 'write');
  return places.filter((place) => folders.includes(place.path));
}

/** The maximum number of sockets that are hidden one by one. */
const MAX_SOCKETS = 200;

/**
 * The sockets on the disk that programs listen on now. A read-only mount does not prevent a connection, and a program outside could be made to act for
 * one inside: a container engine, a key agent, an editor. Empty where the system does not list them.
 */
async function openSockets(): Promise<readonly string[]> {
  const list = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = list.split('\n').flatMap((line) => /^\S+: \S+ \S+ \S+ \S+ 01 +\d+ (\/.+)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)]
    .filter((each) => !['/run/', '/var/run/', '/tmp/', '/var/tmp/'].some((start) => each.startsWith(start)))
    .slice(0, MAX_SOCKETS);
}

/** The places that exist, by their real paths. A symbolic link counts as its target. */
async function placesAt(paths: readonly string[], access: Access, isOwn = false): Promise<readonly Place[]> {
  const places = await Promise.all(
    paths.map(async (each): Promise<readonly Place[]> => {
      try {
        const real = await realpath(each);
        const found = await lstat(real);
        return real !== '/' && (found.isDirectory() || found.isFile() || found.isSocket())
          ? [{ path: real, access, isFolder: found.isDirectory(), ...(isOwn && { isOwn }), ...(found.isSocket() && { isSocket: true }) }]
          : [];
      } catch {
        return [];
      }
    }),
  );
  return places.flat();
}

/** Returns the plan without sockets that are gone since it was made: a sandbox cannot start with a place that does not exist. */
export function withoutGoneSockets({ places }: SandboxPlan): SandboxPlan {
  return { places: places.filter(({ path: each, isSocket }) => isSocket !== true || existsSync(each)) };
}

/** The mounts of a plan, with the identities of its writable places as they are now. */
export async function expectedMounts({ places }: SandboxPlan): Promise<ExpectedMounts> {
  const outside = mountsIn(await readFile('/proc/self/mountinfo', 'utf8'));
  const writable = places.filter(({ access }) => access === 'write');
  return {
    writable: await Promise.all(writable.map(async ({ path: each }) => [each, identityOf(await lstat(each, { bigint: true }))] as const)),
    hidden: places.filter(({ access }) => access === 'none').map(({ path: each }) => each),
    known: [...places, ...outside].map(({ path: each }) => each),
  };
}

/**
 * The agents' programs on this machine, found on PATH and in the places of common installers. Nothing is started for it. A program that is the
 * package of a predefined agent, and not older than the tested version, is started in place of a download.
 */
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { PREDEFINED_AGENTS } from '../../agent/predefined';
import { withoutProjectPath } from '../../agent/environment/searchPath';
import { isProcess } from '../../core/agents/endpoint';
import type { AgentLaunch, ProcessLaunch } from '../../core/model/agentLaunch';
import { cleanEnvironment, type Environment, variable } from '../../util/environment';
import { findExecutable } from '../../util/executable';

/** A program of the last probe. */
interface StoredProgram {
  /** Absolute. */
  readonly file: string;
  /** True when the program speaks the protocol by itself and is started. */
  readonly isStarted: boolean;
}

export interface LocalProgramsDependencies {
  readonly environment: Environment;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The storage of this machine. */
  readonly storage: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> | Promise<void> };
  /** Milliseconds since 1970. */
  now(): number;
  /** The folders of the workspace, whose programs never count. */
  projects(): readonly string[];
}

/** The name under which the programs of the last probe are stored. */
export const LOCAL_PROGRAMS = 'localPrograms';
/** ms for which a probe counts. */
const FRESH_MS = 60_000;
/** The names of the programs, by the agent's id. Claude Code, Codex and Pi need an adapter to speak the protocol. */
const NAMES: Readonly<Record<string, string>> = {
  'Claude Code': 'claude',
  'Codex CLI': 'codex',
  'Gemini CLI': 'gemini',
  'GitHub Copilot CLI': 'copilot',
  OpenCode: 'opencode',
  'Qwen Code': 'qwen',
  'Auggie CLI': 'auggie',
  Cline: 'cline',
  'Kilo Code': 'kilo',
  Pi: 'pi',
  'Factory Droid': 'droid',
  Goose: 'goose',
  'Kimi CLI': 'kimi',
  'Mistral Vibe': 'vibe-acp',
  'Cursor CLI': 'cursor-agent',
};
const ADAPTED: ReadonlySet<string> = new Set(['Claude Code', 'Codex CLI', 'Pi']);
/** Agents that are listed only where they are installed. */
const LISTED_WHEN_FOUND: readonly ProcessLaunch[] = [
  { agentId: 'Cursor CLI', agentName: 'Cursor CLI', command: 'cursor-agent', args: ['acp'], env: {} },
];

export class LocalPrograms {
  private found: Readonly<Record<string, StoredProgram>> = {};
  private probing: { readonly at: number; readonly done: Promise<void> } | undefined;
  private settling: Promise<void> | undefined;

  constructor(private readonly deps: LocalProgramsDependencies) {}

  /** The paths of the programs by the agent's id. */
  get installed(): ReadonlyMap<string, string> {
    return new Map(Object.entries(this.found).map(([agentId, { file }]) => [agentId, file]));
  }

  /** Returns the predefined agents, those with a program of their own started by it. @param predefined the list, without the agents of {@link LISTED_WHEN_FOUND} */
  launches(predefined: readonly AgentLaunch[] = PREDEFINED_AGENTS): readonly AgentLaunch[] {
    const extra = LISTED_WHEN_FOUND.filter(({ agentId }) => Object.hasOwn(this.found, agentId));
    return [...predefined, ...extra].map((launch) => (isProcess(launch) ? this.preferred(launch) : launch));
  }

  /** Reads the programs of the last probe, as far as they still exist. Must resolve before an agent is started by {@link launches}. */
  settle(): Promise<void> {
    return (this.settling ??= this.readStored());
  }

  /** Looks for the programs, unless that was done just now. Never rejects. */
  probe(): Promise<void> {
    const now = this.deps.now();
    if (!this.probing || now - this.probing.at > FRESH_MS) {
      this.probing = { at: now, done: this.look().catch(() => undefined) };
    }
    return this.probing.done;
  }

  private preferred(launch: ProcessLaunch): ProcessLaunch {
    const program = Object.hasOwn(this.found, launch.agentId) ? this.found[launch.agentId] : undefined;
    if (!program?.isStarted) {
      return launch;
    }
    const { file } = program;
    const own = packageIn(launch);
    return { ...launch, command: file, args: own ? launch.args.slice(launch.args.indexOf(own.argument) + 1) : launch.args };
  }

  private async readStored(): Promise<void> {
    const stored = this.deps.storage.get(LOCAL_PROGRAMS);
    const programs = typeof stored === 'object' && stored !== null ? (stored as Record<string, Partial<StoredProgram> | null>) : {};
    const checked = Object.keys(NAMES).map(async (agentId): Promise<[string, StoredProgram] | undefined> => {
      const { file, isStarted } = (Object.hasOwn(programs, agentId) ? programs[agentId] : undefined) ?? {};
      const lookup = { cwd: this.deps.home, environment: {} };
      const is =
        typeof file === 'string' &&
        path.isAbsolute(file) &&
        (await this.isOutside(path.dirname(file))) &&
        (await findExecutable(file, lookup).catch(() => undefined))?.executable;
      return is ? [agentId, { file, isStarted: isStarted === true }] : undefined;
    });
    this.found = { ...Object.fromEntries((await Promise.all(checked)).flatMap((each) => (each ? [each] : []))), ...this.found };
  }

  /** False for a folder of the workspace. */
  private async isOutside(folder: string): Promise<boolean> {
    const { projects, home } = this.deps;
    const { PATH } = await withoutProjectPath({ PATH: folder }, projects(), home);
    return PATH === folder;
  }

  private async look(): Promise<void> {
    const { environment, home, platform, projects, storage } = this.deps;
    const clean = await withoutProjectPath(cleanEnvironment(environment), projects(), home);
    const own = variable(clean, 'PATH', platform) ?? '';
    const delimiter = platform === 'win32' ? ';' : ':';
    const places = knownPlaces(this.deps);
    const allowed = await Promise.all(places.map((place) => this.isOutside(place)));
    const search = [own, ...places.filter((_, index) => allowed[index])].filter(Boolean).join(delimiter);
    const lookup = { cwd: home, environment: { ...clean, PATH: search }, platform };
    const known = new Map([...PREDEFINED_AGENTS, ...LISTED_WHEN_FOUND].map((launch) => [launch.agentId, launch]));
    const looked = Object.entries(NAMES).map(async ([agentId, name]): Promise<[string, StoredProgram] | undefined> => {
      const found = await findExecutable(name, lookup).catch(() => undefined);
      const launch = known.get(agentId);
      if (!found?.executable || !launch) {
        return undefined;
      }
      const isStarted = !ADAPTED.has(agentId) && (await isCurrent(found.file, launch, home));
      return [agentId, { file: found.file, isStarted }];
    });
    const found = Object.fromEntries((await Promise.all(looked)).flatMap((each) => (each ? [each] : [])));
    this.found = found;
    if (JSON.stringify(storage.get(LOCAL_PROGRAMS) ?? {}) !== JSON.stringify(found)) {
      await storage.update(LOCAL_PROGRAMS, found);
    }
  }
}

/** The folders of common installers, which are often missing from the PATH of a window. */
function knownPlaces({ home, environment, platform }: LocalProgramsDependencies): readonly string[] {
  if (platform === 'win32') {
    const [roaming, local] = [variable(environment, 'APPDATA', platform), variable(environment, 'LOCALAPPDATA', platform)];
    return [
      ...(roaming ? [path.win32.join(roaming, 'npm')] : []),
      ...(local ? [path.win32.join(local, 'pnpm'), path.win32.join(local, 'Microsoft', 'WinGet', 'Links')] : []),
      ...['.local\\bin', '.bun\\bin', '.opencode\\bin', 'scoop\\shims'].map((place) => path.win32.join(home, place)),
    ];
  }
  const inHome = [
    '.local/bin',
    'bin',
    '.npm-global/bin',
    '.bun/bin',
    '.opencode/bin',
    '.claude/local',
    '.cargo/bin',
    '.volta/bin',
    '.local/share/pnpm',
  ];
  return [...inHome.map((place) => path.posix.join(home, place)), '/usr/local/bin', '/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin'];
}

/** True when the program can be started for this agent. An agent without a package is its program, and a package must be the tested one or newer. */
async function isCurrent(file: string, launch: ProcessLaunch, home: string): Promise<boolean> {
  const tested = packageIn(launch);
  if (!tested) {
    return true;
  }
  // The installer of OpenCode has a folder of its own and no package.
  if (launch.agentId === 'OpenCode' && path.dirname(file) === path.join(home, '.opencode', 'bin')) {
    return true;
  }
  const version = await versionOf(file, tested.name);
  return version !== undefined && !isOlder(version, tested.version);
}

/** The argument with package and version; undefined for an agent that is a program. */
function packageIn({
  command,
  args,
}: ProcessLaunch): { readonly argument: string; readonly name: string; readonly version: string } | undefined {
  for (const argument of command === 'npx' ? args : []) {
    const [, name, version] = /^(@?[^@\s-][^@\s]*)@(\d+\.\d+\.\d+[\w.+-]*)$/.exec(argument) ?? [];
    if (name !== undefined && version !== undefined) {
      return { argument, name, version };
    }
  }
  return undefined;
}

/** Returns the version of the npm package that the file belongs to; undefined when that is another package or none. */
async function versionOf(file: string, name: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => file);
  const folders: string[] = [];
  for (let folder = path.dirname(real); path.dirname(folder) !== folder && folders.length < 6; folder = path.dirname(folder)) {
    folders.push(folder);
  }
  // On Windows the program is a script beside the packages.
  folders.push(path.join(path.dirname(file), 'node_modules', name));
  for (const folder of folders) {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => undefined);
    try {
      const manifest = JSON.parse(text ?? 'null') as { readonly name?: unknown; readonly version?: unknown } | null;
      if (manifest?.name === name && typeof manifest.version === 'string') {
        return manifest.version;
      }
    } catch {
      // Another file of that name.
    }
  }
  return undefined;
}

function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const at = one!.findIndex((part, index) => part !== other![index]);
  return at >= 0 && !(one![at]! > other![at]!);
}

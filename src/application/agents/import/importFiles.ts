/** The files in which other clients keep their agents. */
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../core/platform/log';
import { isPlainObject, MAX_TEXT, parsePlain, type Plain } from '../../../mcp/config/plainJson';
import { type Environment, variable } from '../../../util/environment';
import { type ForeignAgents, foreignAgents, type ForeignForm } from './foreignAgents';

/** The agents of one client. */
export interface ForeignSource extends ForeignAgents {
  /** The client's name, and the file or setting. */
  readonly client: string;
  readonly place: string;
  /** The reason why the file cannot be read. */
  readonly problem?: string;
}

export interface ImportFilesDependencies {
  readonly home: string;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly workspaceFolders: readonly string[];
  readonly log: Pick<Log, 'debug'>;
}

interface ClientFile {
  readonly client: string;
  readonly file: string;
  readonly form: ForeignForm;
  /** The member of the file with the agents. Absent: the whole file. */
  readonly member?: string;
}

/** Returns the places on this platform. */
export function clientFiles({
  home,
  environment,
  platform,
}: Omit<ImportFilesDependencies, 'log' | 'workspaceFolders'>): readonly ClientFile[] {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const config = variable(environment, 'XDG_CONFIG_HOME') || join(home, '.config');
  const zed =
    platform === 'win32'
      ? [join(variable(environment, 'APPDATA') || join(home, 'AppData', 'Roaming'), 'Zed')]
      : [join(config, 'zed'), ...(platform === 'linux' ? [join(home, '.var/app/dev.zed.Zed/config/zed')] : [])];
  return [
    ...zed.map((folder): ClientFile => ({ client: 'Zed', file: join(folder, 'settings.json'), form: 'servers', member: 'agent_servers' })),
    { client: 'JetBrains', file: join(home, '.jetbrains', 'acp.json'), form: 'servers', member: 'agent_servers' },
    { client: 'Devin', file: join(home, '.windsurf', 'acp', 'registry.json'), form: 'registry' },
    { client: 'Devin Next', file: join(home, '.windsurf-next', 'acp', 'registry.json'), form: 'registry' },
  ];
}

/** Reads the files of the user's home folder. A file that is in a workspace folder is left out, whatever leads to it. */
export async function importFiles(deps: ImportFilesDependencies): Promise<readonly ForeignSource[]> {
  const folders = await Promise.all(deps.workspaceFolders.map((folder) => realpath(folder).catch(() => folder)));
  const sources = clientFiles(deps).map(async ({ client, file, form, member }): Promise<readonly ForeignSource[]> => {
    const text = await readText(file, folders).catch((error: unknown) => deps.log.debug(`No agents in ${file}: ${String(error)}`));
    if (text === undefined) {
      return [];
    }
    try {
      const whole = parsePlain(text);
      const value: Plain | undefined = member === undefined ? whole : isPlainObject(whole) ? whole[member] : undefined;
      return [{ client, place: file, ...foreignAgents(value, form, deps.home) }];
    } catch (error) {
      return [{ client, place: file, agents: [], left: [], problem: error instanceof Error ? error.message : String(error) }];
    }
  });
  return (await Promise.all(sources)).flat();
}

async function readText(file: string, folders: readonly string[]): Promise<string | undefined> {
  const real = await realpath(file);
  const isForeign = folders.some((folder) => {
    const relative = path.relative(folder, real);
    return !relative.startsWith('..') && !path.isAbsolute(relative);
  });
  const facts = await stat(real);
  return isForeign || !facts.isFile() || facts.size > MAX_TEXT ? undefined : readFile(real, 'utf8');
}

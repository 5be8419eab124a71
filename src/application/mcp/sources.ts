/** The places that name MCP servers: our setting, VS Code's `mcp.json` of the profile and of folders, the workspace file, and `.mcp.json`. */
import path from 'node:path';
import { type Folder, profileFiles } from './sourceFiles';
import { canonical, parsePlain, type Plain, plainOf } from '../../mcp/config/plainJson';
import type { SourceForm } from '../../mcp/config/serverDefinition';

export interface ServerSource {
  /** Stable over windows and reloads. Consents, choices and entered values refer to it. */
  readonly id: string;
  /** The file or the setting, for the user. */
  readonly label: string;
  readonly form: SourceForm;
  /** The file, when there is one. */
  readonly file?: string;
  /** The folder that `${workspaceFolder}` means. Undefined: the session's. */
  readonly folder?: string;
  /** True when another person may have written it, so that the user must agree to each server. */
  readonly needsConsent: boolean;
  /** The content, or the reason why it cannot be read. */
  readonly content: Plain | undefined;
  readonly problem?: string;
}

/** The values of a setting, by the place where they are set. */
export interface SettingValues {
  readonly user?: unknown;
  /** The value of a remote machine or a container. */
  readonly machine?: unknown;
  readonly workspace?: unknown;
  readonly folders: readonly { readonly folder: Folder; readonly value: unknown }[];
}

export interface SourceFacts {
  readonly folders: readonly Folder[];
  /** The `.code-workspace` file. */
  readonly workspaceFile: string | undefined;
  /** The folder of the profile in use, which contains its `mcp.json`. */
  readonly profileFolder: string;
  /** True when this machine is not the user's own, so that its profile folder may have been filled by others. */
  readonly isRemote: boolean;
  /** `acpHost.mcpServers`. */
  readonly own: SettingValues;
  /** The setting `mcp` of VS Code before 1.102, and of workspace files. The value of a folder is its `mcp.json`, which is read as a file. */
  readonly editor: Omit<SettingValues, 'folders'>;
}

/** The largest file in bytes. */
export const MAX_FILE = 4_000_000;

/**
 * Reads all sources, the user's own first: a server of the workspace never replaces one of the user.
 *
 * @param read resolves to undefined for a file that does not exist
 */
export async function readSources(facts: SourceFacts, read: (file: string) => Promise<string | undefined>): Promise<ServerSource[]> {
  const { folders, workspaceFile, own, editor } = facts;
  const described = { form: 'vscode', needsConsent: true } as const;
  const ofFile =
    workspaceFile === undefined
      ? undefined
      : await fileSource({ id: `workspace:${workspaceFile}`, label: workspaceFile, ...described }, workspaceFile, read, 'mcp');
  const inSettings = setting({ id: `workspaceSettings:${workspaceFile ?? ''}`, label: 'mcp', ...described }, editor.workspace);
  const sources: (ServerSource | undefined)[] = [
    setting({ id: 'settings', label: 'acpHost.mcpServers', form: 'setting', needsConsent: false }, own.user),
    await profileSource(facts, read),
    setting({ id: 'userSettings', label: 'mcp', form: 'vscode', needsConsent: false }, editor.user),
    setting({ id: 'machine', label: 'acpHost.mcpServers', form: 'setting', needsConsent: true }, own.machine),
    setting({ id: 'machineSettings', label: 'mcp', form: 'vscode', needsConsent: true }, editor.machine),
    ofFile,
    setting(
      {
        id: `workspaceSetting:${workspaceFile ?? folders[0]?.path ?? ''}`,
        label: 'acpHost.mcpServers',
        form: 'setting',
        needsConsent: true,
      },
      own.workspace,
    ),
    // VS Code may return a member of the workspace file as a setting, too.
    ...(inSettings && canonical(inSettings.content ?? null) !== canonical(ofFile?.content ?? null) ? [inSettings] : []),
  ];
  for (const { folder, value } of own.folders) {
    sources.push(
      setting(
        { id: `folderSetting:${folder.path}`, label: `acpHost.mcpServers (${folder.name})`, form: 'setting', ...ofFolder(folder) },
        value,
      ),
    );
  }
  for (const folder of folders) {
    const [vscodeFile, claudeFile] = [path.join(folder.path, '.vscode', 'mcp.json'), path.join(folder.path, '.mcp.json')];
    const shown = (file: string): string => [folder.name, path.relative(folder.path, file)].join(path.sep);
    sources.push(
      await fileSource({ id: `folder:${folder.path}`, label: shown(vscodeFile), form: 'vscode', ...ofFolder(folder) }, vscodeFile, read),
      await fileSource({ id: `claude:${folder.path}`, label: shown(claudeFile), form: 'claude', ...ofFolder(folder) }, claudeFile, read),
    );
  }
  return sources.filter((source) => source !== undefined);
}

function ofFolder({ path: folder }: Folder) {
  return { folder, needsConsent: true } as const;
}

type Described = Omit<ServerSource, 'content' | 'problem' | 'file'>;

function setting(described: Described, value: unknown): ServerSource | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  try {
    return { ...described, content: plainOf(value) };
  } catch (error) {
    return { ...described, content: undefined, problem: messageOf(error) };
  }
}

async function profileSource({ profileFolder, isRemote }: SourceFacts, read: (file: string) => Promise<string | undefined>) {
  const [own, inherited] = profileFiles(profileFolder);
  const described = { id: 'profile', label: 'mcp.json', form: 'vscode', needsConsent: isRemote } as const;
  const source = await fileSource(described, own!, read);
  const usesDefault = source === undefined && inherited !== undefined && (await inheritsServers(profileFolder, read));
  return usesDefault ? fileSource(described, inherited, read) : source;
}

/** True when VS Code's list of profiles says that this one uses the MCP servers of the default profile. */
async function inheritsServers(profileFolder: string, read: (file: string) => Promise<string | undefined>): Promise<boolean> {
  try {
    const file = path.join(path.dirname(path.dirname(profileFolder)), 'globalStorage', 'storage.json');
    const { userDataProfiles } = JSON.parse((await read(file)) ?? '{}') as { userDataProfiles?: unknown };
    const profiles = Array.isArray(userDataProfiles)
      ? (userDataProfiles as ({ location?: unknown; useDefaultFlags?: { mcp?: unknown } } | null)[])
      : [];
    return profiles.some((each) => each?.location === path.basename(profileFolder) && each.useDefaultFlags?.mcp === true);
  } catch {
    return false;
  }
}

/** @param member the member of the file that holds the servers; undefined: the file itself */
async function fileSource(
  described: Described,
  file: string,
  read: (file: string) => Promise<string | undefined>,
  member?: string,
): Promise<ServerSource | undefined> {
  try {
    const text = await read(file);
    if (text === undefined) {
      return undefined;
    }
    const whole = parsePlain(text);
    const content = member === undefined ? whole : (whole as { readonly [name: string]: Plain } | null)?.[member];
    return content === undefined ? undefined : { ...described, file, content };
  } catch (error) {
    return { ...described, file, content: undefined, problem: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof RangeError ? 'too deep' : error instanceof Error ? error.message : String(error);
}

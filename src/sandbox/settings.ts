/** The user's settings of the sandbox. Pure. */
import { isSandboxMode, type SandboxMode } from '../core/sandbox/sandbox';

/** The settings, unchecked, as the user's own settings file has them. */
export interface SandboxSettings {
  /** `acpHost.sandbox` */
  readonly modes: unknown;
  /** `acpHost.sandboxNetwork` */
  readonly network: unknown;
  /** `acpHost.sandboxHosts` */
  readonly hosts: unknown;
  /** `acpHost.sandboxWritable` */
  readonly writable: unknown;
  /** `acpHost.sandboxUnreadable` */
  readonly unreadable: unknown;
}

/** Returns the mode of an agent, by its id or name, or by `*` for all others. An entry with an unknown value counts as `agent`, the strictest. */
export function sandboxModeOf(setting: unknown, agentId: string, agentName = agentId): SandboxMode {
  const byName = typeof setting === 'object' && setting !== null ? (setting as Record<string, unknown>) : {};
  const name = [agentId, agentName, '*'].find((each) => Object.hasOwn(byName, each));
  if (name === undefined) {
    return 'off';
  }
  const value = byName[name];
  return isSandboxMode(value) ? value : 'agent';
}

/** Returns the texts of a list in the settings. Other values are ignored. */
export function textsOf(setting: unknown): readonly string[] {
  return Array.isArray(setting) ? setting.filter((each): each is string => typeof each === 'string' && each.trim() !== '') : [];
}

/** Returns the absolute paths of a list in the settings, with `~` replaced by the home folder. The root of the disk is left out. */
export function foldersOf(setting: unknown, home: string): readonly string[] {
  return textsOf(setting)
    .map((text) => text.trim().replace(/^~(?=\/|$)/, home))
    .filter((text) => text.startsWith('/') && !text.split('/').includes('..'))
    .map((text) => text.replace(/\/+$/, ''))
    .filter((text) => text !== '');
}

/** True when sandboxed programs have no network, whatever hosts are listed. An unknown word counts as this. */
export function isNetworkOff({ network }: SandboxSettings): boolean {
  return network !== undefined && network !== 'hosts';
}

/**
 * The earlier names of settings. VS Code splits a setting's name at its dots. A name that starts with another setting's name and a dot loses its
 * value to that setting, so the present names are single words.
 */
import type { Inspected } from '../../agent/userSettings';
import { settings } from './ids';

const EARLIER_NAMES: Readonly<Record<string, string>> = {
  [settings.editorToolCategories]: `${settings.editorTools}.categories`,
  [settings.problemsAfterEdits]: `${settings.editorTools}.problemsAfterEdits`,
  [settings.extensionTools]: `${settings.editorTools}.extensionTools`,
  [settings.sandboxNetwork]: `${settings.sandbox}.network`,
  [settings.sandboxHosts]: `${settings.sandbox}.hosts`,
  [settings.sandboxWritable]: `${settings.sandbox}.writable`,
  [settings.sandboxUnreadable]: `${settings.sandbox}.unreadable`,
};

/** Values that a setting by agents can have, and none of the settings with an earlier name. */
const VALUES_OF_AGENTS: readonly unknown[] = ['commands', 'agent', 'readOnly', 'all'];

const LAYERS = [
  'defaultValue',
  'globalValue',
  'globalLocalValue',
  'globalRemoteValue',
  'workspaceValue',
  'workspaceFolderValue',
] as const satisfies readonly (keyof Inspected)[];

/** Returns the name that the setting had in earlier versions. Its value applies while the setting has none. */
export function earlierNameOf(setting: string): string | undefined {
  return Object.hasOwn(EARLIER_NAMES, setting) ? EARLIER_NAMES[setting] : undefined;
}

/**
 * Returns the setting's values without the settings under it that have an earlier name. VS Code returns those as members of the object, where they
 * would look like entries of agents. A value that only an agent can have stays: an agent may be named `hosts`.
 */
export function withoutEarlierNames(setting: string, inspected: Inspected | undefined): Inspected | undefined {
  const members = Object.values(EARLIER_NAMES)
    .filter((name) => name.startsWith(`${setting}.`))
    .map((name) => name.slice(setting.length + 1));
  if (!inspected || members.length === 0) {
    return inspected;
  }
  return { ...inspected, ...Object.fromEntries(LAYERS.map((layer) => [layer, without(members, inspected[layer])])) };
}

function without(members: readonly string[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const all = Object.entries(value);
  const rest = all.filter(([name, entry]) => !members.includes(name) || VALUES_OF_AGENTS.includes(entry));
  return rest.length === all.length ? value : rest.length === 0 ? undefined : Object.fromEntries(rest);
}

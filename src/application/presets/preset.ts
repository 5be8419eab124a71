/** Presets: named combinations of an agent, its options, MCP servers and a permission mode. The user's setting, read and written. Pure. */
import type { ConfigOption } from '../../core/model/content';
import type { SessionState } from '../../core/model/state';
import { modeOf, PERMISSION_MODES, type PermissionMode } from '../../core/modes/permissionMode';
import { shownValues } from '../../core/preferences/agentPreferences';

/** Allow everything ends with its session, so that no preset contains it. */
type StoredMode = Exclude<PermissionMode, 'allowEverything'>;

export interface Preset {
  readonly name: string;
  /** The agent's id or name. */
  readonly agent: string;
  /** Values of the agent's options by id. The model and the agent's mode are options. */
  readonly options: Readonly<Record<string, string | boolean>>;
  /** The names of the MCP servers that the agent gets. Absent: those of a session without a preset. */
  readonly mcpServers?: readonly string[];
  readonly permissionMode?: StoredMode;
}

/** A preset as it is in the setting, under its name. */
export type StoredPreset = Omit<Preset, 'name'>;

/** The most presets that are offered, and UTF-16 units of a name. */
const MAX_PRESETS = 100;
export const MAX_PRESET_NAME = 80;

/** Reads the user's value of `acpHost.presets`. A preset without an agent is left out. Other wrong members are ignored. */
export function presetsIn(value: unknown): readonly Preset[] {
  return entriesOf(value)
    .slice(0, MAX_PRESETS)
    .flatMap(([name, written]): Preset[] => {
      const { agent, options, mcpServers, permissionMode } = isRecord(written) ? written : {};
      if (!isText(agent) || agent.trim() === '' || name.trim() === '') {
        return [];
      }
      const mode = PERMISSION_MODES.find((each): each is StoredMode => each === permissionMode && each !== 'allowEverything');
      return [
        {
          name,
          agent,
          options: Object.fromEntries(entriesOf(options).filter((entry): entry is [string, string | boolean] => isValue(entry[1]))),
          ...(Array.isArray(mcpServers) && { mcpServers: (mcpServers as unknown[]).filter(isText) }),
          ...(mode && { permissionMode: mode }),
        },
      ];
    });
}

/** Returns the setting with this preset, or undefined when the setting is not an object. A preset of the same name is replaced at its place. */
export function withPreset(value: unknown, { name, ...stored }: Preset): Readonly<Record<string, unknown>> | undefined {
  const before = value ?? {};
  return isRecord(before) ? { ...before, [name]: stored satisfies StoredPreset } : undefined;
}

/** Returns the setting without the preset of this name, or undefined when the setting is not an object. */
export function withoutPreset(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)) : undefined;
}

/** Returns the setting with the preset `from` under the name `to`, at its place, or undefined when the setting is not an object. Another preset `to` is removed. */
export function withRenamedPreset(value: unknown, from: string, to: string): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const others = Object.entries(value).filter(([each]) => each === from || each !== to);
  return Object.fromEntries(others.map(([each, stored]) => [each === from ? to : each, stored]));
}

/**
 * Returns the preset of a session as it is.
 * @param servers the names of the servers that the session gets; undefined when the user has none
 */
export function presetOf(
  name: string,
  agentId: string,
  state: Pick<SessionState, 'config' | 'permissionMode'>,
  servers: readonly string[] | undefined,
): Preset {
  const mode = modeOf(state);
  const earlier = state.permissionMode?.earlier;
  return {
    name,
    agent: agentId,
    // Plan only has replaced the agent's own mode, which the preset keeps.
    options: { ...shownValues(state.config), ...(earlier && { [earlier.configId]: earlier.value }) },
    ...(servers && { mcpServers: [...new Set(servers)] }),
    ...(mode !== 'allowEverything' && { permissionMode: mode }),
  };
}

/** Returns the preset's values that the agent does not offer, each as `option` or `option: value`. */
export function missingOptions({ options }: Preset, config: readonly ConfigOption[]): readonly string[] {
  return Object.entries(options).flatMap(([configId, value]) => {
    const option = config.find((each) => each.configId === configId);
    if (!option || option.type === 'unknown') {
      return [configId];
    }
    const isOffered =
      option.type === 'boolean'
        ? typeof value === 'boolean'
        : option.currentValue === value || option.groups.some(({ choices }) => choices.some((choice) => choice.value === value));
    return isOffered ? [] : [`${option.name}: ${String(value)}`];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

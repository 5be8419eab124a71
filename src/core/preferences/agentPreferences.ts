/** The user's choices for an agent, stored for all windows: the values of its options, favorites among them, and the commands used last. Pure. */
import type { ConfigOption } from '../model/content';

export interface AgentPreferences {
  /** The values that the user chose last, by the option's id. */
  readonly values: Readonly<Record<string, string | boolean>>;
  /** Favorites by the option's id, in the order in which they were marked. */
  readonly favorites: Readonly<Record<string, readonly string[]>>;
  /** Names of the commands used last, the newest first. */
  readonly recentCommands: readonly string[];
}

/** The preferences that the page needs. */
export type ShownPreferences = Pick<AgentPreferences, 'favorites' | 'recentCommands'>;

export const NO_PREFERENCES: AgentPreferences = { values: {}, favorites: {}, recentCommands: [] };

/**
 * The most options of an agent that are stored, favorites of an option, and recent commands. An agent that invents them must not fill the user's
 * state.
 */
const MAX_OPTIONS = 50;
const MAX_FAVORITES = 50;
const MAX_RECENT = 10;
/** UTF-16 units of an id, a value or a name. */
const MAX_UNITS = 500;

/** Records that the user chose this value. */
export function withValue(preferences: AgentPreferences, configId: string, value: string | boolean): AgentPreferences {
  if (isLong(configId) || (typeof value === 'string' && isLong(value))) {
    return preferences;
  }
  return { ...preferences, values: withKey(preferences.values, configId, value) };
}

/** Records that the agent refused this value. `current`, which stays set, replaces it where there is one. */
export function withoutValue(
  preferences: AgentPreferences,
  configId: string,
  refused: string | boolean,
  current: string | boolean | undefined,
): AgentPreferences {
  const { [configId]: chosen, ...values } = preferences.values;
  if (chosen !== refused) {
    return preferences;
  }
  return current === undefined || current === refused ? { ...preferences, values } : withValue(preferences, configId, current);
}

/** Records that the user marked this value of an option, or removed the mark. */
export function withFavorite(preferences: AgentPreferences, configId: string, value: string, isFavorite: boolean): AgentPreferences {
  if (isLong(configId) || isLong(value)) {
    return preferences;
  }
  const marked = Object.hasOwn(preferences.favorites, configId) ? preferences.favorites[configId]! : [];
  const others = marked.filter((each) => each !== value);
  const favorites = isFavorite ? [...others, value].slice(-MAX_FAVORITES) : others;
  return { ...preferences, favorites: withKey(preferences.favorites, configId, favorites) };
}

/** Records that the user ran this command. */
export function withRecentCommand(preferences: AgentPreferences, name: string): AgentPreferences {
  const recentCommands = [name, ...preferences.recentCommands.filter((each) => each !== name)].slice(0, MAX_RECENT);
  return isLong(name) ? preferences : { ...preferences, recentCommands };
}

/** Reads stored preferences, and drops everything that is malformed. */
export function preferencesIn(kept: unknown): AgentPreferences {
  const { values, favorites, recentCommands } = isRecord(kept) ? kept : {};
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    values: Object.fromEntries(
      entriesOf(values).filter((entry): entry is [string, string | boolean] => isText(entry[1]) || typeof entry[1] === 'boolean'),
    ),
    favorites: Object.fromEntries(
      entriesOf(favorites).flatMap(([id, each]) => (Array.isArray(each) ? [[id, (each as unknown[]).filter(isText)] as const] : [])),
    ),
    recentCommands: Array.isArray(recentCommands) ? (recentCommands as unknown[]).filter(isText) : [],
  };
}

/** Returns the values that options show, by id. */
export function shownValues(config: readonly ConfigOption[]): AgentPreferences['values'] {
  return Object.fromEntries(config.flatMap((option) => (option.type === 'unknown' ? [] : [[option.configId, option.currentValue]])));
}

/** Returns the first option, in the agent's order, that has another value than the wanted one and offers the wanted one. */
export function nextDefault(
  config: readonly ConfigOption[],
  values: AgentPreferences['values'],
): { readonly configId: string; readonly value: string | boolean } | undefined {
  for (const option of config) {
    const value = Object.hasOwn(values, option.configId) ? values[option.configId] : undefined;
    const isOffered =
      option.type === 'select'
        ? option.groups.some(({ choices }) => choices.some((choice) => choice.value === value))
        : option.type === 'boolean' && typeof value === 'boolean';
    if (value !== undefined && isOffered && option.type !== 'unknown' && option.currentValue !== value) {
      return { configId: option.configId, value };
    }
  }
  return undefined;
}

/** Returns the mode after the current one, cyclically; undefined when there are fewer than two. */
export function nextMode(config: readonly ConfigOption[]): { readonly configId: string; readonly value: string } | undefined {
  const mode = config.find((option) => option.type === 'select' && option.category === 'mode');
  if (mode?.type !== 'select') {
    return undefined;
  }
  const choices = mode.groups.flatMap((group) => group.choices);
  const at = choices.findIndex(({ value }) => value === mode.currentValue);
  const next = choices[(at + 1) % choices.length];
  return next && next.value !== mode.currentValue ? { configId: mode.configId, value: next.value } : undefined;
}

function withKey<T>(record: Readonly<Record<string, T>>, key: string, value: T): Readonly<Record<string, T>> {
  const others = Object.entries(record).filter(([each]) => each !== key);
  return Object.fromEntries([...others, [key, value] as const].slice(-MAX_OPTIONS));
}

function isLong(text: string): boolean {
  return text.length > MAX_UNITS;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

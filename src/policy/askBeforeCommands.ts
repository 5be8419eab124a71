/** The setting for which commands the user is asked before they run. */

/**
 * `always`: the user is asked about each command. `unlessPermitted`: only in turns in which the user has allowed no request of the agent, and
 * between turns. `never`: about none.
 */
export type AskBeforeCommands = 'always' | 'unlessPermitted' | 'never';

/** Applies when the user has not set a value. */
const DEFAULT_ASKING: AskBeforeCommands = 'unlessPermitted';

/** @param setting the user's own `acpHost.askBeforeCommands`, not validated: by the agent's id or name, or `*` for all others */
export function askBeforeCommandsOf(setting: unknown, agentId: string, agentName = agentId): AskBeforeCommands {
  const byName = typeof setting === 'object' && setting !== null ? (setting as Record<string, unknown>) : {};
  const named = [agentId, agentName, '*'].filter((name) => Object.hasOwn(byName, name)).map((name) => byName[name]);
  return (
    named.find((value): value is AskBeforeCommands => value === 'always' || value === 'unlessPermitted' || value === 'never') ??
    DEFAULT_ASKING
  );
}

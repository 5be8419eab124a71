/** When ACP Host asks before it runs a command for an agent. */

/** When a command is asked about: each; in turns in which the user allowed the agent nothing, and between turns; none. */
export type CommandAsking = 'always' | 'unlessPermitted' | 'never';

/** When no one has said otherwise. */
const DEFAULT_ASKING: CommandAsking = 'unlessPermitted';

/** @param setting the user's own `acpHost.askBeforeCommands`, unchecked: by the agent's name, or `*` for all others */
export function commandAskingOf(setting: unknown, agentName: string): CommandAsking {
  const byName = typeof setting === 'object' && setting !== null ? (setting as Record<string, unknown>) : {};
  const named = [agentName, '*'].filter((name) => Object.hasOwn(byName, name)).map((name) => byName[name]);
  return (
    named.find((value): value is CommandAsking => value === 'always' || value === 'unlessPermitted' || value === 'never') ?? DEFAULT_ASKING
  );
}

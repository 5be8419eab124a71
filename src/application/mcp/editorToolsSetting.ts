/** The setting `acpHost.editorTools`. Part of the first load. */

/** `off`: an agent gets no tool of the editor. `readOnly`: those that change and run nothing. `all`: every tool. The others ask before they run. */
export type EditorToolsMode = 'off' | 'readOnly' | 'all';

const MODES: readonly unknown[] = ['off', 'readOnly', 'all'];

/** Applies when the user has not set a value. */
const DEFAULT_MODE: EditorToolsMode = 'readOnly';

/** @param setting the user's own value, not validated: one for all agents, or by the agent's id or name, with `*` for all others */
export function editorToolsModeOf(setting: unknown, agentId: string, agentName = agentId): EditorToolsMode {
  const byName = typeof setting === 'object' && setting !== null ? (setting as Readonly<Record<string, unknown>>) : { '*': setting };
  const named = [agentId, agentName, '*'].filter((name) => Object.hasOwn(byName, name)).map((name) => byName[name]);
  return (named.find((value) => MODES.includes(value)) as EditorToolsMode | undefined) ?? DEFAULT_MODE;
}

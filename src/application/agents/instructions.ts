/** Reads the setting `acpHost.instructions`: a text for all agents, or a text for each agent by its name. Pure. */
import type { SessionAgent } from '../../core/agents/agentIds';
import type { Instructions } from '../../core/account/instructions';

/** The key of the text for all agents. */
const ALL = '*';
/** UTF-16 units of one text. A longer one is cut. */
const MAX_TEXT = 100_000;

interface Entry {
  readonly text: string;
  readonly overrides: boolean;
}

/**
 * Returns the instructions for an agent; undefined when there are none. Only the user's own settings may replace the agent's system prompt, which
 * contains its rules of safety.
 * @param user the user's own value, unchecked
 * @param folders the values of the workspace and of the session's folder, unchecked
 */
export function instructionsFor(agent: SessionAgent, user: unknown, folders: readonly unknown[]): Instructions | undefined {
  const own = entriesOf(user, agent);
  const others = folders.flatMap((value) => entriesOf(value, agent));
  const parts = [
    ...own.map(({ text }) => ({ source: 'user' as const, text })),
    ...others.map(({ text }) => ({ source: 'folder' as const, text })),
  ];
  return parts.length > 0 ? { mode: own.some(({ overrides }) => overrides) ? 'override' : 'append', parts } : undefined;
}

/** The text for all agents comes before that of the agent. */
function entriesOf(value: unknown, { agentId, agentName }: SessionAgent): Entry[] {
  if (typeof value === 'string') {
    return entryOf(value);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [];
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const name = Object.hasOwn(fields, agentId) ? agentId : agentName;
  return [ALL, name].flatMap((key) => (Object.hasOwn(fields, key) ? entryOf(fields[key]) : []));
}

function entryOf(value: unknown): Entry[] {
  const { text, mode } =
    typeof value === 'string' ? { text: value, mode: undefined } : ((value ?? {}) as { text?: unknown; mode?: unknown });
  return typeof text === 'string' && text.trim() !== '' ? [{ text: text.slice(0, MAX_TEXT), overrides: mode === 'override' }] : [];
}

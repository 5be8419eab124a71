/** The agent that Enter selects while the user types its name. */
import type { AgentRow } from './agentRows';

/**
 * Returns the user's own agent, or one that was used, where VS Code would list another one of a similar name first. VS Code sorts the rows that fit by
 * their names alone. Undefined where its order is right.
 * @param rows the agents used last and the user's own come first
 */
export function preferredAgent<Row extends AgentRow>(rows: readonly Row[], typed: string): Row | undefined {
  const text = typed.trim().toLowerCase();
  const nameOf = (row: Row): string => ('label' in row && 'entry' in row ? row.label.toLowerCase() : '');
  const fitting = text === '' ? [] : rows.filter((row) => nameOf(row).startsWith(text));
  const [first] = fitting;
  return first && 'entry' in first && !fitting.some((row) => nameOf(row) === text) ? first : undefined;
}

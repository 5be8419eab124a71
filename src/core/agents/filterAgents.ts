/** The search among agents. */
import type { AgentRow } from './agentsPage';

/** Filters that can be typed, as in VS Code's list of extensions. */
const FILTERS: Readonly<Record<string, (row: AgentRow) => boolean>> = {
  '@installed': ({ states }) => states.some(({ kind }) => kind === 'installed'),
  '@updates': ({ states }) => states.some(({ kind }) => kind === 'update'),
};

/**
 * Returns the agents that contain each word of `query` in their name, description, maker, licence or id. Agents whose name begins with the query come
 * first, then those with it in their name. The order is otherwise unchanged.
 */
export function filterAgents(rows: readonly AgentRow[], query: string): readonly AgentRow[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const filters = words.flatMap((word) => (Object.hasOwn(FILTERS, word) ? [FILTERS[word]!] : []));
  const texts = words.filter((word) => !Object.hasOwn(FILTERS, word));
  const found = rows.filter((row) => filters.every((fits) => fits(row)) && texts.every((word) => textOf(row).includes(word)));
  if (texts.length === 0) {
    return found;
  }
  const whole = texts.join(' ');
  return [0, 1, 2].flatMap((rank) => found.filter((row) => rankOf(row, whole, texts) === rank));
}

function rankOf({ name }: AgentRow, whole: string, words: readonly string[]): number {
  const folded = fold(name);
  return folded.startsWith(whole) ? 0 : words.every((word) => folded.includes(word)) ? 1 : 2;
}

function textOf({ key, name, description, maker = '', license = '' }: AgentRow): string {
  return fold([name, description, maker, license, key].join('\n'));
}

/** Lower case without accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

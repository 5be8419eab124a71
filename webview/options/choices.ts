/** The choices of an option as rows of a list: their labels, the filter and the search by letters. Pure. */
import type { ConfigOption } from '../../src/core/model/content';
import { oneLine } from '../../src/text/characters/textSafety';
import { MAX_NAME, choiceLabel } from './label';

/** The most choices of one option that are read and filtered. */
const MAX_CHOICES = 10_000;
/** The most rows that are shown, because a list of tens of thousands would block the page. The filter finds the others. */
export const MAX_ROWS = 1000;
/** The longest shown description, in UTF-16 units. */
const MAX_DESCRIPTION = 300;

export interface Row {
  readonly value: string;
  readonly label: string;
  /** '' for none. */
  readonly description: string;
  /** The name of its group; '' for none. */
  readonly group: string;
  /** True for a choice that the user marked. */
  readonly isFavorite?: true;
}

export interface Choices {
  readonly rows: readonly Row[];
  /** The number of choices that are left out because there are too many. */
  readonly more: number;
}

type SelectOption = ConfigOption & { type: 'select' };

/** The rows of `option` in the agent's order. The current `value` comes first if the agent does not offer it, or if it would be left out. */
export function choicesOf(option: SelectOption, value: string): Choices {
  const rows: Row[] = [];
  let total = 0;
  let current: Row | undefined;
  for (const { name = '', choices } of option.groups) {
    const group = oneLine(name, MAX_NAME);
    total += choices.length;
    for (const choice of choices) {
      const isCurrent = current === undefined && choice.value === value;
      const isRead = rows.length < MAX_CHOICES;
      if (!isRead && !isCurrent) {
        continue;
      }
      const row = rowOf(option, choice, group);
      if (isRead) {
        rows.push(row);
      }
      current = isCurrent ? row : current;
    }
  }
  const more = total - rows.length;
  const first = current ?? (value.trim() === '' ? undefined : rowOf(option, { value, name: value }, ''));
  const at = first ? rows.indexOf(first) : 0;
  if (!first || (at >= 0 && at < MAX_ROWS)) {
    return { rows, more };
  }
  return { rows: [{ ...first, group: '' }, ...rows.filter((row) => row !== first)], more: at < 0 && current ? more - 1 : more };
}

/** Returns the rows with the favourites first, under `group`. Each appears once; the others keep their order. */
export function favoritesFirst(rows: readonly Row[], favorites: readonly string[], group: string): readonly Row[] {
  const marked = favorites.flatMap((value) => rows.find((row) => row.value === value) ?? []);
  return marked.length === 0
    ? rows
    : [...marked.map((row) => ({ ...row, group, isFavorite: true as const })), ...rows.filter((row) => !marked.includes(row))];
}

function rowOf(option: SelectOption, choice: { value: string; name: string; description?: string | undefined }, group: string): Row {
  return {
    value: choice.value,
    label: choiceLabel(option, choice),
    description: oneLine(choice.description ?? '', MAX_DESCRIPTION),
    group,
  };
}

/** Returns the rows with every word of `query` in their name, group or description. Case, accents and the order of words are ignored. */
export function matchingRows(rows: readonly Row[], query: string): readonly Row[] {
  const words = caseFold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return rows;
  }
  return rows.filter(({ label, group, description }) => {
    const text = caseFold(`${label}\n${group}\n${description}`);
    return words.every((word) => text.includes(word));
  });
}

/**
 * The matching row that Enter selects: the first whose name begins with `query`, otherwise the first whose name contains it, otherwise the first. -1
 * without rows.
 */
export function bestRow(rows: readonly Row[], query: string): number {
  const wanted = caseFold(query).trim();
  const begins = rows.findIndex(({ label }) => caseFold(label).startsWith(wanted));
  const holds = begins >= 0 ? begins : rows.findIndex(({ label }) => caseFold(label).includes(wanted));
  return holds >= 0 ? holds : Math.min(0, rows.length - 1);
}

/** Returns the row that `typed` selects, searching from `from` and wrapping around. A repeated letter moves to the next match. -1: none. */
export function typedAhead(rows: readonly Row[], typed: string, from: number): number {
  const letters = caseFold(typed);
  const wanted = [...letters].every((letter) => letter === letters[0]) ? letters.slice(0, 1) : letters;
  for (let step = 0; step < rows.length; step++) {
    const index = (from + step) % rows.length;
    if (caseFold(rows[index]!.label).startsWith(wanted)) {
      return index;
    }
  }
  return -1;
}

function caseFold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

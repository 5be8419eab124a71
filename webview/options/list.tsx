/** The open list of an option: its rows, the row that Enter selects, and its keys. Loaded when the page is idle, or when the list is first opened. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConfigOption } from '../../src/core/model/content';
import { oneLine } from '../../src/text/characters/textSafety';
import { useSelect, useView } from '../state/context';
import { t } from '../base/l10n';
import { type Choices, MAX_ROWS, type Row, bestRow, choicesOf, favoritesFirst, matchingRows, typedAhead } from './choices';
import { OptionPopup } from './popup';

/** Longer lists have a filter. */
const MAX_UNFILTERED = 10;
/** Rows that Page Up and Page Down move by. */
const PAGE = 10;
/** ms after which a letter begins a new word. */
const WORD_MS = 700;

/** The row at which a list opens: the current value, the first or last row, or the row for typed letters. */
export type Start = 'current' | 'first' | 'last' | { readonly typed: string };

/** The connection between a list and its button. */
export interface ListFrame {
  /** Unique on the page. */
  readonly id: string;
  readonly start: Start;
  /** The element that contains the button and the list. */
  readonly root: RefObject<HTMLElement>;
  readonly button: RefObject<HTMLElement>;
  /** The list sets its key handler here while it is open. The handler returns true when it used the key. */
  readonly keys: { current: (event: KeyboardEvent) => boolean };
  /** Called with the row for the button's `aria-activedescendant`; undefined when the filter has it. */
  lead(rowId: string | undefined): void;
  /** @param focus moves the focus to the button */
  close(focus: boolean): void;
}

interface ChosenFrom extends ListFrame {
  /** The current value. */
  readonly value: string;
  choose(value: string): void;
}

/** The list of an option of the agent. */
export function OptionList({ option, ...frame }: ChosenFrom & { readonly option: ConfigOption & { type: 'select' } }) {
  const { post, say } = useView();
  const { configId } = option;
  const favorites = useSelect((_, { facts: { preferences } }) =>
    Object.hasOwn(preferences.favorites, configId) ? preferences.favorites[configId] : undefined,
  );
  const all = useMemo(() => {
    const choices = markRecommended(choicesOf(option, frame.value), option.recommended);
    const isLong = choices.rows.length > MAX_UNFILTERED;
    return isLong && favorites ? { ...choices, rows: favoritesFirst(choices.rows, favorites, t('Favorites')) } : choices;
  }, [option, frame.value, favorites]);
  const mark = ({ value, isFavorite }: Row) => {
    post({ type: 'mark_favorite', configId, value, isFavorite: !isFavorite });
    say(isFavorite ? t('Removed from favorites') : t('Added to favorites'));
  };
  return <ChoiceList {...frame} name={oneLine(option.name)} all={all} mark={mark} />;
}

/** Adds the agent's recommendation to the description of its row. */
function markRecommended(choices: Choices, recommended: string | undefined): Choices {
  const mark = (row: Row): Row =>
    row.value === recommended ? { ...row, description: [t('Recommended'), row.description].filter(Boolean).join(' · ') } : row;
  return recommended === undefined ? choices : { ...choices, rows: choices.rows.map(mark) };
}

interface Props extends ChosenFrom {
  /** The list's name. */
  readonly name: string;
  readonly all: Choices;
  /** A text below the choices. */
  readonly note?: string;
  /** Marks or unmarks a choice, in a list with a filter. */
  mark?(row: Row): void;
}

export function ChoiceList({ id, name, all, value, start, root, button, keys, lead, choose, close, note, mark }: Props) {
  const hasFilter = all.rows.length > MAX_UNFILTERED;
  const typed = typeof start === 'object' ? start.typed : '';
  const [query, setQuery] = useState(hasFilter ? typed : '');
  const matching = useMemo(() => matchingRows(all.rows, query), [all, query]);
  const rows = matching.slice(0, MAX_ROWS);
  const [active, setActive] = useState(() => {
    const current = Math.max(
      0,
      rows.findIndex((row) => row.value === value),
    );
    if (typed !== '') {
      const led = hasFilter ? bestRow(rows, typed) : typedAhead(rows, typed, current);
      return led >= 0 ? led : current;
    }
    return start === 'first' ? 0 : start === 'last' ? rows.length - 1 : current;
  });
  const word = useRef({ typed, at: typed === '' ? -Infinity : performance.now() });
  const at = Math.min(active, rows.length - 1);

  const pick = (index: number) => {
    const row = rows[index];
    if (!row) {
      return;
    }
    close(true);
    if (row.value !== value) {
      choose(row.value);
    }
  };

  useEffect(() => {
    const elsewhere = (event: Event) => !root.current?.contains(event.target as Node) && close(false);
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    // A click into another part of VS Code takes the focus out of the page.
    window.addEventListener('blur', elsewhere);
    return () => {
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('focusin', elsewhere);
      window.removeEventListener('blur', elsewhere);
    };
  }, []);
  useLayoutEffect(() => lead(hasFilter || at < 0 ? undefined : `${id}-${at}`), [hasFilter, at]);
  useLayoutEffect(() => {
    if (all.rows.length === 0) {
      close(true);
    }
  }, [all]);

  /** Adds a letter to the typed word, or begins a new one. */
  const nextWord = (key: string): string => {
    const now = performance.now();
    const typed = now - word.current.at < WORD_MS ? word.current.typed + key : key;
    word.current = { typed, at: now };
    return typed;
  };
  const isTyping = () => performance.now() - word.current.at < WORD_MS;
  const marks = hasFilter ? mark : undefined;
  // Marking moves rows, so the active row is found again by its value.
  const activeValue = rows[at]?.value;
  const before = useRef({ all, activeValue });
  useLayoutEffect(() => {
    const moved = before.current.all === all ? -1 : rows.findIndex((row) => row.value === before.current.activeValue);
    before.current = { all, activeValue: moved >= 0 ? rows[moved]!.value : activeValue };
    if (moved >= 0) {
      setActive(moved);
    }
  }, [all, activeValue]);
  keys.current = (event) => {
    if (event.ctrlKey || event.metaKey) {
      const row = event.key.toLowerCase() === 'd' && !event.repeat ? rows[at] : undefined;
      if (row) {
        marks?.(row);
      }
      return row !== undefined && marks !== undefined;
    }
    const last = rows.length - 1;
    const go = (index: number) => {
      word.current.at = -Infinity;
      setActive(Math.max(0, Math.min(index, last)));
      return true;
    };
    switch (event.key) {
      case 'ArrowDown':
        return event.altKey || go(at + 1);
      case 'ArrowUp':
        if (event.altKey) {
          pick(at);
          return true;
        }
        return go(at - 1);
      case 'PageDown':
        return go(at + PAGE);
      case 'PageUp':
        return go(at - PAGE);
      case 'Home':
      case 'End':
        // Shift selects the filter's text.
        return !event.shiftKey && go(event.key === 'Home' ? 0 : last);
      case 'Enter':
        pick(at);
        return true;
      case 'Escape':
        close(true);
        return true;
      case 'Tab':
        close(true); // With the focus back on the button, Tab continues as usual.
        return false;
      default:
        if (hasFilter || !isLetter(event, isTyping())) {
          if (!hasFilter && event.key === ' ') {
            pick(at);
            return true;
          }
          return false;
        }
        const letters = nextWord(event.key);
        const found = typedAhead(rows, letters, isOneLetter(letters) ? at + 1 : at);
        if (found >= 0) {
          setActive(found);
        }
        return true;
    }
  };
  return (
    <OptionPopup
      id={id}
      name={name}
      button={button}
      rows={rows}
      more={matching.length - rows.length + all.more}
      value={value}
      active={at}
      pick={pick}
      note={note}
      mark={marks}
      filter={
        hasFilter
          ? {
              query,
              set: (text) => {
                setQuery(text);
                setActive(Math.max(0, bestRow(matchingRows(all.rows, text), text)));
              },
            }
          : undefined
      }
    />
  );
}

/** True for a key that types a character; a space only within a word. */
function isLetter({ key, altKey }: KeyboardEvent, isInWord = false): boolean {
  return [...key].length === 1 && !altKey && (key !== ' ' || isInWord);
}

function isOneLetter(typed: string): boolean {
  return [...typed].every((letter) => letter === typed[0]);
}

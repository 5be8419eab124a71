/**
 * The open list of an option: which rows there are, which one Enter takes, and what its keys do. Loaded when the page has nothing else to do, or when it is
 * first opened.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConfigOption } from '../../src/core/model/content';
import { oneLine } from '../../src/text/characters/textSafety';
import { useSelect, useView } from '../context';
import { t } from '../l10n';
import { type Choices, MOST_ROWS, type Row, bestRow, choicesOf, favoritesFirst, matchingRows, typedAhead } from './choices';
import { OptionPopup } from './popup';

/** More choices than this have a filter above them. */
const MOST_UNFILTERED = 10;
/** Rows that Page Up and Page Down go. */
const PAGE = 10;
/** ms after which a letter begins another word. */
const WORD_MS = 700;

/** Where a list opens: at what is set, at an end of it, or where letters lead. */
export type Start = 'current' | 'first' | 'last' | { readonly typed: string };

/** What a list has to do with its button. */
export interface ListFrame {
  /** Unique on the page. */
  readonly id: string;
  readonly start: Start;
  /** What holds the button and the list. */
  readonly root: RefObject<HTMLElement>;
  readonly button: RefObject<HTMLElement>;
  /** Set to what a key does while the list is open; true when it was for the list. */
  readonly keys: { current: (event: KeyboardEvent) => boolean };
  /** Hears which row a screen reader shall be led to from the button; undefined where the filter leads there. */
  lead(rowId: string | undefined): void;
  /** `focus`: the button gets it. */
  close(focus: boolean): void;
}

interface ChosenFrom extends ListFrame {
  /** What is set. */
  readonly value: string;
  choose(value: string): void;
}

/** The list of an option of the agent. */
export function OptionList({ option, ...frame }: ChosenFrom & { readonly option: ConfigOption & { type: 'select' } }) {
  const { post, say } = useView();
  const { configId } = option;
  const favorites = useSelect((_, mirror) => mirror.facts.preferences.favorites[configId]);
  const all = useMemo(() => {
    const choices = choicesOf(option, frame.value);
    const isLong = choices.rows.length > MOST_UNFILTERED;
    return isLong && favorites ? { ...choices, rows: favoritesFirst(choices.rows, favorites, t('Favorites')) } : choices;
  }, [option, frame.value, favorites]);
  const mark = ({ value, isFavorite }: Row) => {
    post({ type: 'mark_favorite', configId, value, isFavorite: !isFavorite });
    say(isFavorite ? t('Removed from favorites') : t('Added to favorites'));
  };
  return <ChoiceList {...frame} name={oneLine(option.name)} all={all} mark={mark} />;
}

interface Props extends ChosenFrom {
  /** The list's. */
  readonly name: string;
  readonly all: Choices;
  /** Marks a choice, or takes the mark away, in a list with a filter. */
  mark?(row: Row): void;
}

export function ChoiceList({ id, name, all, value, start, root, button, keys, lead, choose, close, mark }: Props) {
  const hasFilter = all.rows.length > MOST_UNFILTERED;
  const typed = typeof start === 'object' ? start.typed : '';
  const [query, setQuery] = useState(hasFilter ? typed : '');
  const matching = useMemo(() => matchingRows(all.rows, query), [all, query]);
  const rows = matching.slice(0, MOST_ROWS);
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

  /** The next letter of a word, or the first of another one. */
  const nextWord = (key: string): string => {
    const now = performance.now();
    const typed = now - word.current.at < WORD_MS ? word.current.typed + key : key;
    word.current = { typed, at: now };
    return typed;
  };
  const isTyping = () => performance.now() - word.current.at < WORD_MS;
  const marks = hasFilter ? mark : undefined;
  // What is marked goes to another place: the row that was active stays it.
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
        // With Shift it is the filter's text that is selected.
        return !event.shiftKey && go(event.key === 'Home' ? 0 : last);
      case 'Enter':
        pick(at);
        return true;
      case 'Escape':
        close(true);
        return true;
      case 'Tab':
        close(true); // From the button the key goes on as it would have.
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

/** A key that writes something; a space only within a word. */
function isLetter({ key, altKey }: KeyboardEvent, isInWord = false): boolean {
  return [...key].length === 1 && !altKey && (key !== ' ' || isInWord);
}

function isOneLetter(typed: string): boolean {
  return [...typed].every((letter) => letter === typed[0]);
}

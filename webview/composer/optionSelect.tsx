/**
 * An option of the agent with choices: a button that says what is set, and opens a list (ARIA's select-only combobox). The focus stays on the button, or
 * goes to the filter where there are many choices.
 */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConfigOption } from '../../src/core/model/content';
import { ChevronIcon } from '../icons';
import { oneLine, visible } from '../../src/text/characters/textSafety';
import { MOST_ROWS, bestRow, choiceLabel, choicesOf, matchingRows, typedAhead } from './optionChoices';
import { namedValue } from './optionLabel';
import { OptionPopup } from './optionPopup';

/** More choices than this have a filter above them. */
const MOST_UNFILTERED = 10;
/** Rows that Page Up and Page Down go. */
const PAGE = 10;
/** ms after which a letter begins another word. */
const WORD_MS = 700;

interface Props {
  readonly option: ConfigOption & { type: 'select' };
  readonly disabled: boolean;
  /** What is set, as far as the user knows. */
  readonly value: string;
  choose(value: string): void;
}

export function OptionSelect({ option, disabled, value, choose }: Props) {
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const word = useRef({ typed: '', at: -Infinity });
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [query, setQuery] = useState('');
  const all = useMemo(() => (isOpen ? choicesOf(option, value) : undefined), [isOpen, option, value]);
  const hasFilter = (all?.rows.length ?? 0) > MOST_UNFILTERED;
  const matching = useMemo(() => matchingRows(all?.rows ?? [], query), [all, query]);
  const rows = matching.slice(0, MOST_ROWS);
  const at = Math.min(active, rows.length - 1);

  const close = (focus: boolean) => {
    setOpen(false);
    if (focus) {
      button.current?.focus();
    }
  };
  /** Opens at what is set; `typed` is the beginning of what is looked for. */
  const open = (start: 'current' | 'first' | 'last', typed = '') => {
    const { rows } = choicesOf(option, value);
    if (rows.length === 0) {
      return;
    }
    const isFiltered = rows.length > MOST_UNFILTERED;
    const found = isFiltered ? matchingRows(rows, typed) : rows;
    const current = found.slice(0, MOST_ROWS).findIndex((row) => row.value === value);
    const led = typed === '' ? current : isFiltered ? bestRow(found, typed) : typedAhead(found, typed, Math.max(0, current));
    setActive(Math.max(0, start === 'first' ? 0 : start === 'last' ? Math.min(rows.length, MOST_ROWS) - 1 : led >= 0 ? led : current));
    setQuery(isFiltered ? typed : '');
    setOpen(true);
  };
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
    if (!isOpen) {
      return undefined;
    }
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
  }, [isOpen]);
  useLayoutEffect(() => {
    if (isOpen && (disabled || !all?.rows.length)) {
      close(!disabled);
    }
  }, [isOpen, disabled, all]);

  /** The next letter of a word, or the first of another one. */
  const nextWord = (key: string): string => {
    const now = performance.now();
    const typed = now - word.current.at < WORD_MS ? word.current.typed + key : key;
    word.current = { typed, at: now };
    return typed;
  };
  const isTyping = () => performance.now() - word.current.at < WORD_MS;
  const closedKey = (event: KeyboardEvent): boolean => {
    switch (event.key) {
      case 'Enter':
      case ' ':
      case 'ArrowDown':
      case 'ArrowUp':
        open('current');
        return true;
      case 'Home':
      case 'End':
        open(event.key === 'Home' ? 'first' : 'last');
        return true;
      default:
        if (isLetter(event)) {
          open('current', nextWord(event.key));
          return true;
        }
        return false;
    }
  };
  const openKey = (event: KeyboardEvent): boolean => {
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
        const typed = nextWord(event.key);
        const found = typedAhead(rows, typed, typed.length === 1 || isOneLetter(typed) ? at + 1 : at);
        if (found >= 0) {
          setActive(found);
        }
        return true;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey) {
      return;
    }
    if (isOpen ? openKey(event) : closedKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  const current = option.groups.flatMap(({ choices }) => choices).find((choice) => choice.value === value);
  const named = namedValue(
    { name: oneLine(option.name, 80), category: option.category },
    current ? choiceLabel(option, current) : oneLine(value, 80),
  );
  const title = [option.name, option.description].filter(Boolean).join(': ');
  const listId = `${id}-list`;
  return (
    <span class="option-root" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="option option-select"
        role="combobox"
        aria-label={oneLine(option.name)}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && !hasFilter ? `${id}-${at}` : undefined}
        disabled={disabled}
        title={isOpen ? undefined : visible(title)}
        onClick={() => (isOpen ? close(true) : open('current'))}
      >
        <span class="option-value">
          {named.name !== undefined && (
            <span class="option-name" aria-hidden="true">
              {oneLine(named.name, 24)}:{' '}
            </span>
          )}
          {oneLine(named.value, 40)}
        </span>
        <ChevronIcon />
      </button>
      {isOpen && all && (
        <OptionPopup
          id={id}
          listId={listId}
          name={oneLine(option.name)}
          button={button}
          rows={rows}
          more={matching.length - rows.length + all.more}
          value={value}
          active={at}
          pick={pick}
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
      )}
    </span>
  );
}

/** A key that writes something; a space only within a word. */
function isLetter({ key, altKey }: KeyboardEvent, isInWord = false): boolean {
  return [...key].length === 1 && !altKey && (key !== ' ' || isInWord);
}

function isOneLetter(typed: string): boolean {
  return [...typed].every((letter) => letter === typed[0]);
}

/**
 * The popup with an option's choices, in the style of VS Code's lists: groups, descriptions, a check at the current value, and a filter above long
 * lists.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CheckIcon, StarIcon } from '../base/icons';
import { t } from '../base/l10n';
import { memo } from '../base/memo';
import type { Row } from './choices';
import { GAP } from '../components/popupPosition';
import { positionPopup } from '../components/positionPopup';

interface Props {
  /** Unique on the page; the list's is `${id}-list`, a row's `${id}-${index}`. */
  readonly id: string;
  /** The option's name. */
  readonly name: string;
  readonly button: RefObject<HTMLElement>;
  readonly rows: readonly Row[];
  /** The number of choices that are left out. */
  readonly more: number;
  /** The current value. */
  readonly value: string;
  /** The row that Enter selects. */
  readonly active: number;
  pick(index: number): void;
  /** Marks or unmarks a row. */
  readonly mark: ((row: Row) => void) | undefined;
  /** A text below the choices. */
  readonly note?: string | undefined;
  readonly filter: { readonly query: string; set(query: string): void } | undefined;
}

export function OptionPopup({ id, name, button, rows, more, value, active, pick, mark, note: about, filter }: Props) {
  const listId = `${id}-list`;
  const popup = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);

  useLayoutEffect(() => {
    const element = popup.current!;
    const put = () => positionPopup(element, button.current!);
    put();
    input.current?.focus({ preventScroll: true });
    // The scrolled element may be the page itself when it is very low.
    const scrolled = (event: Event) => event.target !== list.current && put();
    window.addEventListener('resize', put);
    window.addEventListener('scroll', scrolled, { capture: true });
    return () => {
      window.removeEventListener('resize', put);
      window.removeEventListener('scroll', scrolled, { capture: true });
    };
  }, []);
  useLayoutEffect(() => showRow(list.current!, active), [active, rows.length, filter?.query]);

  const latest = useRef(pick);
  latest.current = pick;
  const take = useRef((index: number) => latest.current(index)).current;
  const latestMark = useRef(mark);
  latestMark.current = mark;
  const markRow = useRef((row: Row) => latestMark.current?.(row)).current;
  const note = rows.length === 0 ? t('No results') : more > 0 ? t('{count} more', { count: more }) : '';
  const keys = navigator.platform.startsWith('Mac') ? '⌘D' : 'Ctrl+D';
  return (
    <div
      class="option-popup"
      ref={popup}
      onMouseDown={(event) => event.target !== input.current && event.preventDefault()} // Keeps the focus where it is.
    >
      {filter && (
        <input
          ref={input}
          type="text"
          class="option-filter"
          role="combobox"
          aria-label={t('Filter')}
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
          placeholder={t('Type to filter')}
          value={filter.query}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          onInput={(event) => filter.set(event.currentTarget.value)}
        />
      )}
      <div
        class="option-list"
        role="listbox"
        id={listId}
        aria-label={name}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        ref={list}
      >
        {grouped(rows, id, (row, index) => (
          <RowView
            key={index}
            id={`${id}-${index}`}
            row={row}
            index={index}
            isActive={index === active}
            isSet={row.value === value && rows.findIndex((each) => each.value === value) === index}
            take={take}
            mark={mark && markRow}
          />
        ))}
      </div>
      <div class="option-note" role="status">
        {note}
      </div>
      {about !== undefined && (
        <div class="option-note option-about" id={`${id}-about`}>
          {about}
        </div>
      )}
      {mark && rows.length > 0 && <div class="option-note">{t('{keys}: add or remove favorite', { keys })}</div>}
    </div>
  );
}

/** Renders each group of rows in an element of its own. */
function grouped(rows: readonly Row[], id: string, draw: (row: Row, index: number) => ComponentChildren): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  for (let index = 0; index < rows.length; ) {
    const start = index;
    const { group } = rows[start]!;
    const inside: ComponentChildren[] = [];
    for (; index < rows.length && rows[index]!.group === group; index++) {
      inside.push(draw(rows[index]!, index));
    }
    parts.push(
      group === '' ? (
        inside
      ) : (
        <div role="group" aria-labelledby={`${id}-group-${start}`} key={`group ${start}`}>
          <div class="option-group" role="presentation" id={`${id}-group-${start}`}>
            {group}
          </div>
          {inside}
        </div>
      ),
    );
  }
  return parts;
}

interface RowProps {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly isActive: boolean;
  readonly isSet: boolean;
  take(index: number): void;
  readonly mark: ((row: Row) => void) | undefined;
}

const RowView = memo(function RowView({ id, row, index, isActive, isSet, take, mark }: RowProps) {
  const { label, description, isFavorite } = row;
  return (
    <div
      class={isActive ? 'option-row option-row-active' : 'option-row'}
      role="option"
      id={id}
      aria-selected={isSet}
      aria-labelledby={`${id}-name`}
      aria-describedby={description === '' ? undefined : `${id}-description`}
      title={description === '' ? undefined : description}
      onClick={() => take(index)}
    >
      <span class="option-check">{isSet && <CheckIcon />}</span>
      <span class="option-words">
        <span class="option-label" id={`${id}-name`}>
          {label}
        </span>
        {description !== '' && (
          <span class="option-description" id={`${id}-description`}>
            {description}
          </span>
        )}
      </span>
      {mark && (
        // A control for the pointer. The key is Ctrl+D, and the group's name shows which rows are marked.
        <span
          class={isFavorite ? 'option-star option-star-set' : 'option-star'}
          aria-hidden="true"
          title={isFavorite ? t('Remove from Favorites') : t('Add to Favorites')}
          onClick={(event) => {
            event.stopPropagation();
            mark(row);
          }}
        >
          <StarIcon />
        </span>
      )}
    </div>
  );
});

/** Scrolls only the list, and shows the group's name with its first row. */
function showRow(list: HTMLElement, index: number): void {
  const row = list.querySelectorAll<HTMLElement>('.option-row')[index];
  if (!row) {
    return;
  }
  const heading = row.previousElementSibling?.classList.contains('option-group') ? (row.previousElementSibling as HTMLElement) : row;
  const view = list.getBoundingClientRect();
  const top = heading.getBoundingClientRect().top - view.top - GAP;
  const bottom = row.getBoundingClientRect().bottom - view.bottom + GAP;
  if (bottom > 0) {
    list.scrollTop += bottom;
  }
  if (top - Math.max(0, bottom) < 0) {
    list.scrollTop += top - Math.max(0, bottom);
  }
}

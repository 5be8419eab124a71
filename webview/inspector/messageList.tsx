/** The list of messages. Only the rows on the screen are in the document. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isError } from '../../src/core/inspector/filterRows';
import type { FrameRow } from '../../src/core/inspector/inspectorPage';
import type { RowStore } from '../../src/core/inspector/rowStore';
import { t } from '../base/l10n';
import { arrowOf, kindLabel, statusOf, timeOf } from './rowWords';

interface MessageListProps {
  readonly list: RefObject<HTMLDivElement>;
  readonly rows: readonly FrameRow[];
  readonly store: RowStore;
  readonly hops: readonly string[];
  readonly selected: number | undefined;
  readonly isFollowing: boolean;
  select(id: number): void;
  enter(): void;
  follow(isFollowing: boolean): void;
}

/** Rows above and below the visible ones. */
const MARGIN = 10;
/** Pixels from the end that count as the end. */
const NEAR_END = 4;

export function MessageList({ list, rows, store, hops, selected, isFollowing, select, enter, follow }: MessageListProps) {
  const probe = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  /** The position to which the list has followed. */
  const end = useRef(0);
  const [height, setHeight] = useState(24);
  const [view, setView] = useState({ top: 0, size: 600 });
  const first = Math.max(0, Math.min(rows.length, Math.floor(view.top / height) - MARGIN));
  const last = Math.min(rows.length, Math.ceil((view.top + view.size) / height) + MARGIN);
  const index = selected === undefined ? -1 : rows.findIndex(({ id }) => id === selected);

  const measure = (): void => {
    const element = list.current;
    if (element) {
      setHeight(probe.current?.getBoundingClientRect().height || 24);
      setView({ top: element.scrollTop, size: element.clientHeight });
    }
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list.current!);
    observer.observe(probe.current!);
    return () => observer.disconnect();
  }, []);
  // The page's policy allows no style attributes.
  useLayoutEffect(() => {
    above.current?.style.setProperty('height', `${first * height}px`);
    below.current?.style.setProperty('height', `${(rows.length - last) * height}px`);
  });
  useLayoutEffect(() => {
    const element = list.current;
    if (isFollowing && element) {
      element.scrollTop = element.scrollHeight;
      end.current = element.scrollTop;
      measure();
    }
  }, [isFollowing, rows, height, view.size]);
  useLayoutEffect(() => {
    const element = list.current;
    if (element && index >= 0) {
      const top = index * height;
      if (top < element.scrollTop) {
        element.scrollTop = top;
      } else if (top + height > element.scrollTop + element.clientHeight) {
        element.scrollTop = top + height - element.clientHeight;
      }
      measure();
    }
  }, [selected, view.size]);

  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row) {
      select(row.id);
    }
  };
  const keys = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.size / height) - 1);
    // Without a selection, the keys begin at what is on the screen.
    const at = index >= 0 ? index : Math.floor((view.top + view.size) / height) - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index < 0 ? at : at + 1,
      ArrowUp: index < 0 ? at : at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter' && index >= 0) {
      event.preventDefault();
      enter();
    }
  };

  return (
    <div
      ref={list}
      class="inspector-list"
      role="listbox"
      aria-label={t('Messages')}
      tabIndex={0}
      {...(index >= first && index < last && { 'aria-activedescendant': `row-${selected}` })}
      onKeyDown={keys}
      onScroll={(event) => {
        measure();
        // New rows make the list longer, but only a person scrolls back.
        if (isFollowing && event.currentTarget.scrollTop < end.current - height - NEAR_END) {
          follow(false);
        }
      }}
    >
      <div ref={probe} class="inspector-row inspector-probe" aria-hidden="true" />
      <div ref={above} role="presentation" />
      {rows.slice(first, last).map((row, offset) => {
        const position = first + offset;
        const answer = store.answerTo(row.id);
        const status = statusOf(row, answer);
        const program = row.hop === undefined ? undefined : hops[row.hop];
        const name = row.about === undefined ? row.method : `${row.method} ${row.about}`;
        return (
          <div
            key={row.id}
            id={`row-${row.id}`}
            class={`inspector-row inspector-${row.kind}${isError(row, store) ? ' inspector-failed' : ''}`}
            role="option"
            aria-selected={row.id === selected}
            aria-posinset={position + 1}
            aria-setsize={rows.length}
            aria-label={[kindLabel(row), name, program, status, row.text].filter(Boolean).join(', ')}
            onClick={() => select(row.id)}
          >
            <span class="inspector-time">{timeOf(row.at)}</span>
            <span class="inspector-arrow">{arrowOf(row)}</span>
            <span class="inspector-name">
              {program !== undefined && <span class="inspector-program">{program}</span>}
              {name ?? kindLabel(row)}
            </span>
            <span class="inspector-status">{status}</span>
            <span class="inspector-text">{row.text}</span>
          </div>
        );
      })}
      <div ref={below} role="presentation" />
    </div>
  );
}

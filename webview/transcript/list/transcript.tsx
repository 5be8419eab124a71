/** The conversation: pages of entries in a log that follows its end. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { entryIdOf, type SessionState } from '../../../src/core/model/state';
import { cardOf } from '../../../src/core/approval/requests';
import { useSelect, useView } from '../../state/context';
import { ArrowDownIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { useLazy } from '../../base/lazy';
import { findChunk } from '../../find/lazyFind';
import { chunksFor } from './lazyEntries';
import { useFollow } from './follow';
import { VisibilityObserver } from './visibilityObserver';
import { PageView } from './pageView';
import { type Page, PAGE_SIZE, pagesOf } from './pages';
import { useForceUpdate } from '../../base/memo';
import { scrollPositionIn, returnTo } from './restoreScroll';
import { scrollToEntry } from './toEntry';

/** Pages at the end that are always rendered. */
const TAIL_PAGES = 2;

/** Entries that may arrive together with the user's own message before it is first rendered. */
const LOOK_BACK = 50;

export function Transcript({ children }: { children?: ComponentChildren }) {
  const { mirror, scrollPosition } = useView();
  const entries = useSelect((state) => state.entries);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const nearby = useRef<VisibilityObserver>();
  const rendered = useRef(new Set<Page>()).current;
  const pages = useRef<readonly Page[]>([]);
  const find = useLazy(findChunk);
  const drawable = useDrawable(entries);
  pages.current = drawable ? pagesOf(entries, pages.current) : [];
  const waiting = useWaitingPages();
  /** The position when this session was shown last, until it is reached again. */
  const returning = useRef(scrollPosition.kept);
  const follow = useFollow(
    scroller,
    content,
    () => nearby.current?.look(),
    () => returning.current !== undefined,
  );

  // After sending a message the user wants to see what follows it.
  const ownMessage = newestOwnMessage(entries);
  useLayoutEffect(() => {
    if (ownMessage !== undefined && !returning.current) {
      follow.toEnd();
    }
  }, [ownMessage]);

  useLayoutEffect(() => {
    mirror.onScreen = () => [...rendered].flatMap((page) => page.slots.map((slot) => slot.entryId));
    scrollPosition.read = () => returning.current ?? (follow.follows() ? undefined : scrollPositionIn(scroller.current!));
    scrollPosition.go = () => {
      returning.current = scrollPosition.kept;
      if (scrollPosition.kept) {
        follow.leave();
      }
    };
    const element = scroller.current!;
    const moved = () => scrollPosition.moved();
    element.addEventListener('scroll', moved, { passive: true });
    return () => {
      element.removeEventListener('scroll', moved);
      nearby.current?.dispose();
    };
  }, []);
  const toEntry = (entryId: string) => scrollToEntry(content.current, mirror.state, entryId);
  const isThere = drawable && entries.length > 0;
  useLayoutEffect(() => {
    if (!isThere || !returning.current) {
      return undefined;
    }
    const done = (found: boolean): void => {
      returning.current = undefined;
      if (!found) {
        follow.toEnd();
      }
    };
    return returnTo(returning.current, { scroller: scroller.current!, mirror, toEntry, done });
  }, [isThere]);
  const lookNearby = () => (nearby.current ??= scroller.current ? new VisibilityObserver(scroller.current) : undefined);

  return (
    <div class="transcript">
      {find && <find.FindBar log={content} toEntry={toEntry} fallback={scroller} />}
      <div class="scroller" role="log" aria-label={t('Conversation')} aria-live="off" tabIndex={0} ref={scroller}>
        <div class="log" ref={content}>
          {pages.current.map((page, index) => (
            <PageView
              key={index}
              page={page}
              always={index >= pages.current.length - TAIL_PAGES || waiting.has(index)}
              nearby={lookNearby}
              rendered={rendered}
            />
          ))}
        </div>
      </div>
      {children}
      {!follow.following && (
        <button
          type="button"
          class="jump"
          onClick={() => {
            follow.toEnd();
            scroller.current?.focus({ preventScroll: true });
          }}
        >
          <ArrowDownIcon />
          {t('Jump to latest')}
        </button>
      )}
    </div>
  );
}

/** False until the code is loaded for the conversation as it is when the page opens, because it must appear at once. */
function useDrawable(entries: SessionState['entries']): boolean {
  const drawable = useRef(false);
  const forceUpdate = useForceUpdate();
  const missing = drawable.current ? [] : chunksFor(entries).filter((part) => part.value === undefined);
  drawable.current ||= missing.length === 0 && entries.length > 0;
  useLayoutEffect(() => {
    if (missing.length > 0) {
      void Promise.all(missing.map((part) => part.load())).then(() => forceUpdate());
    }
  }, [entries, missing.length]);
  return drawable.current;
}

/** The pages with waiting requests: a card that can be answered is always in the document. */
function useWaitingPages(): ReadonlySet<number> {
  const entries = useSelect((state) => state.entries);
  const permissions = useSelect((state) => state.pendingPermissions);
  const elicitations = useSelect((state) => state.pendingElicitations);
  const waiting = [...permissions.map((permissionId) => cardOf({ entries }, permissionId)), ...elicitations.map(entryIdOf.elicitation)];
  return new Set(waiting.map((entryId) => Math.floor(entries.indexOf(entryId) / PAGE_SIZE)));
}

/** Searches backwards, because a fast agent may have answered before the message is painted. */
function newestOwnMessage(entries: SessionState['entries']): string | undefined {
  for (let index = entries.length - 1; index >= Math.max(0, entries.length - LOOK_BACK); index--) {
    const slot = entries.at(index);
    if (slot?.kind === 'message' && slot.entryId.startsWith('user:')) {
      return slot.entryId;
    }
  }
  return undefined;
}

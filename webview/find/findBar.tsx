/** Find in the conversation, like VS Code's own: a bar in the corner with next and previous. Escape in it closes it and returns the focus. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MAX_MATCHES } from '../../src/text/find/pattern';
import { MAX_QUERY } from '../../src/core/protocol/messages/findQuery';
import { useView } from '../state/context';
import { ArrowDownIcon, ArrowUpIcon, CrossIcon } from '../base/icons';
import { t } from '../base/l10n';
import { Marks } from './marks';
import { Reveal } from './reveal';
import { useForceUpdate } from '../base/memo';
import { isPlainEscape } from '../typing/plainEscape';
import type { Search } from '../state/search';

/** The longest selection that becomes the search text, in UTF-16 units. */
const MAX_SELECTION = 200;

interface Props {
  readonly log: RefObject<HTMLElement>;
  /** Scrolls to an entry that may not be rendered. */
  readonly toEntry: (entryId: string) => void;
  /** Takes the focus when the previously focused element no longer exists. */
  readonly fallback: RefObject<HTMLElement>;
}

export function FindBar({ log, toEntry, fallback }: Props) {
  const { search, mirror, disclosures } = useView();
  const forceUpdate = useForceUpdate();
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const latest = useRef(toEntry);
  latest.current = toEntry;

  useLayoutEffect(() => {
    const marks = new Marks(log.current!, search);
    const reveal = new Reveal({ log: log.current!, mirror, disclosures, marks, toEntry: (entryId) => latest.current(entryId) });
    const stop = search.subscribe((moved) => {
      forceUpdate();
      if (!search.found) {
        marks.forget();
        // A search that has ended must not scroll: it would move the text that the user reads or clicks.
        reveal.stop();
      }
      if (!search.isOpen) {
        reveal.stop();
        reveal.closeOpened();
        marks.clear();
      } else {
        marks.paint();
        if (moved) {
          reveal.show(search.current!, search.found!.hits.find(([entryId]) => entryId === search.current!.entryId)![1]);
        }
      }
    });
    return () => {
      stop();
      reveal.stop();
      marks.clear();
    };
  }, []);

  useLayoutEffect(() => {
    const open = () => {
      const { activeElement } = document;
      if (!search.isOpen || (activeElement !== document.body && !activeElement?.closest('.find'))) {
        before.current = activeElement;
      }
      search.open(selectedLine());
    };
    search.show = () => {
      // The key arrives twice, here and through VS Code, whose message may arrive after the user has begun to type.
      if (search.isOpen && document.activeElement === input.current) {
        return;
      }
      open();
      input.current?.focus();
      input.current?.select();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (isFindKey(event)) {
        event.preventDefault();
        search.show();
        input.current?.select();
      } else if (search.isOpen && event.key === 'F3') {
        event.preventDefault();
        search.go(event.shiftKey ? -1 : 1);
      }
    };
    // As in VS Code's editor, Escape outside the bar closes it first, and the focus stays. This listener is on the document, because those of the page
    // that lead to a question, stop the turn or end a wait are on the window.
    const onEscape = (event: KeyboardEvent) => {
      if (search.isOpen && isPlainEscape(event)) {
        event.preventDefault();
        search.close();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    document.addEventListener('keydown', onEscape);
    search.goTo = (target) => {
      latest.current(target.entryId);
      search.openAt(target);
    };
    if (search.wanted) {
      search.wanted = false;
      search.show();
    }
    const { wantedTarget } = search;
    if (wantedTarget) {
      search.wantedTarget = undefined;
      search.goTo(wantedTarget);
    }
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('keydown', onEscape);
    };
  }, []);

  // A bar that was closed before is rendered only now.
  const wasOpen = useRef(search.isOpen);
  useLayoutEffect(() => {
    // A bar that is open at the first render was restored with its session.
    if (!search.isOpen || wasOpen.current) {
      wasOpen.current = false;
      return;
    }
    input.current?.focus();
    input.current?.select();
  }, [search.isOpen]);

  const close = () => {
    search.close();
    const target =
      before.current instanceof HTMLElement && before.current.isConnected && before.current !== document.body
        ? before.current
        : fallback.current;
    target?.focus({ preventScroll: true });
  };

  if (!search.isOpen) {
    return null;
  }
  const { query, found } = search;
  const none = found?.count === 0;
  return (
    <div
      class="find"
      role="search"
      aria-label={t('Find')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          close();
        } else if (event.altKey && !event.ctrlKey && !event.metaKey && (event.code === 'KeyC' || event.code === 'KeyW')) {
          event.preventDefault();
          search.set(event.code === 'KeyC' ? { caseSensitive: !query.caseSensitive } : { wholeWord: !query.wholeWord });
        }
      }}
    >
      <div class={none ? 'find-box find-none' : 'find-box'}>
        <input
          ref={input}
          type="search"
          class="find-input"
          aria-label={t('Find in conversation')}
          placeholder={t('Find')}
          value={query.text}
          maxLength={MAX_QUERY}
          spellcheck={false}
          autocomplete="off"
          dir="auto"
          onInput={(event) => search.set({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') {
              return;
            }
            event.preventDefault();
            search.go(event.shiftKey ? -1 : 1);
          }}
        />
        <Toggle label={t('Match case')} sign="Aa" on={query.caseSensitive} set={(caseSensitive) => search.set({ caseSensitive })} />
        <Toggle label={t('Match whole word')} sign="ab" on={query.wholeWord} set={(wholeWord) => search.set({ wholeWord })} />
      </div>
      <div class="find-count" role="status">
        {countText(search)}
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Previous match')}
        title={t('Previous match')}
        disabled={!found?.count}
        onClick={() => search.go(-1)}
      >
        <ArrowUpIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Next match')}
        title={t('Next match')}
        disabled={!found?.count}
        onClick={() => search.go(1)}
      >
        <ArrowDownIcon />
      </button>
      <button type="button" class="icon-button" aria-label={t('Close find')} title={t('Close find')} onClick={close}>
        <CrossIcon />
      </button>
    </div>
  );
}

function Toggle({ label, sign, on, set }: { label: string; sign: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <button type="button" class="find-toggle" aria-label={label} title={label} aria-pressed={on} onClick={() => set(!on)}>
      {sign}
    </button>
  );
}

function countText({ query, found, position }: Search): string {
  if (query.text === '' || !found) {
    return '';
  }
  if (found.count === 0) {
    return t('No results');
  }
  const count = found.capped ? `${MAX_MATCHES}+` : String(found.count);
  return t('{place} of {count}', { place: position || '?', count });
}

/** The text selected in the conversation, if it can be searched for. */
function selectedLine(): string | undefined {
  const selection = document.getSelection();
  const text =
    selection && !selection.isCollapsed && selection.anchorNode?.parentElement?.closest('.log') ? selection.toString().trim() : '';
  return text !== '' && text.length <= MAX_SELECTION && !text.includes('\n') ? text : undefined;
}

const isMac = /^Mac/.test(navigator.platform);

function isFindKey(event: KeyboardEvent): boolean {
  const command = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return command && !event.altKey && !event.shiftKey && event.code === 'KeyF';
}

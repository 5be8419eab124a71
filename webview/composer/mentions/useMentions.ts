/** Suggests mentions while the caret is after an `@` and a word: a list box controlled from the text, like the list of commands. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MentionRow } from '../../../src/core/protocol/view';
import { useView } from '../../state/context';
import type { Draft } from '../../state/draft';
import { t } from '../../base/l10n';
import { replaceText } from './editText';
import { useForceUpdate } from '../../base/memo';
import { mentionQuery } from './mentionQuery';

export const MENTION_LIST = 'mentions';

export interface MentionSuggestions {
  readonly rows: readonly MentionRow[];
  readonly active: number;
  /** True while the files are being listed for the first time. */
  readonly isListing: boolean;
  accept(row: MentionRow): void;
  /** True when the list used the key. */
  onKeyDown(event: KeyboardEvent): boolean;
  readonly textAttributes: Readonly<Record<string, string | undefined>>;
}

export function useMentions(draft: Draft, caret: number, area: RefObject<HTMLTextAreaElement>): MentionSuggestions {
  const { mentions: answers, post, say } = useView();
  const forceUpdate = useForceUpdate();
  const [active, setActive] = useState(0);
  /** The offset of the `@` whose list the user closed. */
  const [closedAt, setClosedAt] = useState<number>();
  const found = mentionQuery(
    draft.text,
    caret,
    draft.mentions.map(({ token }) => token),
  );
  const query = found && found.at !== closedAt && !draft.isRecalled ? found : undefined;
  useLayoutEffect(() => answers.subscribe(() => forceUpdate()), [answers]);
  useLayoutEffect(() => answers.ask(query?.text), [answers, query?.text]);
  /** The row that the user moved to: it stays active when an answer brings others above it. */
  const moved = useRef<MentionRow>();
  useLayoutEffect(() => {
    setActive(0);
    moved.current = undefined;
  }, [query?.text]);
  useEffect(() => {
    if (found === undefined) {
      setClosedAt(undefined);
    }
  }, [found === undefined]);
  const rows = query ? answers.rows : [];
  const movedTo = rows.findIndex((row) => row.label === moved.current?.label && row.detail === moved.current.detail);
  const index = movedTo < 0 ? Math.min(active, rows.length - 1) : movedTo;
  const count = query && answers.text === query.text && !answers.isPending ? rows.length : undefined;
  /** The announced number of rows, so that it is not repeated with every letter. */
  const said = useRef<number>();
  useEffect(() => {
    said.current = query ? said.current : undefined;
    if (count !== undefined && count !== said.current) {
      said.current = count;
      say(count === 0 ? t('No suggestions') : count === 1 ? t('1 suggestion') : t('{count} suggestions', { count }));
    }
  }, [count, query === undefined]);

  const accept = (row: MentionRow): void => {
    const element = area.current;
    if (!element || !query) {
      return;
    }
    const end = query.end;
    if (row.mention) {
      const token = draft.mention(row.mention);
      replaceText(element, query.at, end, /^\s/.test(draft.text.slice(end)) ? token : `${token} `);
    } else if (row.complete !== undefined) {
      replaceText(element, query.at, end, `@${row.complete}`);
    } else if (row.pick !== undefined) {
      replaceText(element, query.at, end, '');
      post({ type: 'pick_mention', pick: row.pick });
    }
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!query || event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    const row = rows[index];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        if (row) {
          const next = (index + (event.key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length;
          moved.current = rows[next];
          setActive(next);
        }
        return row !== undefined;
      case 'Escape':
        if (rows.length === 0 && !answers.isPending) {
          return false;
        }
        setClosedAt(query.at);
        event.stopPropagation();
        return true;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) {
          return false;
        }
        if (answers.isPending) {
          // The list on the screen belongs to another word, and Enter must not send half a word.
          return true;
        }
        if (row) {
          accept(row);
        }
        return row !== undefined;
      default:
        return false;
    }
  };
  return {
    rows,
    active: index,
    isListing: query !== undefined && answers.isListing,
    accept,
    onKeyDown,
    textAttributes: rows.length > 0 ? { 'aria-controls': MENTION_LIST, 'aria-activedescendant': `${MENTION_LIST}-${index}` } : {},
  };
}

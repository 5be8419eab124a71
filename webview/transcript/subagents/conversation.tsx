/** The conversation of an open subagent: pages of entries in the conversation of the session. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSelect } from '../../state/context';
import { t } from '../../base/l10n';
import { TurnPlans } from '../entries/plan';
import { PageView } from '../list/pageView';
import { type Page, pagesOf } from '../list/pages';
import { VisibilityObserver } from '../list/visibilityObserver';

/** Pages at the end that are always rendered. */
const TAIL_PAGES = 2;

export function SubagentConversation({ name, subagentId }: { name: string; subagentId: string }) {
  const entries = useSelect((state) => state.entries);
  const plans = useSelect((state) => state.plans);
  const element = useRef<HTMLDivElement>(null);
  const observer = useRef<VisibilityObserver>();
  const pages = useRef<readonly Page[]>([]);
  const rendered = useRef(new Set<Page>()).current;
  pages.current = pagesOf(entries, pages.current);
  const nearby = (): VisibilityObserver | undefined => {
    const scroller = element.current?.closest('.scroller');
    return (observer.current ??= scroller ? new VisibilityObserver(scroller) : undefined);
  };
  useLayoutEffect(() => () => observer.current?.dispose(), []);
  return (
    <div
      class="subagent-conversation"
      role="group"
      aria-label={t('Conversation of {name}', { name })}
      data-subagent={subagentId}
      ref={element}
    >
      {entries.length === 0 && <div class="dim">{t('No messages yet.')}</div>}
      {pages.current.map((page, index) => (
        <PageView key={index} page={page} always={index >= pages.current.length - TAIL_PAGES} nearby={nearby} rendered={rendered} />
      ))}
      <TurnPlans plans={plans} entryId={`subagent:${subagentId}`} />
    </div>
  );
}

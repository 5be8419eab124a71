/** Scrolls to an entry whose page may not be rendered. */
import { entryIdOf, type SessionState } from '../../../src/core/model/state';
import { ownerOf, subagentOf } from '../../../src/core/subagents/subagentTree';
import { PAGE_SIZE } from './pages';

/** Scrolls to the page of an entry. While the card of its subagent is closed or not rendered, that is the page of the card. */
export function scrollToEntry(log: Element | null, state: SessionState, entryId: string): void {
  const owner = ownerOf(state, entryId);
  const conversation = owner === undefined ? log : log?.querySelector(`[data-subagent="${CSS.escape(owner)}"]`);
  if (owner !== undefined && !conversation) {
    return scrollToEntry(log, state, entryIdOf.subagent(owner));
  }
  const { entries } = owner === undefined ? state : subagentOf(state, owner)!.conversation;
  const page = Math.floor(entries.indexOf(entryId) / PAGE_SIZE);
  conversation?.querySelectorAll(':scope > .page')[page]?.scrollIntoView({ block: 'center' });
}

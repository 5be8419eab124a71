/** The entries of a session and its subagents, in the order in which the page shows them: a subagent's conversation follows its card. */
import { entryIdOf, isAbsent, type SessionState, type Slot } from '../model/state';
import { conversationView, lineOf, ownerOf, subagentOf } from './subagentTree';

export interface PlacedEntry {
  readonly slot: Slot;
  /** The conversation that has it. */
  readonly conversation: SessionState;
  /** The subagent whose conversation it is; absent for the session's own. */
  readonly subagentId?: string;
}

export function* entriesInOrder(state: SessionState): Generator<PlacedEntry, void> {
  // An explicit stack, because subagents may be nested to any depth.
  const stack = [placed(state, undefined)];
  const seen = new Set<string>();
  while (stack.length > 0) {
    const next = stack.at(-1)!.next();
    if (next.done) {
      stack.pop();
      continue;
    }
    yield next.value;
    const { slot } = next.value;
    const child =
      slot.kind === 'subagent' && !isAbsent(slot) && !seen.has(slot.subagentId) ? subagentOf(state, slot.subagentId) : undefined;
    if (child) {
      seen.add(child.subagentId);
      stack.push(placed(conversationView(state, child), child.subagentId));
    }
  }
}

function* placed(conversation: SessionState, subagentId: string | undefined): Generator<PlacedEntry, void> {
  for (const slot of conversation.entries) {
    yield { slot, conversation, ...(subagentId !== undefined && { subagentId }) };
  }
}

/** Returns the ids of the cards to open for an entry of a subagent, the outermost first. Empty for an entry of the session's own conversation. */
export function cardsAround(state: SessionState, entryId: string): readonly string[] {
  const owner = ownerOf(state, entryId);
  return owner === undefined
    ? []
    : lineOf(state, owner)
        .map(({ subagentId }) => entryIdOf.subagent(subagentId))
        .reverse();
}

/** Returns the index in the session's own conversation of an entry, or of the card that contains it; -1 when there is none. */
export function indexInSession(state: SessionState, entryId: string): number {
  return state.entries.indexOf(cardsAround(state, entryId)[0] ?? entryId);
}

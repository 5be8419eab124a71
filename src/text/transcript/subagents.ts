/** Subagents in a conversation's document: their conversations, and messages between sessions. */
import { proseLine, quoted } from '../markdown/fence';
import { sanitizeMarkdown } from '../markdown/sanitize';
import type { SessionState } from '../../core/model/state';
import type { SessionMessageEntry, SubagentEntry } from '../../core/model/subagent';
import { conversationView, sessionMessageNames, subagentName, subagentOf, subagentStatus } from '../../core/subagents/subagentTree';
import type { TranscriptStrings } from './transcriptStrings';

/** The levels of subagents that a document has. */
const MAX_DEPTH = 20;

/**
 * Returns the parts of a subagent: its heading, its task and its quoted conversation.
 *
 * @param textOf returns the text of a conversation
 */
export function subagentSection(
  { subagentId }: SubagentEntry,
  state: SessionState,
  strings: TranscriptStrings,
  textOf: (conversation: SessionState) => string,
): string[] {
  const child = subagentOf(state, subagentId);
  if (!child) {
    return [];
  }
  const status = strings.subagentStatus(subagentStatus(child, false));
  const name = proseLine(subagentName(child));
  const isDeep = depthOf(state, subagentId) > MAX_DEPTH;
  return [
    `### ${strings.subagent(name)}${status === '' ? '' : ` – ${status}`}`,
    ...[sanitizeMarkdown(child.description ?? ''), isDeep ? '' : textOf(conversationView(state, child))].map((text) =>
      text === '' ? '' : quoted(text),
    ),
  ];
}

/** Returns the heading of a message between sessions. */
export function sessionMessageHeading(entry: SessionMessageEntry, state: SessionState, strings: TranscriptStrings): string {
  const { sender, recipient } = sessionMessageNames(entry, state);
  return `### ${strings.sessionMessage(sender && proseLine(sender), recipient && proseLine(recipient))}`;
}

function depthOf(state: SessionState, subagentId: string): number {
  let depth = 0;
  for (let next = subagentOf(state, subagentId); next && depth <= MAX_DEPTH; depth++) {
    next = next.parentId === undefined ? undefined : subagentOf(state, next.parentId);
  }
  return depth;
}

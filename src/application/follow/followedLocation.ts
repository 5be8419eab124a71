/** Finds the file that an agent reads or edits now, from its events. Pure. */
import type { ToolContent } from '../../core/model/content';
import type { SessionEvent } from '../../core/model/event';
import { entryIdOf, isAbsent, type SessionState } from '../../core/model/state';

export interface FollowedLocation {
  /** The path as the agent wrote it. */
  readonly path: string;
  /** The line number, 1-based. */
  readonly line?: number;
}

/** Returns the file of the newest of these events that names one, or undefined. @param state the conversation after the events */
export function followedLocation(state: SessionState, events: readonly SessionEvent[]): FollowedLocation | undefined {
  for (const event of events.toReversed()) {
    const location = locationOf(state, event);
    if (location) {
      return location;
    }
  }
  return undefined;
}

function locationOf(state: SessionState, event: SessionEvent): FollowedLocation | undefined {
  switch (event.type) {
    case 'tool_call_update':
      // An update without these fields only reports completion or output, and names no new file.
      return event.patch.locations || event.patch.content || event.patch.kind
        ? locationOfToolCall(state, entryIdOf.toolCall(event.toolCallId))
        : undefined;
    case 'diff_located':
      return locationOfToolCall(state, event.entryId);
    case 'file_written':
      return { path: event.file.path };
    default:
      return undefined;
  }
}

function locationOfToolCall({ entries }: SessionState, entryId: string): FollowedLocation | undefined {
  const entry = entries.get(entryId);
  // A search names every file with a match, so it is not followed.
  if (!entry || isAbsent(entry) || entry.kind !== 'tool_call' || entry.toolKind === 'search' || entry.status === 'failed') {
    return undefined;
  }
  const { locations, content } = entry;
  const last = locations.at(-1);
  const changed = content.findLast((each): each is Extract<ToolContent, { type: 'diff' }> => each.type === 'diff')?.changes.at(-1);
  if (changed && (!last || last.path === changed.path)) {
    const line = changed.line ?? last?.line;
    return { path: changed.path, ...(isLine(line) && { line }) };
  }
  return last && { path: last.path, ...(isLine(last.line) && { line: last.line }) };
}

function isLine(line: number | undefined): line is number {
  return line !== undefined && Number.isSafeInteger(line) && line >= 1;
}

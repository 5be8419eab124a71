/** Finds the open tool call that a request of the agent to the host belongs to. The protocol does not name it. Pure. */
import { isAbsent, type SessionState, type ToolCallEntry } from '../model/state';
import { commandIn } from './command';

/** The newest entries that are searched. */
const MAX_ENTRIES = 50;

/** The command, or the names of the file, that the request is about. */
export interface RequestedAct {
  readonly command?: string;
  readonly paths?: readonly string[];
}

/**
 * Returns the id of the newest open call that names this command or file. Undefined when no call does. A call about which the agent has asked shows
 * that answer.
 */
export function callAbout({ entries }: Pick<SessionState, 'entries'>, act: RequestedAct): string | undefined {
  for (const slot of entries.slice(-MAX_ENTRIES).toReversed()) {
    const isOpen = slot.kind === 'tool_call' && !isAbsent(slot) && (slot.status === 'pending' || slot.status === 'in_progress');
    if (isOpen && !slot.requests && isAbout(slot, act)) {
      return slot.toolCallId;
    }
  }
  return undefined;
}

function isAbout({ title, content, locations, rawInput }: ToolCallEntry, { command, paths = [] }: RequestedAct): boolean {
  if (command !== undefined) {
    return commandIn(rawInput) === command || title === command;
  }
  const changed = content.flatMap((each) => (each.type === 'diff' ? each.changes.map(({ path }) => path) : []));
  const written = typeof rawInput === 'object' && rawInput !== null ? Object.values(rawInput) : [];
  return [...changed, ...locations.map(({ path }) => path), ...written].some((each) => paths.includes(each as string));
}

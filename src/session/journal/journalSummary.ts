/**
 * The summary of a conversation for lists, so that they need not read journals. The session writes it to a small file beside its journal. Without
 * that file the summary is computed from the journal's beginning.
 */
import { boolean, type Infer, fallback, number, object, string, optional } from '../../core/schema/schema';
import { EMPTY_STATE, isAbsent, type SessionState } from '../../core/model/state';
import { isUnused as isUnusedState } from '../../core/model/select';
import { withFirstPrompt } from '../../core/reduce/messages';
import type { JournalHeader } from './journalHeader';
import type { ReadJournal } from './journalReader';
import { changedLines, outcomeOf, storedStatus } from './sessionOutcome';
import { NO_MARKS, type SessionMarks } from './sessionMarks';
import { agentTitle } from '../../text/transcript/plainTitle';

const fields = {
  key: string(),
  agentId: optional(string()),
  agentName: string(),
  cwd: string(),
  /** ms since the epoch */
  createdAt: number(),
  /** The agent's title, otherwise that of the first prompt; may be empty. */
  title: string(),
  /** The newest id that the agent gave the session; absent when it gave none. */
  sessionId: fallback(string()),
  /** Time of the last entry that is not a notice, ms since the epoch. */
  changedAt: fallback(number()),
  /** The status when the summary was last written. */
  state: fallback(storedStatus),
  /** The changes of all turns; absent when there are none or they are unknown. */
  changes: fallback(changedLines),
  /** End of the last turn, or of later work, ms since the epoch. */
  turnEndedAt: fallback(number()),
  /** True when the user has sent nothing: lists leave such a session out, whatever its title is. */
  isUnused: fallback(boolean()),
};

/** The summary in the file. The title of a prompt is derived when it is listed. */
const keptSummary = object({
  ...fields,
  /** The unchanged beginning of the first prompt; empty when the agent gave a title. Early versions did not store it. */
  prompt: fallback(string()),
});
export type KeptSummary = Infer<typeof keptSummary>;
/** The summary in a list. */
export type JournalSummary = Omit<KeptSummary, 'prompt'> & { readonly marks: SessionMarks };

/** Events that a session has only after the user has sent something. */
const OF_USE: ReadonlySet<string> = new Set([
  'turn_started',
  'work_started',
  'tool_call_update',
  'compaction_update',
  'permission_requested',
  'elicitation_requested',
  'plan_update',
  'unknown',
]);

/** UTF-16 units */
const MAX_TITLE = 120;

/** The summary of a conversation in this state. */
export function summaryOf({ key, agentId, agentName, cwd, createdAt }: JournalHeader, state: SessionState): KeptSummary {
  const { title, firstPrompt, sessionId, entries } = state;
  const changedAt = changedAtOf(entries);
  return {
    key,
    ...(agentId !== undefined && { agentId }),
    agentName,
    cwd,
    createdAt,
    ...titled(agentTitle({ title, firstPrompt }), firstPrompt?.text),
    ...(sessionId !== undefined && { sessionId }),
    ...(changedAt !== undefined && { changedAt }),
    ...outcomeOf(state),
    ...(isUnusedState(state) && { isUnused: true as const }),
  };
}

/** The stored summary; undefined when the text is not a summary of this key. */
export function parseSummary(text: string, key: string): KeptSummary | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return undefined;
  }
  const summary = keptSummary.validate(kept) ? keptSummary.parse(kept) : undefined;
  return summary?.key === key ? summary : undefined;
}

/** @param titleOf the title of a session whose first prompt begins with the argument */
export function listed(
  { prompt, ...summary }: KeptSummary,
  titleOf: (prompt: string) => string,
  marks: SessionMarks = NO_MARKS,
): JournalSummary {
  return { ...summary, title: prompt === '' ? summary.title : titleOf(prompt ?? summary.title), marks };
}

/** The summary of a journal or its beginning. For a beginning, `isUnused` describes only that part. */
export function summarize({ header, events }: ReadJournal): KeptSummary {
  const { key, agentId, agentName, cwd, createdAt } = header;
  let title: string | undefined;
  let state = EMPTY_STATE;
  let isUnused = true;
  let sessionId: string | undefined;
  for (const event of events) {
    if (event.type === 'session_info' && event.title !== undefined) {
      title = event.title ?? undefined;
    } else if (event.type === 'session_ready') {
      sessionId = event.sessionId;
    } else if (event.type === 'session_opened') {
      isUnused &&= event.sessionId === undefined || sessionId !== undefined;
    } else if (event.type === 'message' || event.type === 'message_chunk') {
      state = withFirstPrompt(state, event);
    } else if (OF_USE.has(event.type)) {
      isUnused = false;
    }
  }
  return {
    key,
    ...(agentId !== undefined && { agentId }),
    agentName,
    cwd,
    createdAt,
    ...titled(agentTitle({ title, firstPrompt: state.firstPrompt }), state.firstPrompt?.text),
    ...(sessionId !== undefined && { sessionId }),
    ...(isUnused && !state.firstPrompt && { isUnused: true as const }),
  };
}

function titled(title: string | undefined, prompt = ''): { readonly title: string; readonly prompt: string } {
  const own = oneLine(title ?? '');
  return own === '' ? { title: oneLine(prompt), prompt } : { title: own, prompt: '' };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
}

/** The time of the last entry. A notice, such as one about a session that was resumed, does not make the conversation newer. */
function changedAtOf(entries: SessionState['entries']): number | undefined {
  let notice: number | undefined;
  for (let index = entries.length - 1; index >= 0; index--) {
    const slot = entries.at(index)!;
    if (isAbsent(slot)) {
      return undefined;
    }
    if (slot.kind !== 'notice') {
      return 'updatedAt' in slot ? slot.updatedAt : slot.at;
    }
    notice ??= slot.at;
  }
  return notice;
}

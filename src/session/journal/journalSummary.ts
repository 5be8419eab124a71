/**
 * What a list of conversations says of each, without reading their journals: told by the conversation while it lives, kept in a small file
 * beside its journal. A journal without one tells it by its beginning.
 */
import { type Infer, lenient, number, object, string } from '../../core/model/schema';
import { isAbsent, type SessionState, type Slot } from '../../core/model/state';
import type { JournalHeader } from './journalHeader';
import type { ReadJournal } from './journalReader';

const journalSummary = object({
  key: string(),
  agentName: string(),
  cwd: string(),
  /** ms since the epoch */
  createdAt: number(),
  /** The agent's title, else how the first prompt begins; may be empty. */
  title: string(),
  /** The agent's id for it, the newest when it had several; absent when the agent never gave one. */
  sessionId: lenient(string()),
  /** When something was said last. ms since the epoch */
  changedAt: lenient(number()),
});
export type JournalSummary = Infer<typeof journalSummary>;

const MAX_TITLE = 120;
/** Entries among which the first prompt is looked for: notices may stand above it. */
const MAX_LOOKED = 20;

/** What is to be kept of a conversation that is in this state. */
export function summaryOf({ key, agentName, cwd, createdAt }: JournalHeader, state: SessionState): JournalSummary {
  const { title, sessionId, entries } = state;
  const last = entries.at(entries.length - 1);
  const changedAt = last && changedAtOf(last);
  return {
    key,
    agentName,
    cwd,
    createdAt,
    title: titled(title, () => firstPrompt(state)),
    ...(sessionId !== undefined && { sessionId }),
    ...(changedAt !== undefined && { changedAt }),
  };
}

/** What was kept; undefined when it is no summary of this key. */
export function parseSummary(text: string, key: string): JournalSummary | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return undefined;
  }
  const summary = journalSummary.is(kept) ? journalSummary.copy(kept) : undefined;
  return summary?.key === key ? summary : undefined;
}

/** What a journal tells of itself, be it its beginning only. */
export function summarize({ header, events }: ReadJournal): JournalSummary {
  const { key, agentName, cwd, createdAt } = header;
  let title: string | undefined;
  let prompt = '';
  let sessionId: string | undefined;
  for (const event of events) {
    if (event.type === 'session_info' && event.title !== undefined) {
      title = event.title ?? undefined;
    } else if (event.type === 'session_ready') {
      sessionId = event.sessionId;
    } else if (event.type === 'message' && event.role === 'user' && prompt === '') {
      prompt = event.content?.flatMap((block) => (block.type === 'text' ? block.text : [])).join(' ') ?? '';
    }
  }
  return { key, agentName, cwd, createdAt, title: titled(title, () => prompt), ...(sessionId !== undefined && { sessionId }) };
}

function titled(title: string | undefined, prompt: () => string): string {
  return (title?.trim() || prompt()).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
}

function firstPrompt({ entries }: SessionState): string {
  for (let index = 0; index < Math.min(entries.length, MAX_LOOKED); index++) {
    const slot = entries.at(index)!;
    if (!isAbsent(slot) && slot.kind === 'message' && slot.role === 'user') {
      return slot.content.flatMap((block) => (block.type === 'text' ? block.text.slice(0, 4 * MAX_TITLE) : [])).join(' ');
    }
  }
  return '';
}

function changedAtOf(slot: Slot): number | undefined {
  return isAbsent(slot) ? undefined : 'updatedAt' in slot ? slot.updatedAt : slot.at;
}

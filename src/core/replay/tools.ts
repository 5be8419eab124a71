/** Matches the tool calls of a replay with the recorded ones, and corrects those. */
import type { FileChange, ToolContent } from '../model/content';
import type { ToolCallPatch } from '../model/event';
import { isAbsent, isFinalStatus, type SessionState, type Slot, type ToolCallEntry } from '../model/state';
import { lowerBound } from './knownTexts';
import { lettersOf } from './letters';

/** A replayed call with the positions of the recorded messages around it: -1 and `Infinity` where there is none. */
export interface ReplayedCall {
  readonly entry: number;
  readonly call: ToolCallEntry;
  readonly low: number;
  readonly high: number;
  /** True when the record does not have the prompt that the call follows. */
  readonly isOfNewTurn: boolean;
}

/**
 * Returns the position in the record of each replayed call that it has, by the replay's entry. The agent's id decides, or the title when the agent
 * replays under other ids. Similar calls, such as those of agents that number them in each turn, are matched by their content and the messages around
 * them.
 */
export function matchTools(
  record: readonly Slot[],
  replayed: readonly ReplayedCall[],
  terminals: SessionState['terminals'],
): ReadonlyMap<number, number> {
  const byId = new Map<string, number[]>();
  const byExactId = new Map<string, number>();
  const byTitle = new Map<string, number[]>();
  record.forEach((slot, index) => {
    if (slot.kind === 'tool_call' && !isAbsent(slot)) {
      byExactId.set(slot.toolCallId, index);
      add(byId, agentId(slot.toolCallId), index);
      add(byTitle, titleKey(slot), index);
    }
  });
  const used = new Set<number>();
  const result = new Map<number, number>();
  let last = -1;
  for (const { entry, call, low, high, isOfNewTurn } of replayed) {
    const old = (index: number): ToolCallEntry => record[index] as ToolCallEntry;
    const named = byId.get(agentId(call.toolCallId));
    const alike = named ?? byTitle.get(titleKey(call)) ?? [];
    const isFree = (index: number): boolean => !used.has(index);
    const says = (index: number): boolean => !correctionOf(old(index), call, terminals);
    const fits = (index: number): boolean => isFree(index) && isCompatible(old(index), call);
    const breaksOff = (index: number): boolean => fits(index) && !isSettled(old(index));
    // A replay keeps the order of titles, but not of ids.
    const least = named || low >= 0 ? low : last;
    const index = isOfNewTurn
      ? [byExactId.get(call.toolCallId)].find((at) => at !== undefined && says(at))
      : (firstIn(alike, low + 1, high, breaksOff) ??
        firstIn(alike, low + 1, high, (at) => isFree(at) && says(at)) ??
        firstIn(alike, last + 1, Infinity, (at) => isFree(at) && says(at)) ??
        firstIn(alike, 0, Infinity, says) ??
        firstIn(alike, least + 1, high, named ? isFree : fits) ??
        firstIn(named ?? [], 0, Infinity, fits));
    if (index !== undefined) {
      used.add(index);
      result.set(entry, index);
      last = index;
    }
  }
  return result;
}

/**
 * Returns the fields that the replay adds to a recorded call or corrects in it; undefined when there are none. Content and outputs of the record
 * stay.
 */
export function correctionOf(old: ToolCallEntry, replayed: ToolCallEntry, terminals: SessionState['terminals']): ToolCallPatch | undefined {
  const settled = isSettled(old);
  const patch: { -readonly [K in keyof ToolCallPatch]: ToolCallPatch[K] } = {};
  if (isFinalStatus(replayed.status) && replayed.status !== old.status && !(settled && replayed.status === 'cancelled')) {
    patch.status = replayed.status;
  }
  for (const field of ['title', 'name', 'rawInput', 'rawOutput'] as const) {
    if (replayed[field] !== undefined && (old[field] === undefined || (!settled && !isEqual(old[field], replayed[field])))) {
      (patch as Record<string, unknown>)[field] = replayed[field];
    }
  }
  if (replayed.toolKind !== 'other' && replayed.toolKind !== old.toolKind && (!settled || old.toolKind === 'other')) {
    patch.kind = replayed.toolKind;
  }
  const locations = replayed.locations.filter((location) => !old.locations.some((each) => isEqual(each, location)));
  if (locations.length > 0 && (!settled || old.locations.length === 0)) {
    patch.locations = [...old.locations, ...locations];
  }
  const content = mergedContent(old.content, replayed.content, terminals);
  if (content) {
    patch.content = content;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** True when the agent has reported how the call ended, so that the record is complete. */
function isSettled({ status }: ToolCallEntry): boolean {
  return status === 'completed' || status === 'failed';
}

/** Returns the agent's own id. An id that the agent uses again has our suffix (`acp/v1/toolCallIds`). */
function agentId(toolCallId: string): string {
  return toolCallId.replace(/(?<=.)~[\d.a-z-]+$/, '');
}

function titleKey({ title = '', toolKind }: ToolCallEntry): string {
  return `${toolKind} ${title}`;
}

function isCompatible(old: ToolCallEntry, replayed: ToolCallEntry): boolean {
  return replayed.title === undefined || old.title === undefined || replayed.title === old.title || old.toolCallId === replayed.toolCallId;
}

function add(lists: Map<string, number[]>, key: string, index: number): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(index);
}

/** The most calls that are compared with one. An agent may give thousands of calls the same id. */
const MAX_COMPARED = 200;

function firstIn(ascending: readonly number[], from: number, end: number, is: (index: number) => boolean): number | undefined {
  const start = lowerBound(ascending, from);
  for (let at = start; at < Math.min(ascending.length, start + MAX_COMPARED) && ascending[at]! < end; at++) {
    if (is(ascending[at]!)) {
      return ascending[at];
    }
  }
  return undefined;
}

/** Returns the record's content with additions of the replay; undefined when there are none. */
function mergedContent(
  old: readonly ToolContent[],
  replayed: readonly ToolContent[],
  terminals: SessionState['terminals'],
): readonly ToolContent[] | undefined {
  let merged = old;
  for (const block of replayed) {
    const text = plainText(block);
    if (text === undefined ? merged.some((each) => isSameContent(each, block)) : isIncluded(merged, text, terminals)) {
      continue;
    }
    const begun = text === undefined ? -1 : merged.findIndex((each) => text.startsWith(plainText(each) ?? '\u0000'));
    merged = begun >= 0 ? merged.with(begun, block) : [...merged, block];
  }
  return merged === old ? undefined : merged;
}

/** True when the record shows this text already, also as the output of a command. */
function isIncluded(content: readonly ToolContent[], text: string, terminals: SessionState['terminals']): boolean {
  const letters = lettersOf(text);
  return content.some((each) => {
    const shown = each.type === 'terminal' ? terminals[each.terminalId]?.output : plainText(each);
    return shown !== undefined && lettersOf(shown).includes(letters);
  });
}

function plainText(block: ToolContent): string | undefined {
  return block.type === 'content' && block.content.type === 'text' ? block.content.text : undefined;
}

function isSameContent(one: ToolContent, other: ToolContent): boolean {
  if (one.type === 'diff' && other.type === 'diff') {
    return other.changes.every((change) => one.changes.some((each) => isEqual(withoutLine(each), withoutLine(change))));
  }
  return isEqual(one, other);
}

/** The host finds the line later, so the replay does not have it. */
function withoutLine({ line: _, ...change }: FileChange): unknown {
  return change;
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

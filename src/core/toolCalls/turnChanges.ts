/**
 * Derives the files that a turn changed from its finished tool calls and the files written for the agent. The host computes them once, after the turn
 * has ended, and sends them in an event: a view does not have the bodies that this takes.
 */
import type { FileChange } from '../model/content';
import type { SessionEvent, TurnChangesCounted, WithoutTime } from '../model/event';
import { withSubagents } from '../fileChanges/fileAuthors';
import { type CountBudget, type LineCounts, lineCounts } from '../fileChanges/lineCounts';
import { entryIdOf, isAbsent, type SessionState, type Slot, type ToolCallEntry, type TurnEntry } from '../model/state';
import { subagentsIn } from '../subagents/subagentTree';
import type { TurnFile } from '../fileChanges/turnFiles';

export const MAX_TURN_FILES = 200;

/** The budget for all counts of a turn together: a few tens of milliseconds at most. */
const UNITS = 8 * 1024 * 1024;
const STEPS = 2_000_000;

/** Returns undefined when no such turn has ended, when it changed nothing, or when its changes are already known. */
export function turnChanges(state: SessionState, turnId: string): WithoutTime<TurnChangesCounted> | undefined {
  const run = turnChangesInSteps(state, turnId);
  let step = run.next();
  while (!step.done) {
    step = run.next();
  }
  return step.value;
}

/** Does the work of {@link turnChanges} file by file, so that the caller can yield in between. */
export function* turnChangesInSteps(state: SessionState, turnId: string): Generator<void, WithoutTime<TurnChangesCounted> | undefined> {
  const index = state.entries.indexOf(entryIdOf.turn(turnId));
  const turn = turnAt(state, index);
  if (!turn || turn.changes) {
    return undefined;
  }
  const budget: CountBudget = { units: UNITS, steps: STEPS };
  const touched = touchedFiles(state, index, turn.startedAt);
  const { written = [] } = turn;
  if (touched.size === 0 && written.length === 0) {
    return undefined;
  }
  const files: TurnFile[] = [];
  for (const file of touched.values()) {
    const isWritten = written.find(({ path }) => path === file.path);
    files.push(...(yield* summary(file, budget)).map((each) => ({ ...each, ...withSubagents(each, isWritten) })));
    yield;
  }
  files.push(...written.filter(({ path }) => !touched.has(path)));
  const more = files.length - MAX_TURN_FILES;
  return { type: 'turn_changes', turnId, changes: { files: files.slice(0, MAX_TURN_FILES), ...(more > 0 && { more }) } };
}

/** The running turn when `event` ends it. */
export function turnEndedBy({ turn }: Pick<SessionState, 'turn'>, event: SessionEvent): string | undefined {
  return turn && endsTurn(event, turn.turnId) ? turn.turnId : undefined;
}

/** Returns the change of one file over a whole turn, for the diff editor; undefined when its text was not reported. */
export function turnFileChange(state: SessionState, entryId: string, fileIndex: number): TurnFileChange | undefined {
  const index = state.entries.indexOf(entryId);
  const turn = turnAt(state, index);
  const file = turn?.changes?.files[fileIndex];
  const touched = file && touchedFiles(state, index, turn.startedAt).get(file.path);
  if (!file || !touched || touched.passages.length === 0) {
    return undefined;
  }
  const { passages } = touched;
  const change = { operation: file.operation, path: file.path, ...(file.oldPath !== undefined && { oldPath: file.oldPath }) };
  const reported =
    passages.length === 1
      ? { ...change, ...passages[0]! }
      : { ...change, oldText: apart(passages.map(({ oldText }) => oldText ?? '')), newText: apart(passages.map(({ newText }) => newText)) };
  return { change: reported, passages };
}

export interface TurnFileChange {
  /** The passages joined in the order in which they were reported. */
  readonly change: FileChange;
  /** The replaced texts, in the order of the edits. */
  readonly passages: readonly Passage[];
}

function turnAt({ entries }: SessionState, index: number): TurnEntry | undefined {
  const slot = index < 0 ? undefined : entries.at(index);
  return slot && !isAbsent(slot) && slot.kind === 'turn' ? slot : undefined;
}

/** Joins passages whose position in the file is not known, with a separator line between them. */
function apart(texts: readonly string[]): string {
  return texts.map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join('⋯\n');
}

function endsTurn(event: SessionEvent, turnId: string): boolean {
  switch (event.type) {
    case 'turn_ended':
      return event.turnId === turnId;
    case 'disconnected':
    case 'session_failed':
    case 'session_ended':
      return true;
    default:
      return false;
  }
}

/** `oldText` is null when the file did not exist before. */
interface Passage {
  readonly oldText: string | null;
  readonly newText: string;
}

interface Touched {
  readonly path: string;
  oldPath: string | undefined;
  first: string;
  last: string;
  /** The replaced texts. An edit that begins with the result of the edit before it is merged with that edit. */
  readonly passages: Passage[];
  /** Line counts from patches. */
  patched: { added: number; removed: number } | undefined;
  /** True when at least one of its changes was reported without any text. */
  unreported: boolean;
  /** The subagents that reported one of its changes. */
  readonly subagents: Set<string>;
}

/** A tool call. `subagentId`: the subagent that made it. */
interface ReportedCall {
  readonly call: ToolCallEntry;
  readonly subagentId?: string;
}

/** Returns the touched files by path. @param end the index after the turn's last entry */
function touchedFiles(state: SessionState, end: number, startedAt: number): Map<string, Touched> {
  const calls: ReportedCall[] = [];
  for (let index = end - 1; index >= 0; index--) {
    const slot = state.entries.at(index)!;
    if (isAbsent(slot) || slot.kind === 'turn' || slot.at < startedAt) {
      break;
    }
    if (slot.kind === 'tool_call' && slot.status === 'completed') {
      calls.push({ call: slot });
    }
  }
  const endedAt = state.entries.at(end)?.kind === 'turn' ? turnAt(state, end)!.at : Infinity;
  const inside = (call: ToolCallEntry): boolean => call.at >= startedAt && call.at <= endedAt && call.status === 'completed';
  const children = subagentsIn(state).flatMap(({ subagentId, conversation }) =>
    callsSince(conversation, startedAt)
      .filter(inside)
      .map((call): ReportedCall => ({ call, subagentId })),
  );
  const files = new Map<string, Touched>();
  for (const { call, subagentId } of [...calls.reverse(), ...children].sort((one, other) => one.call.at - other.call.at)) {
    const diffs = call.content.filter((content) => content.type === 'diff');
    for (const { changes, patch } of diffs) {
      for (const change of changes) {
        touch(files, change, changes.length === 1 ? patch : undefined, subagentId);
      }
    }
    if (diffs.length === 0 && (call.toolKind === 'edit' || call.toolKind === 'delete')) {
      const operation = call.toolKind === 'edit' ? 'modify' : 'delete';
      call.locations.forEach(({ path }) => touch(files, { operation, path }, undefined, subagentId));
    }
  }
  return files;
}

/** Returns the tool calls since this time. Reads no older body that is swapped out. */
function callsSince({ entries }: SessionState, startedAt: number): ToolCallEntry[] {
  const calls: ToolCallEntry[] = [];
  for (let index = entries.length - 1; index >= 0; index--) {
    const slot = entries.peek(index) ?? (entries.headAt(index)!.kind === 'tool_call' ? entries.at(index) : undefined);
    if (slot && !isAbsent(slot) && slot.at < startedAt) {
      break;
    }
    if (slot && isToolCall(slot)) {
      calls.push(slot);
    }
  }
  return calls.reverse();
}

function isToolCall(slot: Slot): slot is ToolCallEntry {
  return slot.kind === 'tool_call' && !isAbsent(slot);
}

function touch(
  files: Map<string, Touched>,
  { path, oldPath, operation, oldText, newText }: FileChange,
  patch: string | undefined,
  subagentId: string | undefined,
): void {
  const moved = operation === 'move' && oldPath !== undefined ? files.get(oldPath) : undefined;
  const file: Touched = files.get(path) ?? {
    path,
    oldPath,
    first: operation,
    last: operation,
    passages: [],
    patched: undefined,
    unreported: false,
    subagents: new Set(),
    ...(moved && { ...moved, path, oldPath: moved.oldPath ?? oldPath }),
  };
  if (moved) {
    files.delete(oldPath!);
  }
  file.last = operation;
  files.set(path, file);
  if (subagentId !== undefined) {
    file.subagents.add(subagentId);
  }
  if ((oldText ?? newText) !== undefined) {
    const before = file.passages.at(-1);
    const passage = { oldText: oldText ?? null, newText: newText ?? '' };
    if (before && before.newText === (oldText ?? undefined)) {
      file.passages[file.passages.length - 1] = { oldText: before.oldText, newText: passage.newText };
    } else {
      file.passages.push(passage);
    }
  } else if (patch !== undefined) {
    const counts = patchCounts(patch);
    file.patched = { added: (file.patched?.added ?? 0) + counts.added, removed: (file.patched?.removed ?? 0) + counts.removed };
  } else if (operation !== 'move') {
    file.unreported = true;
  }
}

/** Yields between passages. Returns an empty list when the changes cancel each other out. */
function* summary(
  { path, oldPath, first, last, passages, patched, unreported, subagents }: Touched,
  budget: CountBudget,
): Generator<void, readonly TurnFile[]> {
  const isMade = first === 'add';
  const isReported = !unreported && !patched && passages.length > 0;
  if (
    (isMade && last === 'delete') ||
    (isReported && first === 'modify' && last === 'modify' && passages.every(({ oldText, newText }) => oldText === newText))
  ) {
    return [];
  }
  const operation = isMade ? 'add' : last;
  const counts = unreported ? undefined : yield* sum(passages, patched, budget);
  return [
    {
      path,
      ...(oldPath !== undefined && { oldPath }),
      operation,
      ...counts,
      ...(passages.length > 0 && { hasText: true as const }),
      ...(subagents.size > 0 && { subagents: [...subagents] }),
    },
  ];
}

/** Yields after each passage: one of them may take most of the budget. */
function* sum(passages: readonly Passage[], patched: LineCounts | undefined, budget: CountBudget): Generator<void, LineCounts | undefined> {
  let { added, removed } = patched ?? { added: 0, removed: 0 };
  for (const { oldText, newText } of passages) {
    const counts = lineCounts(oldText ?? '', newText, budget);
    if (!counts) {
      return undefined;
    }
    added += counts.added;
    removed += counts.removed;
    yield;
  }
  return { added, removed };
}

/** Counts the lines of a patch of one file. */
function patchCounts(patch: string): LineCounts {
  let added = 0;
  let removed = 0;
  let inHunk = false;
  for (const line of patch.split('\n')) {
    inHunk ||= line.startsWith('@@');
    added += inHunk && line.startsWith('+') ? 1 : 0;
    removed += inHunk && line.startsWith('-') ? 1 : 0;
  }
  return { added, removed };
}

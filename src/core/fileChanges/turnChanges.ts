/**
 * What a turn did to files, told by its finished tool calls and by what was written for the agent. The host works it out once, after the turn has
 * ended, and tells it in an event: a view has not the bodies that it is made of.
 */
import type { FileChange } from '../model/content';
import type { SessionEvent, TurnChangesCounted, Unstamped } from '../model/event';
import { type CountBudget, type LineCounts, lineCounts } from './lineCounts';
import { entryIdOf, isAbsent, type SessionState, type ToolCallEntry, type TurnEntry } from '../model/state';
import type { TurnFile } from './turnFiles';

export const MOST_TURN_FILES = 200;

/** All of a turn's counts together: a few tens of milliseconds at the worst. */
const UNITS = 8 * 1024 * 1024;
const STEPS = 2_000_000;

/** Undefined where nothing was changed, or nothing more is to be said: no such turn has ended, or its changes are known. */
export function turnChanges(state: SessionState, turnId: string): Unstamped<TurnChangesCounted> | undefined {
  const run = turnChangesInSteps(state, turnId);
  let step = run.next();
  while (!step.done) {
    step = run.next();
  }
  return step.value;
}

/** As {@link turnChanges}, file by file: whoever runs it can give way in between. */
export function* turnChangesInSteps(state: SessionState, turnId: string): Generator<void, Unstamped<TurnChangesCounted> | undefined> {
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
    files.push(...(yield* summary(file, budget)));
    yield;
  }
  files.push(...written.filter(({ path }) => !touched.has(path)));
  const more = files.length - MOST_TURN_FILES;
  return { type: 'turn_changes', turnId, changes: { files: files.slice(0, MOST_TURN_FILES), ...(more > 0 && { more }) } };
}

/** The running turn when `event` ends it. */
export function turnEndedBy({ turn }: Pick<SessionState, 'turn'>, event: SessionEvent): string | undefined {
  return turn && endsTurn(event, turn.turnId) ? turn.turnId : undefined;
}

/** The change of one file over a whole turn, for the diff editor; undefined when its text was not told. */
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
  const told =
    passages.length === 1
      ? { ...change, ...passages[0]! }
      : { ...change, oldText: apart(passages.map(({ oldText }) => oldText ?? '')), newText: apart(passages.map(({ newText }) => newText)) };
  return { change: told, passages };
}

export interface TurnFileChange {
  /** Its passages one after the other, as they were told. */
  readonly change: FileChange;
  /** What was replaced by what, in the order in which it was. */
  readonly passages: readonly Passage[];
}

function turnAt({ entries }: SessionState, index: number): TurnEntry | undefined {
  const slot = index < 0 ? undefined : entries.at(index);
  return slot && !isAbsent(slot) && slot.kind === 'turn' ? slot : undefined;
}

/** Of passages whose place in the file is not known, each stands for itself. */
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

/** `null`: there was no file before. */
interface Passage {
  readonly oldText: string | null;
  readonly newText: string;
}

interface Touched {
  readonly path: string;
  oldPath: string | undefined;
  first: string;
  last: string;
  /** What was replaced by what. An edit that goes on from where the one before it ended is one with it. */
  readonly passages: Passage[];
  /** Counted from patches. */
  patched: { added: number; removed: number } | undefined;
  /** Some of its changes were told without any text. */
  untold: boolean;
}

/** By path. `end`: the index after the turn's last entry. */
function touchedFiles(state: SessionState, end: number, startedAt: number): Map<string, Touched> {
  const calls: ToolCallEntry[] = [];
  for (let index = end - 1; index >= 0; index--) {
    const slot = state.entries.at(index)!;
    if (isAbsent(slot) || slot.kind === 'turn' || slot.at < startedAt) {
      break;
    }
    if (slot.kind === 'tool_call' && slot.status === 'completed') {
      calls.push(slot);
    }
  }
  const files = new Map<string, Touched>();
  for (const call of calls.reverse()) {
    const diffs = call.content.filter((content) => content.type === 'diff');
    for (const { changes, patch } of diffs) {
      for (const change of changes) {
        touch(files, change, changes.length === 1 ? patch : undefined);
      }
    }
    if (diffs.length === 0 && (call.toolKind === 'edit' || call.toolKind === 'delete')) {
      const operation = call.toolKind === 'edit' ? 'modify' : 'delete';
      call.locations.forEach(({ path }) => touch(files, { operation, path }, undefined));
    }
  }
  return files;
}

function touch(files: Map<string, Touched>, { path, oldPath, operation, oldText, newText }: FileChange, patch: string | undefined): void {
  const moved = operation === 'move' && oldPath !== undefined ? files.get(oldPath) : undefined;
  const file: Touched = files.get(path) ?? {
    path,
    oldPath,
    first: operation,
    last: operation,
    passages: [],
    patched: undefined,
    untold: false,
    ...(moved && { ...moved, path, oldPath: moved.oldPath ?? oldPath }),
  };
  if (moved) {
    files.delete(oldPath!);
  }
  file.last = operation;
  files.set(path, file);
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
    file.untold = true;
  }
}

/** None when all of it was taken back again. */
function* summary(
  { path, oldPath, first, last, passages, patched, untold }: Touched,
  budget: CountBudget,
): Generator<void, readonly TurnFile[]> {
  const isMade = first === 'add';
  const isTold = !untold && !patched && passages.length > 0;
  if (
    (isMade && last === 'delete') ||
    (isTold && first === 'modify' && last === 'modify' && passages.every(({ oldText, newText }) => oldText === newText))
  ) {
    return [];
  }
  const operation = isMade ? 'add' : last;
  const counts = untold ? undefined : yield* sum(passages, patched, budget);
  return [
    { path, ...(oldPath !== undefined && { oldPath }), operation, ...counts, ...(passages.length > 0 && { hasText: true as const }) },
  ];
}

/** Each passage is a step: one of them may take most of the budget. */
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

/** Of a patch of one file. */
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

/** Checks hunks that are read from the disk. An undo writes their old texts into the user's file, so their ranges must fit the text. */
import type { Hunk, SetAsideHunk } from '../../core/fileChanges/hunks';
import { isCount as isOffset, isObject, type Fields } from '../store/storedStates';
import type { StoredHunks } from './liveHunks';

const STATUSES: readonly unknown[] = ['undone', 'reverted', 'stale', 'overwritten', 'changed'] satisfies readonly SetAsideHunk['status'][];

/**
 * Builds hunks again from the known properties.
 * @param length of their text in UTF-16 units; absent where the text is not known yet
 * @returns undefined when one of them is not valid, or is out of order
 */
export function storedHunks(value: unknown, length = Number.MAX_SAFE_INTEGER): StoredHunks | undefined {
  if (!isObject(value) || !Array.isArray(value['hunks']) || !Array.isArray(value['setAside'])) {
    return undefined;
  }
  const hunks = all(value['hunks'], (each) => hunkIn(each, length));
  const setAside = all(value['setAside'], (each) => setAsideIn(each, length));
  if (!hunks || !setAside || !hunks.every(({ start }, index) => index === 0 || start >= hunks[index - 1]!.end)) {
    return undefined;
  }
  const ids = new Set(hunks.map(({ hunkId }) => hunkId));
  const nextId = [...hunks, ...setAside].reduce(
    (next, { hunkId }) => Math.max(next, hunkId + 1),
    isId(value['nextId']) ? value['nextId'] : 1,
  );
  return ids.size === hunks.length ? { nextId, hunks, setAside } : undefined;
}

function hunkIn(value: unknown, length: number): Hunk | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { hunkId, start, end, oldText, reviewed, edited, by, agentText } = value;
  const isPlaced = isOffset(start) && isOffset(end) && start <= end && end <= length;
  if (!isId(hunkId) || !isPlaced || typeof oldText !== 'string') {
    return undefined;
  }
  const turns = Array.isArray(by) && by.every((each) => typeof each === 'string') ? (by as readonly string[]) : [];
  const marks = { reviewed: reviewed === true, edited: edited === true, by: turns };
  return { hunkId, start, end, oldText, ...marks, ...(typeof agentText === 'string' && { agentText }) };
}

function setAsideIn(value: unknown, length: number): SetAsideHunk | undefined {
  const hunk = hunkIn(value, length);
  if (!hunk) {
    return undefined;
  }
  const { newText, placed, status, byUser } = value as Fields;
  return typeof newText === 'string' && STATUSES.includes(status)
    ? { ...hunk, newText, placed: placed === true, status: status as SetAsideHunk['status'], ...(byUser === true && { byUser }) }
    : undefined;
}

/** Returns undefined when one of the values is not valid. */
function all<T>(values: readonly unknown[], read: (value: unknown) => T | undefined): readonly T[] | undefined {
  const valid = values.flatMap((each) => read(each) ?? []);
  return valid.length === values.length ? valid : undefined;
}

/** True for an id far below the number at which adding one has no effect. */
function isId(value: unknown): value is number {
  return isOffset(value) && value < Number.MAX_SAFE_INTEGER / 2;
}

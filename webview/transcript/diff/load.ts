/** Differences, computed when first looked at, a few at a time, and kept as long as the change they belong to. */
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { FileChange } from '../../../src/core/model/content';
import type { FileDiff } from './hunks';

export type Diffed = FileDiff | 'too_large' | 'no_text';

/** UTF-16 units of both texts above which no difference is shown here; the diff editor has no such bound. */
const MAX_TEXT = 512 * 1024;

/** ms of differences in a row, after which the page gets a turn. */
const SLICE = 8;

const known = new WeakMap<FileChange, Promise<Diffed> | Diffed>();
const waiting: (() => void)[] = [];

function diffed(change: FileChange): Promise<Diffed> | Diffed {
  const found = known.get(change);
  if (found !== undefined) {
    return found;
  }
  const started = compute(change);
  known.set(change, started);
  if (started instanceof Promise) {
    void started.then((diff) => known.set(change, diff));
  }
  return started;
}

function compute(change: FileChange): Promise<Diffed> | Diffed {
  const oldText = change.oldText ?? '';
  const newText = change.newText ?? '';
  if ((change.oldText ?? undefined) === undefined && change.newText === undefined) {
    return 'no_text';
  }
  if (oldText.length + newText.length > MAX_TEXT) {
    return 'too_large';
  }
  return import('./hunks').then(({ diffOf }) => new Promise((resolve) => inTurn(() => resolve(diffOf(oldText, newText)))));
}

function inTurn(work: () => void): void {
  // Soon, and not at once: those that are asked for together are worked off together.
  if (waiting.push(work) === 1) {
    queueMicrotask(drainQueue);
  }
}

function drainQueue(): void {
  const end = performance.now() + SLICE;
  do {
    waiting[0]!();
    waiting.shift();
  } while (waiting.length > 0 && performance.now() < end);
  if (waiting.length > 0) {
    setTimeout(drainQueue);
  }
}

/** Undefined until it is known. */
export function useDiff(change: FileChange | undefined): Diffed | undefined {
  return useDiffs(change ? [change] : [])[0];
}

/** Each undefined until it is known. Of a change that is told anew, as with each status of its call, the former stays until then: nothing blinks. */
export function useDiffs(changes: readonly FileChange[]): readonly (Diffed | undefined)[] {
  const now = changes.map(diffed);
  const shown = useRef<readonly (Diffed | undefined)[]>([]);
  const told = useRef(changes);
  const [, again] = useReducer<number, void>((count) => count + 1, 0);
  // Before the page is painted: what is compared by then is seen at once.
  useLayoutEffect(() => {
    let stopped = false;
    const pending = now.filter((each) => each instanceof Promise);
    if (pending.length > 0) {
      void Promise.all(pending).then(() => stopped || again());
    }
    return () => void (stopped = true);
  }, changes);
  const before = { changes: told.current, diffs: shown.current };
  told.current = changes;
  shown.current = now.map((each, index) =>
    each instanceof Promise ? (before.changes[index]?.path === changes[index]!.path ? before.diffs[index] : undefined) : each,
  );
  return shown.current;
}

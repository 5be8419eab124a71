/** Computes differences when they are first shown, a few at a time, and caches each as long as its change exists. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FileChange } from '../../../src/core/model/content';
import { useForceUpdate } from '../../base/memo';
import { alignedTexts } from '../../../src/core/toolCalls/fitOfChange';
import type { FileDiff } from './hunks';

export type Diffed = FileDiff | 'too_large' | 'no_text';

/** UTF-16 units of both texts. Longer texts have no difference here; the diff editor has no such limit. */
const MAX_TEXT = 512 * 1024;

/** ms of continuous work, after which the page can render. */
const SLICE = 8;

const known = new WeakMap<FileChange, Promise<Diffed> | Diffed>();
const waiting: (() => void)[] = [];

const aligned = new WeakMap<FileChange, FileChange>();

/** Returns the change with its texts for display, see `alignedTexts`. Returns the same object for the same change. */
export function shownChange(change: FileChange): FileChange {
  if (!change.context && change.fileText === undefined && !change.lineParts) {
    return change;
  }
  const found = aligned.get(change) ?? {
    ...change,
    ...alignedTexts(change),
    context: undefined,
    fileText: undefined,
    lineParts: undefined,
  };
  aligned.set(change, found);
  return found;
}

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
  // Deferred, so that differences requested together are computed together.
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

/** Undefined until the difference is computed. */
export function useDiff(change: FileChange | undefined): Diffed | undefined {
  return useDiffs(change ? [change] : [])[0];
}

/**
 * Returns the differences, each undefined until it is computed. When a change is sent again, as with each status of its call, the previous difference
 * stays until then, so that nothing flickers.
 */
export function useDiffs(changes: readonly FileChange[]): readonly (Diffed | undefined)[] {
  const now = changes.map(diffed);
  const shown = useRef<readonly (Diffed | undefined)[]>([]);
  const told = useRef(changes);
  const forceUpdate = useForceUpdate();
  // Runs before the paint, so that a difference computed by then is shown at once.
  useLayoutEffect(() => {
    let stopped = false;
    const pending = now.filter((each) => each instanceof Promise);
    if (pending.length > 0) {
      void Promise.all(pending).then(() => stopped || forceUpdate());
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

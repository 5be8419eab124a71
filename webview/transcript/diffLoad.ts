/** Differences, computed when first looked at and kept as long as the change they belong to. */
import { useEffect, useState } from 'preact/hooks';
import type { FileChange } from '../../src/core/content';
import type { FileDiff } from './diffHunks';

export type Diffed = FileDiff | 'too_large' | 'no_text';

/** UTF-16 units of both texts above which no difference is shown here; the diff editor has no such bound. */
const MAX_TEXT = 512 * 1024;

const known = new WeakMap<FileChange, Promise<Diffed> | Diffed>();

function diffed(change: FileChange): Promise<Diffed> | Diffed {
  const found = known.get(change);
  if (found !== undefined) return found;
  const started = compute(change);
  known.set(change, started);
  if (started instanceof Promise) void started.then((diff) => known.set(change, diff));
  return started;
}

function compute(change: FileChange): Promise<Diffed> | Diffed {
  const oldText = change.oldText ?? '';
  const newText = change.newText ?? '';
  if ((change.oldText ?? undefined) === undefined && change.newText === undefined) return 'no_text';
  if (oldText.length + newText.length > MAX_TEXT) return 'too_large';
  return import('./diffHunks').then(({ diffOf }) => diffOf(oldText, newText) ?? 'too_large');
}

/** Undefined until it is known. */
export function useDiff(change: FileChange | undefined): Diffed | undefined {
  const now = change && diffed(change);
  const [, setDone] = useState<FileChange>();
  useEffect(() => {
    if (now instanceof Promise) void now.then(() => setDone(change));
  }, [change]);
  return now instanceof Promise ? undefined : now;
}

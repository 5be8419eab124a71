/** A page of entries: rendered while it is near the screen, otherwise a space of its height. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isAbsent } from '../../../src/core/model/state';
import { useView } from '../../state/context';
import { memo } from '../../base/memo';
import { entriesChunk } from './lazyEntries';
import { excludeFromScrollAnchoring } from './anchor';
import type { VisibilityObserver } from './visibilityObserver';
import { type Page, estimatedHeight } from './pages';

interface Props {
  readonly page: Page;
  /** The newest pages are always rendered, so that the end can be followed. */
  readonly always: boolean;
  readonly nearby: () => VisibilityObserver | undefined;
  /** The rendered pages, for a resync. */
  readonly rendered: Set<Page>;
}

export const PageView = memo(function PageView({ page, always, nearby, rendered }: Props) {
  const { mirror } = useView();
  // The transcript is rendered only after this module is loaded.
  const Entries = entriesChunk.value?.PageEntries;
  const element = useRef<HTMLDivElement>(null);
  const height = useRef<number>();
  const [near, setNear] = useState(always);
  const shown = near || always;

  useLayoutEffect(
    () =>
      nearby()?.watch(element.current!, (isNear, measured) => {
        if (!isNear && isInUse(element.current!)) {
          return;
        }
        if (!isNear && element.current!.childElementCount > 0) {
          height.current = measured;
        }
        setNear(isNear);
      }),
    [],
  );
  useLayoutEffect(() => {
    const guess = height.current ?? page.slots.reduce((sum, slot) => sum + estimatedHeight(slot), 0);
    element.current!.style.height = shown ? '' : `${guess}px`;
  }, [shown, shown || page]);
  useLayoutEffect(() => (shown ? undefined : excludeFromScrollAnchoring(element.current!)), [shown]);
  useLayoutEffect(() => {
    if (!shown) {
      return undefined;
    }
    rendered.add(page);
    const absent = page.slots.filter(isAbsent);
    if (absent.length > 0) {
      mirror.want(absent.map((slot) => slot.entryId));
    }
    return () => void rendered.delete(page);
  }, [shown, page]);

  return (
    <div class="page" ref={element}>
      {shown && Entries && <Entries slots={page.slots} />}
    </div>
  );
});

/** A page with the focus or a selection stays rendered. */
function isInUse(element: Element): boolean {
  const active = document.activeElement;
  if (active !== document.body && element.contains(active)) {
    return true;
  }
  const selection = document.getSelection();
  return selection?.type === 'Range' && selection.containsNode(element, true);
}

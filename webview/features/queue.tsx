/** The messages that wait for the agent. */
import { useLayoutEffect } from 'preact/hooks';
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { queueChunk } from '../queue/lazyQueue';
import { useSelect } from '../state/context';

function LazyQueue(props: FooterProps) {
  const isEmpty = useSelect((state) => state.queue.length === 0);
  const chunk = useLazy(queueChunk);
  useLayoutEffect(() => {
    if (!isEmpty) {
      void queueChunk.load();
    }
  }, [isEmpty]);
  // The component is rendered even for an empty queue, because it moves the focus when the last message is gone.
  return chunk ? <chunk.QueueView {...props} /> : null;
}

export default { Footer: LazyQueue, order: 30 } satisfies PageFeature;

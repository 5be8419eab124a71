/** The messages that wait for the agent. */
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { queueChunk } from '../queue/lazyQueue';
import { useSelect } from '../state/context';

function LazyQueue(props: FooterProps) {
  const hasMessages = useSelect((state) => state.queue.length > 0);
  const chunk = useLazy(queueChunk, hasMessages);
  // The component is rendered even for an empty queue, because it moves the focus when the last message is gone.
  return chunk ? <chunk.QueueView {...props} /> : null;
}

export default { Footer: LazyQueue, order: 30 } satisfies PageFeature;

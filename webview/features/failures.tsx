/** The banner of an agent that does not respond. */
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { unresponsiveChunk } from '../failures/lazyUnresponsive';

function LazyUnresponsive(props: FooterProps) {
  const chunk = useLazy(unresponsiveChunk);
  return chunk ? <chunk.Unresponsive {...props} /> : null;
}

export default { Footer: LazyUnresponsive, order: 10 } satisfies PageFeature;

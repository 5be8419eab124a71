/** The banner of an agent that does not respond. */
import { isUnresponsive } from '../../src/core/model/select';
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { unresponsiveChunk } from '../failures/lazyUnresponsive';
import { useSelect } from '../state/context';

function LazyUnresponsive(props: FooterProps) {
  const chunk = useLazy(unresponsiveChunk, useSelect(isUnresponsive));
  return chunk ? <chunk.Unresponsive {...props} /> : null;
}

export default { Footer: LazyUnresponsive, order: 10 } satisfies PageFeature;

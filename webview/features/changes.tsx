/** The changes that wait for review. */
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { changesChunk } from '../changes/lazyChangesBar';

function LazyChangesBar(props: FooterProps) {
  const chunk = useLazy(changesChunk);
  return chunk ? <chunk.ChangesBar {...props} /> : null;
}

export default { Footer: LazyChangesBar, order: 40 } satisfies PageFeature;

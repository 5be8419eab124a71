/** The changes that wait for review, and those of the running turn. */
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { changesChunk } from '../changes/lazyChangesBar';
import { useSelect } from '../state/context';

function LazyChangesBar(props: FooterProps) {
  const hasChanges = useSelect((state) => state.pendingChanges !== undefined || state.runningChanges !== undefined);
  const chunk = useLazy(changesChunk, hasChanges);
  return chunk ? (
    <>
      <chunk.RunningBar {...props} />
      <chunk.ChangesBar {...props} />
    </>
  ) : null;
}

export default { Footer: LazyChangesBar, order: 40 } satisfies PageFeature;

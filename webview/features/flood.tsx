/** Many questions at once. */
import { useRef } from 'preact/hooks';
import { floodOf } from '../../src/core/approval/questionFlood';
import type { PermissionEntry } from '../../src/core/model/state';
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { useSelect } from '../state/context';
import { floodChunk } from '../composer/lazyFloodCard';

function LazyFloodCard(props: FooterProps) {
  const kept = useRef<readonly PermissionEntry[]>([]);
  const questions = useSelect((state) => {
    const now = floodOf(state);
    const isSame = now.length === kept.current.length && now.every((question, index) => question === kept.current[index]);
    return isSame ? kept.current : (kept.current = now);
  });
  const chunk = useLazy(floodChunk, questions.length > 0);
  // The component is rendered even without questions, because it moves the focus when the list is gone.
  return chunk ? <chunk.FloodCard questions={questions} {...props} /> : null;
}

export default { Footer: LazyFloodCard, order: 35 } satisfies PageFeature;

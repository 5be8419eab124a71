/** The work in the background. */
import type { FooterProps, PageFeature } from '../base/feature';
import { useLazy } from '../base/lazy';
import { useSelect } from '../state/context';
import { taskChunk } from '../tasks/lazyTasks';

function LazyTasks(props: FooterProps) {
  const isNeeded = useSelect(
    ({ backgroundTasks, background, terminals }) =>
      backgroundTasks !== undefined || !!background?.length || Object.values(terminals).some((terminal) => terminal.background),
  );
  const chunk = useLazy(taskChunk, isNeeded);
  // The component is rendered even for an empty list, because it moves the focus when the last task is gone.
  return chunk ? <chunk.TaskList {...props} /> : null;
}

export default { Footer: LazyTasks, order: 25 } satisfies PageFeature;

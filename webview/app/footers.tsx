/** The parts between the conversation and the message box, from top to bottom. A new feature adds a line with its module. */
import type { ComponentType } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useSelect } from '../state/context';
import { useLazy } from '../base/lazy';
import { controlsChunk, conversationChunk, queueChunk, taskChunk } from './chunks';

interface FooterProps {
  /** Puts the focus into the message box. */
  readonly leave: () => void;
}

type Footer = ComponentType<FooterProps>;

export const footers: readonly Footer[] = [LazyUnresponsive, LazyPlans, LazyTasks, LazyQueue, LazyChangesBar];

function LazyUnresponsive(props: FooterProps) {
  const parts = useLazy(controlsChunk);
  return parts ? <parts.Unresponsive {...props} /> : null;
}

function LazyPlans() {
  const parts = useLazy(conversationChunk);
  return parts ? <parts.Plans /> : null;
}

function LazyTasks(props: FooterProps) {
  const isNeeded = useSelect(
    (state) => (state.backgroundTasks ?? Object.values(state.terminals).some(({ background }) => background)) !== false,
  );
  const parts = useLazy(taskChunk);
  useLayoutEffect(() => {
    if (isNeeded) {
      void taskChunk.load();
    }
  }, [isNeeded]);
  // The component is rendered even for an empty list, because it moves the focus when the last task is gone.
  return parts ? <parts.TaskList {...props} /> : null;
}

function LazyQueue(props: FooterProps) {
  const isEmpty = useSelect((state) => state.queue.length === 0);
  const parts = useLazy(queueChunk);
  useLayoutEffect(() => {
    if (!isEmpty) {
      void queueChunk.load();
    }
  }, [isEmpty]);
  // The component is rendered even for an empty queue, because it moves the focus when the last message is gone.
  return parts ? <parts.QueueView {...props} /> : null;
}

function LazyChangesBar(props: FooterProps) {
  const parts = useLazy(controlsChunk);
  return parts ? <parts.ChangesBar {...props} /> : null;
}

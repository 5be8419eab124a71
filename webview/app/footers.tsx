/** The parts between the conversation and the message box, from top to bottom. A new feature adds a line with its module. */
import type { ComponentType } from 'preact';
import { isUnresponsive } from '../../src/core/model/select';
import { useSelect } from '../state/context';
import { useLazy } from '../base/lazy';
import { controlsChunk, conversationChunk, queueChunk } from './chunks';

interface FooterProps {
  /** Puts the focus into the message box. */
  readonly leave: () => void;
}

type Footer = ComponentType<FooterProps>;

export const footers: readonly Footer[] = [LazyUnresponsive, LazyPlans, LazyQueue, LazyChangesBar];

function LazyUnresponsive(props: FooterProps) {
  const parts = useLazy(controlsChunk, useSelect(isUnresponsive));
  return parts ? <parts.Unresponsive {...props} /> : null;
}

function LazyPlans() {
  const parts = useLazy(conversationChunk);
  return parts ? <parts.Plans /> : null;
}

function LazyQueue(props: FooterProps) {
  const hasMessages = useSelect((state) => state.queue.length > 0);
  const parts = useLazy(queueChunk, hasMessages);
  // The component is rendered even for an empty queue, because it moves the focus when the last message is gone.
  return parts ? <parts.QueueView {...props} /> : null;
}

function LazyChangesBar(props: FooterProps) {
  const hasChanges = useSelect((state) => state.pendingChanges !== undefined);
  const parts = useLazy(controlsChunk, hasChanges);
  return parts ? <parts.ChangesBar {...props} /> : null;
}

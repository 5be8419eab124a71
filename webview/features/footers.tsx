/** The parts between the conversation and the message box, from top to bottom. A new feature adds a line with its module. */
import type { ComponentType } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { composerChunk } from '../composer/lazyComposer';
import { useSelect } from '../context';
import { useLate } from '../late';
import { conversationChunk, queueChunk } from '../chunks';

interface FooterProps {
  /** Puts the focus into the message box. */
  readonly leave: () => void;
}

type Footer = ComponentType<FooterProps>;

export const footers: readonly Footer[] = [LateUnresponsive, LatePlans, LateQueue, LateChangesBar];

function LateUnresponsive(props: FooterProps) {
  const parts = useLate(composerChunk);
  return parts ? <parts.Unresponsive {...props} /> : null;
}

function LatePlans() {
  const parts = useLate(conversationChunk);
  return parts ? <parts.Plans /> : null;
}

function LateQueue(props: FooterProps) {
  const isEmpty = useSelect((state) => state.queue.length === 0);
  const parts = useLate(queueChunk);
  useLayoutEffect(() => {
    if (!isEmpty) {
      void queueChunk.load();
    }
  }, [isEmpty]);
  // The component is rendered even for an empty queue, because it moves the focus when the last message is gone.
  return parts ? <parts.QueueView {...props} /> : null;
}

function LateChangesBar(props: FooterProps) {
  const parts = useLate(composerChunk);
  return parts ? <parts.ChangesBar {...props} /> : null;
}

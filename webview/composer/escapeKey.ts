/** Escape moves to a waiting question, or otherwise stops the turn. Open popups, find and other parts that use the key come first. */
import { useEffect } from 'preact/hooks';
import { busyId, isCancelling, isUnresponsive } from '../../src/core/model/select';
import { useView } from '../state/context';
import { goToWaiting } from '../transcript/list/focusPendingRequest';
import { isPlainEscape } from '../typing/plainEscape';

/**
 * Moves the focus to the oldest question when Escape was pressed and no other part of the page took it. Without a question, Escape stops the turn,
 * or the work between turns. Pressed again while the agent is being stopped, it does what a second Stop does. A part that takes the key prevents its
 * default, or stops it.
 */
export function useEscape(): void {
  const { mirror, disclosures, post } = useView();
  useEffect(() => {
    let stopped: string | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const { state } = mirror;
      const id = busyId(state);
      const isStopping = id === stopped && !isCancelling(state);
      if (!isPlainEscape(event)) {
        return;
      }
      if (goToWaiting(mirror, disclosures, 'Escape')) {
        return event.preventDefault();
      }
      if (id === undefined || isStopping || isUnresponsive(state)) {
        return;
      }
      stopped = id;
      event.preventDefault();
      post({ type: 'cancel' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

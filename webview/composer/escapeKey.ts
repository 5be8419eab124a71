/** Escape stops the turn, when nothing nearer takes the key: what is open closes first, and a question that has the focus is not answered by a slip. */
import { useEffect } from 'preact/hooks';
import { busyId, isCancelling, isUnresponsive } from '../../src/core/model/select';
import { useView } from '../context';

/** What Escape belongs to while the focus is in it: questions, and a terminal whose program may want it. */
const OWN_ESCAPE = '.permission-waiting, .tool-asked, .elicitation-waiting, .sign-in, [role="menu"], [role="dialog"], dialog, .xterm';

/**
 * Stops the turn, or the work between turns, when Escape was pressed and no other part of the page took it. Pressed again while the agent is being
 * stopped, it does what a second Stop does. A part that takes the key prevents its default, or stops it.
 */
export function useEscapeStopsTurn(): void {
  const { mirror, search, post } = useView();
  useEffect(() => {
    let stopped: string | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const { state } = mirror;
      const id = busyId(state);
      const isAsked = id === stopped && !isCancelling(state);
      if (!isPlainEscape(event) || id === undefined || isAsked || isUnresponsive(state) || search.isOpen) {
        return;
      }
      if (event.target instanceof Element && event.target.closest(OWN_ESCAPE)) {
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

/** True for the key alone, pressed just now, that no other listener took. */
function isPlainEscape(event: KeyboardEvent): boolean {
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  return event.key === 'Escape' && !isModified && !event.defaultPrevented && !event.repeat;
}

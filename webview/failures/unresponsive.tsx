/** The banner that offers to restart an agent that still works after Stop. The announcer announces it. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isUnresponsive } from '../../src/core/model/select';
import { oneLine } from '../../src/text/characters/textSafety';
import { useSelect, useView } from '../state/context';
import { actionLabel } from './failureActions';
import { unresponsiveText } from './unresponsiveText';

/** @param leave puts the focus into the composer */
export function Unresponsive({ leave }: { leave: () => void }) {
  const { post } = useView();
  const isShown = useSelect(isUnresponsive);
  const agentName = useSelect((state) => state.agentName);
  const button = useRef<HTMLButtonElement>(null);
  // Read before the button and its focus leave the document.
  const hadFocus = !isShown && button.current !== null && document.activeElement === button.current;
  useLayoutEffect(() => {
    if (hadFocus) {
      leave();
    }
  }, [hadFocus]);
  if (!isShown) {
    return null;
  }
  const text = unresponsiveText(oneLine(agentName, 60));
  return (
    <div class="unresponsive" role="group" aria-label={text}>
      <span>{text}</span>
      <button ref={button} type="button" class="button" onClick={() => post({ type: 'action', action: 'restart_agent' })}>
        {actionLabel('restart_agent')}
      </button>
    </div>
  );
}

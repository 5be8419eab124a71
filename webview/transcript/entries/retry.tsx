/** Sends the last turn's prompt again: at once, or automatically after the delay that the agent has requested. Or asks the agent to continue. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { entryIdOf, isAbsent, type TurnEntry } from '../../../src/core/model/state';
import { failedTurn } from '../../../src/core/queue/retry';
import { MAX_COUNTDOWN, retryAt } from '../../../src/core/queue/retryTime';
import { useLazy } from '../../base/lazy';
import { useNow, useView } from '../../state/context';
import { t } from '../../base/l10n';
import { duration } from '../../base/strings';
import { continueLaterChunk } from './lazyContinueLater';

/** The text is sent in English in every language: it is a message to the agent. */
const CONTINUE = 'Continue';

/** Returns a function that sends the prompt of this turn again. */
export function useRetry(turnId: string): () => void {
  const { mirror, draft, post } = useView();
  return () => {
    const prompt = mirror.state.entries.get(entryIdOf.message('user', turnId));
    const isGivenBack = failedTurn(mirror.state)?.turnId === turnId;
    if (isGivenBack && prompt && !isAbsent(prompt) && prompt.kind === 'message') {
      draft.withdraw(prompt.content);
    }
    post({ type: 'retry_prompt', turnId });
  };
}

/** The button for a turn that a limit has ended. */
export function Continue() {
  const { post, composer } = useView();
  const [isPressed, setPressed] = useState(false);
  const press = (): void => {
    if (!isPressed) {
      setPressed(true);
      post({ type: 'prompt', content: [{ type: 'text', text: CONTINUE }] });
      // The button is removed when the next turn begins, and the focus must not be lost with it.
      composer.focus();
    }
  };
  return (
    <button type="button" class="button" aria-disabled={isPressed} onClick={press}>
      {t('Continue')}
    </button>
  );
}

export function Retry({ entry }: { entry: TurnEntry }) {
  const { mirror, draft, composer, say } = useView();
  const repeat = useRetry(entry.turnId);
  const [isPressed, setPressed] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const chunk = useLazy(continueLaterChunk, true);
  const at = retryAt(entry) ?? 0;
  const isLong = at - entry.at > MAX_COUNTDOWN;
  const now = useNow(!isLong && at > mirror.now());
  const left = Math.ceil((at - now) / 1000) * 1000;
  const isEarly = !isLong && left > 0 && !isPressed;
  const time = duration(left);
  const send = (): void => {
    if (isPressed) {
      return;
    }
    setPressed(true);
    repeat();
  };
  const retry = (): void => {
    send();
    // The button is removed when the next turn begins, like that of Continue.
    composer.focus();
  };
  const toggle = (): void => {
    setWaiting(!isWaiting);
    say(isWaiting ? t('Stopped waiting') : t('Sends in {time}', { time }));
  };
  useLayoutEffect(() => {
    if (isWaiting && !isEarly) {
      send();
    }
  }, [isWaiting, isEarly]);
  useLayoutEffect(() => {
    if (!isWaiting) {
      return undefined;
    }
    const stop = (): void => {
      setWaiting(false);
      say(t('Stopped waiting'));
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) {
        event.preventDefault();
        stop();
      }
    };
    const { text } = draft;
    const leave = draft.subscribe(() => draft.text !== text && stop());
    window.addEventListener('keydown', onKeyDown);
    return () => {
      leave();
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [isWaiting]);
  return (
    <>
      <button type="button" class="button" aria-disabled={isPressed} onClick={retry}>
        {t('Retry')}
      </button>
      {chunk && <chunk.ContinueLater entry={entry} />}
      {isEarly && (
        <>
          <button type="button" class="button button-secondary" onClick={toggle}>
            {isWaiting ? t('Stop Waiting') : t('Send When Ready')}
          </button>
          <span class="retry-time" role="timer">
            {isWaiting ? t('Sends in {time}', { time }) : t('Retry in {time}', { time })}
          </span>
        </>
      )}
    </>
  );
}

/** Sends the last turn's prompt again, or asks the agent to continue. */
import { useState } from 'preact/hooks';
import { entryIdOf, isAbsent, type TurnEntry } from '../../../src/core/model/state';
import { failedTurn } from '../../../src/core/queue/retry';
import { useLazy } from '../../base/lazy';
import { useView } from '../../state/context';
import { t } from '../../base/l10n';
import { limitWaitChunk } from './lazyLimitWait';

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
  const { composer } = useView();
  const repeat = useRetry(entry.turnId);
  const [isPressed, setPressed] = useState(false);
  const chunk = useLazy(limitWaitChunk, true);
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
  return (
    <>
      <button type="button" class="button" aria-disabled={isPressed} onClick={retry}>
        {t('Retry')}
      </button>
      {chunk && !isPressed && <chunk.LimitWait entry={entry} send={send} />}
    </>
  );
}

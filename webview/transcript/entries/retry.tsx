/** Sends the prompt of the last turn again, or has the agent go on. A text that was given back to the message box is taken out of it: it is sent once. */
import { useState } from 'preact/hooks';
import { entryIdOf, isAbsent } from '../../../src/core/model/state';
import { failedTurn } from '../../../src/core/queue/retry';
import { useView } from '../../context';
import { t } from '../../l10n';

/** The agent gets this text in every language: it is a message, and agents know this one. */
const CONTINUE = 'Continue';

export function Retry({ turnId }: { turnId: string }) {
  return <OnceButton label={t('Retry')} act={useRetry(turnId)} />;
}

/** For a turn that a limit has cut off. */
export function Continue() {
  const { post } = useView();
  return <OnceButton label={t('Continue')} act={() => post({ type: 'prompt', content: [{ type: 'text', text: CONTINUE }] })} />;
}

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

/** A button that acts once. It disappears with the turn that begins, so the focus moves to the message box. */
function OnceButton({ label, act }: { label: string; act: () => void }) {
  const [isPressed, setPressed] = useState(false);
  const press = (): void => {
    if (!isPressed) {
      setPressed(true);
      act();
      document.querySelector<HTMLElement>('.composer-text')?.focus();
    }
  };
  return (
    <button type="button" class="button" aria-disabled={isPressed} onClick={press}>
      {label}
    </button>
  );
}

/** Sends the prompt of a turn that failed once more. Its text was given back to the message box, and is taken out of it: it is sent once. */
import { useState } from 'preact/hooks';
import { entryIdOf, isAbsent } from '../../../src/core/model/state';
import { useView } from '../../context';
import { t } from '../../l10n';

export function Retry({ turnId }: { turnId: string }) {
  const { mirror, draft, post } = useView();
  const [isPressed, setPressed] = useState(false);
  const retry = (): void => {
    if (isPressed) {
      return;
    }
    setPressed(true);
    const prompt = mirror.state.entries.get(entryIdOf.message('user', turnId));
    if (prompt && !isAbsent(prompt) && prompt.kind === 'message') {
      draft.withdraw(prompt.content);
    }
    post({ type: 'retry_prompt', turnId });
    // The button goes with the turn that begins; the keys must not go to nothing.
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  return (
    <button type="button" class="button" aria-disabled={isPressed} onClick={retry}>
      {t('Retry')}
    </button>
  );
}

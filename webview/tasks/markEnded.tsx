/** The button that marks a tool call as ended whose end the agent has not reported. */
import { oneLine } from '../../src/text/characters/textSafety';
import { t } from '../base/l10n';
import { useView } from '../state/context';

/** @param name set in the list, where several buttons need different names */
export function MarkEnded({ toolCallId, name }: { toolCallId: string; name?: string }) {
  const { post } = useView();
  return (
    <button
      type="button"
      class="text-button"
      title={t('The agent has not reported an end.')}
      aria-label={name === undefined ? undefined : t('Mark {name} as Ended', { name: oneLine(name) })}
      onClick={(event) => event.detail < 2 && post({ type: 'mark_ended', toolCallId })}
    >
      {t('Mark as Ended')}
    </button>
  );
}

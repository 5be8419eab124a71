/** The wait at a limit that the host keeps, over a reload too. Loaded after the first paint. */
import type { TurnEntry } from '../../../src/core/model/state';
import { limitEnd } from '../../../src/core/queue/limits';
import { MAX_COUNTDOWN } from '../../../src/core/queue/retryTime';
import { clockTime } from '../../base/clockTime';
import { t } from '../../base/l10n';
import { useSelect, useView } from '../../state/context';

/** Lets the conversation continue by itself when the limit resets. */
export function ContinueLater({ entry }: { entry: TurnEntry }) {
  const { mirror, post } = useView();
  const { turnId } = entry;
  const isWaiting = useSelect(({ continuation }) => continuation !== undefined);
  const quota = useSelect((state) => state.quota);
  const at = limitEnd(quota, entry);
  if (at === undefined || at - entry.at <= MAX_COUNTDOWN || (at <= mirror.now() && !isWaiting)) {
    return null;
  }
  const time = clockTime(at, mirror.now());
  return (
    <>
      <button
        type="button"
        class="button button-secondary"
        onClick={() => post(isWaiting ? { type: 'stop_waiting' } : { type: 'continue_later', turnId })}
      >
        {isWaiting ? t('Stop Waiting') : t('Continue at {time}', { time })}
      </button>
      {isWaiting && (
        <span class="retry-time" role="status">
          {t('Continues by itself at {time}', { time })}
        </span>
      )}
    </>
  );
}

/** The line below the header while the connection to a remote agent is made again, with the time until the next attempt. */
import { useLayoutEffect } from 'preact/hooks';
import type { Reconnect } from '../../src/core/reconnect/reconnect';
import { oneLine } from '../../src/text/characters/textSafety';
import { WarningIcon } from '../base/icons';
import { t } from '../base/l10n';
import { duration } from '../base/strings';
import { useNow, useSelect, useView } from '../state/context';

export function Reconnecting({ reconnect }: { reconnect: Reconnect }) {
  const { post, say } = useView();
  const isTrying = useSelect(({ status }) => status === 'starting');
  const now = useNow(!isTrying);
  const host = oneLine(reconnect.host, 80);
  const heading = t('Reconnecting to {host}…', { host });
  // The countdown itself is not read out, because it changes every second.
  useLayoutEffect(() => say(heading), []);
  const left = Math.max(1, Math.ceil((reconnect.at - now) / 1000)) * 1000;
  return (
    <div class="reconnect-line" role="group" aria-label={heading}>
      <WarningIcon />
      <span class="reconnect-state" role="timer">
        {isTrying ? heading : t('Reconnecting to {host} in {time}…', { host, time: duration(left) })}
      </span>
      {!isTrying && (
        <button type="button" class="text-button" onClick={() => post({ type: 'action', action: 'resume' })}>
          {t('Retry Now')}
        </button>
      )}
    </div>
  );
}

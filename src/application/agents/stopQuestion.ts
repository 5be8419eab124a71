/** The question before an agent's process is ended, which ends the turns of all its sessions. Pure. */
import { isBusy, isCancelling } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { InertText } from '../shared/escape';
import type { Translate } from '../shared/translate';

/** The words of a modal question. */
export interface StopQuestion {
  readonly message: InertText;
  readonly detail: InertText;
  readonly button: InertText;
}

/**
 * Returns undefined when no question is needed: nothing is interrupted that the user has not stopped already.
 * @param sessions the sessions that use the process
 */
export function stopQuestion(
  sessions: readonly Pick<SessionState, 'turn' | 'work'>[],
  action: 'stop' | 'restart',
  agent: InertText,
  t: Translate,
): StopQuestion | undefined {
  const count = sessions.filter((state) => isBusy(state) && !isCancelling(state)).length;
  if (count === 0) {
    return undefined;
  }
  const isStop = action === 'stop';
  return {
    message: isStop ? t('Stop {agent}?', { agent }) : t('Restart {agent}?', { agent }),
    detail:
      count === 1
        ? t('It is working. Its turn ends, and the conversation stays.')
        : t('It is working in {count} sessions. Their turns end, and the conversations stay.', { count }),
    button: isStop ? t('Stop') : t('Restart'),
  };
}

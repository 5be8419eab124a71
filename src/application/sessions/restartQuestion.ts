/** The question before an agent's process is restarted, which affects all of its sessions. Pure. */
import { isBusy, isCancelling } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import { NO_CAPABILITIES } from '../../core/model/wellKnown';
import type { InertText } from '../shared/escape';
import type { Translate } from '../shared/translate';

type Asked = Pick<SessionState, 'turn' | 'work'> & { readonly capabilities?: SessionState['capabilities'] };

/**
 * Returns undefined when no question is needed: the restart interrupts nothing that the user has not stopped already.
 * @param chosen the session whose agent is restarted
 * @param others the agent's other sessions, which restart as well
 */
export function restartQuestion(
  chosen: Asked,
  others: readonly Asked[],
  agent: InertText,
  t: Translate,
): { readonly message: InertText; readonly detail?: InertText } | undefined {
  const works = (state: Asked): boolean => isBusy(state) && !isCancelling(state);
  const elsewhere = others.filter(works).length;
  const count = elsewhere + (works(chosen) ? 1 : 0);
  const { load, resume } = chosen.capabilities ?? NO_CAPABILITIES;
  const forgets = !load && !resume;
  if (count === 0 && !(forgets && isCancelling(chosen))) {
    return undefined;
  }
  const message =
    count === 0
      ? t('Restart {agent}?', { agent })
      : count > 1
        ? t('{agent} is working in {count} sessions. Stop it and restart?', { agent, count })
        : elsewhere === 1
          ? t('{agent} is working in another session. Stop it and restart?', { agent })
          : t('{agent} is working. Stop it and restart?', { agent });
  return {
    message,
    ...(forgets && { detail: t("{agent} can't open earlier sessions. It won't remember these conversations.", { agent }) }),
  };
}

/** Asks whether to stop the agent, after an Escape on a request that cannot be rejected once. Loaded with the first such Escape. */
import { busyId } from '../../core/model/select';
import type { Session } from '../../session/session';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_NAME = 80;

/** The sessions that a dialog is open for. */
const asked = new WeakSet<Session>();

/** Stops the turn that runs now, when the user confirms it and the same turn still runs then. */
export async function confirmStop(session: Session): Promise<void> {
  const { state } = session.store;
  const id = busyId(state);
  if (id === undefined || asked.has(session)) {
    return;
  }
  asked.add(session);
  const stop = t('Stop');
  const detail = t('The agent offers no way to reject only this request.');
  const question = t('Stop {agent}?', { agent: inertLine(session.agentName, MAX_NAME) });
  try {
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, stop);
    if (chosen === stop && busyId(session.store.state) === id) {
      session.cancel();
    }
  } finally {
    asked.delete(session);
  }
}

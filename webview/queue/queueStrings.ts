/** The text about the reason why a queue waits. */
import { showsSignIn } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import { t } from '../base/l10n';
import { clockTime } from '../../src/text/messages/clockTime';
import { oneLine } from '../../src/text/characters/textSafety';

const MAX_NAME = 40;

export function queueStatusText(state: SessionState): string {
  const { queue, status, turn, agentName } = state;
  if (queue.some(({ steering }) => steering)) {
    return t('Sending into the running turn…');
  }
  if (state.continuation) {
    return t('Queued until {time}', { time: clockTime(state.continuation.at, Date.now()) });
  }
  const paused = queue.filter((message) => message.paused).length;
  const agent = oneLine(agentName, MAX_NAME) || t('the agent');
  if (paused === queue.length) {
    return t('Queue paused');
  }
  if (paused > 0) {
    return paused === 1 ? t('1 queued message is paused') : t('{count} queued messages are paused', { count: paused });
  }
  if (showsSignIn(state)) {
    return t('Queued until you sign in');
  }
  if (status !== 'ready') {
    return t('Queued until {agent} is ready', { agent });
  }
  if (turn) {
    return t('Queued until {agent} is done', { agent });
  }
  const options = state.pendingConfig?.options.map(
    ({ configId }) => state.config.find((each) => each.configId === configId)?.name ?? configId,
  );
  if (options) {
    const option = oneLine(options.join(', '), MAX_NAME);
    return state.pendingConfig?.overdue
      ? t("{agent} didn't set: {option}", { agent, option })
      : t('Queued until {agent} sets: {option}', { agent, option });
  }
  return queue.some(({ editing }) => editing) ? t('Queued while you edit') : t('Queued');
}

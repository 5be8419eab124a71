/** The line that shows that the agent works, and for how long, or that it waits for the user. */
import { isCancelling, needsInputOnly, needsYou, showsSignIn } from '../../src/core/model/select';
import { oneLine } from '../../src/text/characters/textSafety';
import { entryIdOf } from '../../src/core/model/state';
import { turnWorkingTime } from '../../src/core/reduce/userWaitTime';
import { signInWaitsText } from '../../src/text/messages/signIns';
import { useNow, useSelect } from '../state/context';
import { QuestionIcon, Spinner } from '../base/icons';
import { t } from '../base/l10n';
import { stoppingLabel } from '../../src/text/messages/turnEnds';
import { waitsForYouText } from '../../src/text/messages/subagents';
import { elapsed } from '../base/strings';
import { NeedsAnswer, NeedsApproval } from './needsApproval';

export function Activity() {
  const turn = useSelect((state) => state.turn);
  const work = useSelect((state) => state.work);
  const waitingSince = useSelect((state) => state.waitingSince);
  const waiting = useSelect(needsYou);
  const wantsInputOnly = useSelect((state) => needsInputOnly(state));
  const signingIn = useSelect(showsSignIn);
  const permissionId = useSelect((state) => state.pendingPermissions[0]);
  const requestKey = useSelect((state) => state.pendingElicitations[0]);
  const now = useNow(turn !== undefined || work !== undefined);
  if (!turn && !work) {
    return null;
  }
  const cancelling = isCancelling({ turn, work });
  if (permissionId !== undefined && !cancelling && !signingIn) {
    return <NeedsApproval permissionId={permissionId} />;
  }
  if (requestKey !== undefined && !cancelling && !signingIn) {
    return <NeedsAnswer entryId={entryIdOf.elicitation(requestKey)} text={t('Waiting for your answer')} />;
  }
  const activity = turn?.activity;
  const isAsking = waiting || activity === 'requires_action';
  const text = cancelling
    ? stoppingLabel(t)
    : signingIn
      ? signInWaitsText(t)
      : wantsInputOnly
        ? t('Waiting for input in the terminal')
        : waiting
          ? t('Waiting for your answer')
          : activity === 'requires_action'
            ? waitsForYouText(t)
            : activity === 'unknown'
              ? t('State unknown')
              : activity
                ? t('Working: {state}', { state: oneLine(activity, 40) })
                : t('Working…');
  return (
    <div class={isAsking ? 'activity activity-waiting' : 'activity'}>
      {isAsking && !cancelling ? <QuestionIcon /> : <Spinner />}
      <span>{text}</span>
      <span class="activity-time">{elapsed(turn ? turnWorkingTime({ turn, waitingSince }, now) : now - work!.startedAt)}</span>
    </div>
  );
}

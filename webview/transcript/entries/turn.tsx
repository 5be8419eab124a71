/** The end of a turn: its duration, its changes, and the reason why it ended unless it is the usual one. */
import type { Failure } from '../../../src/core/model/failure';
import { isPaused } from '../../../src/core/model/select';
import type { TurnEntry } from '../../../src/core/model/state';
import { failedTurn, isPast, limitedTurn } from '../../../src/core/queue/retry';
import { useSelect } from '../../state/context';
import { failureText } from '../../failures/failures';
import { WarningIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { duration, turnReasonText } from '../../base/strings';
import { oneLine } from '../../../src/text/characters/textSafety';
import { Disclosure } from '../../components/disclosure';
import type { ViewAction } from '../../failures/failureActions';
import { Actions, FailureBox } from '../../failures/failureBox';
import { Continue, Retry } from './retry';
import { hasShownPlan, TurnPlans } from './plan';
import { TurnFiles } from './turnFiles';

/** The turn ended without a complete answer, and the user did not stop it. */
const UNFINISHED = new Set(['refusal', 'max_tokens', 'max_turn_requests']);

/** ms; a shorter turn would read "0 s". */
const SHORTEST = 100;

export function TurnView({ entry }: { entry: TurnEntry }) {
  const reason = turnReasonText(entry);
  const ms = entry.at - entry.startedAt - (entry.waited ?? 0);
  const took = ms > 0 ? duration(Math.max(SHORTEST, ms)) : '';
  const { failure } = entry;
  const isUnfinished = UNFINISHED.has(entry.stopReason) || entry.unanswered === true;
  const isSaid = reason !== '' && !failure && !isUnfinished;
  // The banner already shows all of it. After a restart there is no banner, and the turn shows it.
  const inBanner = useSelect(
    ({ status, failure: current }) => status === 'disconnected' && current?.code === failure?.code && current?.detail === failure?.detail,
  );
  // The banner offers the actions but does not describe the failure.
  const isQuiet = useSelect(isPaused);
  const isBroken = failure !== undefined && inBanner && isQuiet;
  const canRetry = useSelect((state) => failedTurn(state)?.turnId === entry.turnId);
  const isOld = useSelect((state) => failure !== undefined && !canRetry && isPast(state, entry.entryId));
  // The banner of a lost session has the primary button, unless the turn has Retry.
  const isLost = useSelect(({ status }) => status !== 'ready') && !canRetry;
  const canContinue = useSelect((state) => limitedTurn(state)?.turnId === entry.turnId);
  // An agent that names the actions that help leaves out Retry where it does not.
  const helps = failure && helpfulActions(failure);
  const retry = canRetry && (!helps || helps.includes('retry')) && <Retry entry={entry} />;
  const actions: readonly ViewAction[] = helps?.includes('new_session') ? ['continue_in_new', 'show_log'] : ['show_log'];
  const hasLine = isSaid || isBroken || took !== '' || entry.changes !== undefined;
  if (!(failure && (!inBanner || canRetry)) && !(reason && isUnfinished) && !hasLine && !(entry.plans && hasShownPlan(entry.plans))) {
    return null;
  }
  return (
    <div class="entry turn" role="group" aria-label={t('End of turn')}>
      {failure && inBanner && <Actions actions={[]} lead={retry} />}
      {failure && !inBanner && !isOld && (
        <FailureBox failure={failure} name={entry.entryId} actions={actions} lead={retry} quiet={isLost} />
      )}
      {failure && !inBanner && isOld && <OldFailure failure={failure} name={entry.entryId} />}
      {reason && !failure && isUnfinished && (
        <div class="turn-reason">
          <WarningIcon />
          <span>{reason}</span>
        </div>
      )}
      {canContinue && !canRetry && <Actions actions={[]} lead={<Continue />} />}
      {entry.unanswered && canRetry && <Actions actions={['show_log']} lead={retry} />}
      {hasLine && (
        <div class="turn-line">
          {isSaid && <span>{reason}</span>}
          {isBroken && <span>{failureText(failure)}</span>}
          {took !== '' && <span class="dim">{took}</span>}
          {entry.changes && <TurnFiles changes={entry.changes} entryId={entry.entryId} />}
        </div>
      )}
      {entry.plans && <TurnPlans plans={entry.plans} entryId={entry.entryId} />}
    </div>
  );
}

/** The failure of an earlier turn: one line that opens the card. */
function OldFailure({ failure, name }: { failure: Failure; name: string }) {
  const agentName = useSelect((state) => state.agentName);
  const label = (
    <>
      <WarningIcon />
      <span class="old-failure-words">{oneLine(failureText(failure, oneLine(agentName, 60)), 400)}</span>
    </>
  );
  return (
    <Disclosure name={`${name}/failure`} label={label} class="old-failure">
      {() => <FailureBox failure={failure} name={name} actions={['show_log']} quiet />}
    </Disclosure>
  );
}

/** Returns the actions that the agent has named for the failure; undefined when it names none. */
function helpfulActions({ params }: Failure): readonly string[] | undefined {
  const actions = params?.['actions'];
  return typeof actions === 'string' ? actions.split(' ') : undefined;
}

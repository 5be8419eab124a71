/** The reason why a turn ended, in words, for host and page. Pure. */
import type { TurnEntry } from '../../core/model/state';
import type { ShowValue } from './failures';
import type { TranslateVerbatim } from './translate';

/** Returns the state of a turn, or of a subagent, that was asked to stop. */
export function stoppingLabel(t: TranslateVerbatim): string {
  return t('Stopping…');
}

/** Returns the short sentence; '' for a turn that ended normally. */
export function turnEndReason(stopReason: string, t: TranslateVerbatim, show: ShowValue): string {
  switch (stopReason) {
    case 'end_turn':
      return '';
    case 'cancelled':
      return t('Stopped');
    case 'max_tokens':
      return t('The agent stopped: it reached its token limit.');
    case 'max_turn_requests':
      return t('The agent stopped: it reached its request limit for one turn.');
    case 'refusal':
      return t("The agent refused to continue. It won't remember this message or what followed.");
    case 'error':
      return t('The turn failed.');
    case '':
    case 'unknown':
      return t("The turn ended. The agent didn't give a reason.");
    default:
      return t('The turn ended: {reason}', { reason: show(stopReason) });
  }
}

/** Returns the reason like {@link turnEndReason}, or a text about the missing answer. */
export function turnReason(
  { stopReason, unanswered }: Pick<TurnEntry, 'stopReason' | 'unanswered'>,
  t: TranslateVerbatim,
  show: ShowValue,
): string {
  return unanswered ? t('The agent ended its turn without an answer.') : turnEndReason(stopReason, t, show);
}

/**
 * Returns the long sentence, for a conversation that is read as a document; '' when there is nothing to report. @param time of the turn, in words,
 * when it is worth showing
 */
export function turnEndSentence(stopReason: string, time: string | undefined, t: TranslateVerbatim, show: ShowValue): string {
  if (time === undefined) {
    return turnEndReason(stopReason, t, show);
  }
  switch (stopReason) {
    case 'end_turn':
      return t('The turn took {time}.', { time });
    case 'cancelled':
      return t('You stopped the turn after {time}.', { time });
    default:
      return t('The turn ended after {time}: {reason}', { time, reason: show(stopReason) });
  }
}

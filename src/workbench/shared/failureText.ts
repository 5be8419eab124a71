/** Failures in words for VS Code's own surfaces: `text/messages` says them, here what others wrote is made inert. Pure. */
import type { Failure } from '../../core/model/failure';
import { longFailure, shortFailure } from '../../text/messages/failures';
import type { TranslateVerbatim } from '../../text/messages/translate';
import { inert, type InertText, joined, visible } from './escape';

/** UTF-16 units. */
const MAX_VALUE = 300;
const MAX_DETAIL = 600;

/** What happened and what can be done about it, without the failure's `detail`. */
export function failureSentence(failure: Failure, t: TranslateVerbatim): InertText {
  return inert(longFailure(failure, t, (value) => visible(value, MAX_VALUE)));
}

/** The sentence, and in one line what the agent or the system said about it. For notifications, which have no second line. */
export function failureText(failure: Failure, t: TranslateVerbatim): InertText {
  return withDetail(failureSentence(failure, t), failure);
}

/** Only what happened, and in one line what the agent or the system said about it. For programs, which follow no advice. */
export function shortFailureText(failure: Failure, t: TranslateVerbatim): InertText {
  return withDetail(inert(shortFailure(failure, t, (value) => visible(value, MAX_VALUE))), failure);
}

function withDetail(sentence: InertText, failure: Failure): InertText {
  const detail = visible(failure.detail ?? '', MAX_DETAIL);
  return detail ? joined([sentence, detail], ' ') : sentence;
}

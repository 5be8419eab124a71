/** Texts of failures for VS Code's own surfaces. `text/messages` writes them; this module makes untrusted parts inert. Pure. */
import type { Failure } from '../../core/model/failure';
import { longFailure, shortFailure } from '../../text/messages/failures';
import type { TranslateVerbatim } from '../../text/messages/translate';
import { inert, type InertText, joined, inertLine } from './escape';

/** The maximum number of UTF-16 units of a value and, below, of the detail. */
const MAX_VALUE = 300;
const MAX_DETAIL = 600;

/** Describes the failure and the possible remedy, without the failure's `detail`. */
export function failureSentence(failure: Failure, t: TranslateVerbatim): InertText {
  return inert(longFailure(failure, t, (value) => inertLine(value, MAX_VALUE)));
}

/** Returns the sentence, followed on the same line by the agent's or the system's detail. For notifications, which have no second line. */
export function failureText(failure: Failure, t: TranslateVerbatim): InertText {
  return withDetail(failureSentence(failure, t), failure);
}

/** Describes only the failure, followed on the same line by the agent's or the system's detail. For programs, which cannot follow advice. */
export function shortFailureText(failure: Failure, t: TranslateVerbatim): InertText {
  return withDetail(inert(shortFailure(failure, t, (value) => inertLine(value, MAX_VALUE))), failure);
}

function withDetail(sentence: InertText, failure: Failure): InertText {
  const detail = inertLine(failure.detail ?? '', MAX_DETAIL);
  return detail ? joined([sentence, detail], ' ') : sentence;
}

/** A failure in the user's language; its `detail` is shown beside, verbatim. */
import type { Failure } from '../../src/core/model/failure';
import { failureAdvice } from '../../src/text/messages/advice';
import { shortFailure } from '../../src/text/messages/failures';
import { t } from '../l10n';

/** What happened. @param agent the name of the agent that it happened to, made safe */
export function failureWords({ params, ...failure }: Failure, agent = ''): string {
  return shortFailure({ ...failure, params: { agent, ...params } }, t);
}

/** What the user can do about it; '' when the sentence and the buttons say it. */
export function adviceWords(failure: Failure): string {
  return failureAdvice(failure, t);
}

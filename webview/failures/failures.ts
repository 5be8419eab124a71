/** The text of a failure in the user's language. Its `detail` is shown with it, verbatim. */
import type { Failure } from '../../src/core/model/failure';
import { failureAdvice } from '../../src/text/messages/advice';
import { shortFailure } from '../../src/text/messages/failures';
import { t } from '../base/l10n';

/** Describes the failure. @param agent the name of the failed agent, made safe */
export function failureText({ params, ...failure }: Failure, agent = ''): string {
  return shortFailure({ ...failure, params: { agent, ...params } }, t);
}

/** The user's options after the failure; '' when the description and the buttons say it. */
export function adviceText(failure: Failure): string {
  return failureAdvice(failure, t);
}

/** The sentence about an option that keeps its value, because the agent refused the new one or did not answer. Pure. */
import { causeIn, causeSentence } from './causes';
import type { TranslateVerbatim, Values } from './translate';

/** @param v the failure's parameters, made safe */
export function optionRefusalSentence(v: Values, t: TranslateVerbatim): string {
  const values = { option: t('the option'), choice: t('the new value'), ...v, reason: reasonSentence(v, t) };
  switch (v['turn']) {
    case 'on':
      return t("Couldn't turn on {option}: {reason}", values);
    case 'off':
      return t("Couldn't turn off {option}: {reason}", values);
    default:
      return t("Couldn't switch to {choice}: {reason}", values);
  }
}

function reasonSentence(v: Values, t: TranslateVerbatim): string | number {
  const cause = causeIn(v);
  if (cause !== undefined) {
    return causeSentence(cause, v, t);
  }
  if (v['reason'] !== undefined) {
    return v['reason'];
  }
  switch (v['refusal']) {
    case 'request.timeout':
      return v['seconds'] === undefined
        ? t("The agent hasn't responded yet.")
        : t("The agent hasn't responded within {seconds} seconds.", { seconds: v['seconds'] });
    case 'auth.required':
      return t("You aren't signed in.");
    case 'protocol.bad_answer':
      return t("The agent's response isn't valid.");
    default:
      return t('The agent refused it.');
  }
}

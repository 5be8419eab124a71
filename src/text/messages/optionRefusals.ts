/** An option of the agent that stays as it is, because the agent refused the new value or did not answer. Pure. */
import type { ConfigOption } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import { causeIn, causeSentence } from './causes';
import type { TranslateVerbatim, Values } from './translate';

/** UTF-16 units of a reason that is part of the sentence. A longer one is shown below it. */
const MAX_REASON = 300;
/** Words in front of a reason that only say that there was an error. */
const NO_REASON = /^(?:internal (?:server )?error|invalid (?:params|parameters|request)|(?:server )?error)(?:\s*[:.–—-]+\s*|\s*$)/i;

/** The value that the user wanted, by the names that the user sees. */
export interface RefusedOption {
  /** The name of the option. */
  readonly option: string;
  /** The name of the choice, or whether a switch was to be on. */
  readonly choice: string | boolean;
}

/** The names of an option and of a value of it, and their ids where the agent has not named them. */
export function namesOf(config: readonly ConfigOption[], configId: string, value: string | boolean): RefusedOption {
  const option = config.find((each) => each.configId === configId);
  const choices = option?.type === 'select' ? option.groups.flatMap((group) => group.choices) : [];
  const choice = typeof value === 'boolean' ? value : (choices.find((each) => each.value === value)?.name ?? value);
  return { option: option?.name ?? configId, choice };
}

/**
 * The failure that says why an option stays as it is.
 * @param failure the agent's answer, or the reason why there is none
 */
export function optionRefusal({ option, choice }: RefusedOption, failure: Failure): Failure {
  const { method: _, ...params } = failure.params ?? {};
  const reason = plainReason(failure.detail ?? '');
  const wanted: Record<string, string> = typeof choice === 'boolean' ? { turn: choice ? 'on' : 'off' } : { choice };
  return {
    code: 'option.refused',
    params: { ...params, option, ...wanted, refusal: failure.code, ...(reason !== undefined && reason !== '' && { reason }) },
    ...(reason === undefined && failure.detail !== undefined && { detail: failure.detail }),
  };
}

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

/** The agent's words in one line, without data; '' where they give no reason, undefined where they are too long or data alone. */
function plainReason(detail: string): string | undefined {
  const lines = detail.split(/\r?\n/).map(withoutPrefix).filter(Boolean);
  const words = lines.filter((line) => !/^[[{]/.test(line));
  const text = [...new Set(words)].join(' ');
  return text.length > MAX_REASON || (text === '' && lines.length > 0) ? undefined : text;
}

function withoutPrefix(line: string): string {
  let text = line.trim();
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replace(NO_REASON, '')
      .replace(/\s*(?:\{\s*\}|\[\s*\])$/, '')
      .trim();
  }
  return text;
}

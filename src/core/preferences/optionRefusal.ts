/** The failure of an option that stays as it is, because the agent refused the new value or did not answer. Pure. */
import type { ConfigOption } from '../model/content';
import type { Failure } from '../model/failure';

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

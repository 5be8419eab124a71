/** The failure of an option that keeps its value, because the agent refused the new one or did not answer. Pure. */
import type { ConfigOption } from '../model/content';
import type { Failure } from '../model/failure';

/** UTF-16 units of a reason that is part of the sentence. A longer one is shown below it. */
const MAX_REASON = 300;
/** Words in front of a reason that add only that there was an error. */
const NO_REASON = /^(?:internal (?:server )?error|invalid (?:params|parameters|request)|(?:server )?error)(?:\s*[:.–—-]+\s*|\s*$)/i;

/** The value that the user wanted, by its display names. */
export interface RefusedOption {
  /** The name of the option. */
  readonly option: string;
  /** The name of the choice, or whether a switch was to be on. */
  readonly choice: string | boolean;
}

/** Returns the names of an option and of its value, or their ids where the agent has not named them. */
export function namesOf(config: readonly ConfigOption[], configId: string, value: string | boolean): RefusedOption {
  const option = config.find((each) => each.configId === configId);
  const choices = option?.type === 'select' ? option.groups.flatMap((group) => group.choices) : [];
  const choice = typeof value === 'boolean' ? value : (choices.find((each) => each.value === value)?.name ?? value);
  return { option: option?.name ?? configId, choice };
}

/**
 * Returns the failure that explains why an option keeps its value.
 * @param failure the agent's response, or the reason why there is none
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

/**
 * Returns the agent's message on one line, without data. Returns '' when it gives no reason, undefined when it is too long or consists of data alone.
 */
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

/** The reason of the host for a question that an agent asked, in words. Pure. */
import type { Advice } from '../../core/advice/advice';
import { ruleText } from '../../core/model/answeringRule';
import type { TranslateVerbatim } from './translate';

/**
 * Returns the sentence. Undefined where the agent asks of its own accord, and for a reason that a newer version knows.
 * @param show makes a text from outside safe
 */
export function whyText(why: NonNullable<Advice['why']>, t: TranslateVerbatim, show: (text: string) => string): string | undefined {
  const rule = show(ruleText({ id: why.code, reason: why }));
  switch (why.code) {
    case 'rule':
      return t('The rule {rule} requires your answer.', { rule });
    case 'protected_path':
    case 'protected_path_overwritten':
      return t('{path} is protected by the rule {rule}.', { path: show(why.params?.['path'] ?? ''), rule });
    default:
      return undefined;
  }
}

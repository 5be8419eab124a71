/** The words of questions that ACP Host asks itself, before it does what an agent wants. Pure. */
import type { AskReason } from '../../core/model/content';
import type { QuestionWords } from '../../session/questions/hostQuestions';
import { type InertText, joined, own, visible } from '../shared/escape';
import type { Translate, TranslateVerbatim } from '../shared/translate';

const MAX_PATH = 400;

/** Titles and answers, as they stand in the conversation. */
export function questionWords(t: TranslateVerbatim): QuestionWords {
  return {
    title: (reason) => {
      if (reason.type === 'command') {
        return t('Run a command');
      }
      const { rule } = reason;
      return reason.access === 'read' ? t('Read a protected file ({rule})', { rule }) : t('Write a protected file ({rule})', { rule });
    },
    once: () => t('Allow Once'),
    session: ({ type }) => (type === 'command' ? t('Allow Commands in This Session') : t('Allow This File in This Session')),
    reject: () => t('Reject'),
  };
}

/**
 * Why ACP Host asks, behind what would be done in the quick pick's line; empty where the title says it.
 * @param short a path as the quick pick shows it
 */
export function reasonWords(reason: AskReason, short: (path: string) => string, t: Translate): InertText {
  if (reason.type === 'command') {
    const why = reason.unasked ? t("the agent didn't ask for permission") : t('your settings require asking before each command');
    const { variables } = reason;
    const sets = t('sets {names}', {
      names: joined(
        variables.map((name) => visible(name, MAX_PATH)),
        ', ',
      ),
    });
    return variables.length > 0 ? joined([why, sets], ', ') : why;
  }
  // The title names the rule.
  return reason.target === undefined ? own('') : t('requested as {path}', { path: visible(short(reason.path), MAX_PATH) });
}

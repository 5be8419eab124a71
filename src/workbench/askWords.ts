/** The words of questions that ACP Host asks itself, before it does what an agent wants. Pure. */
import type { AskReason } from '../core/content';
import type { QuestionWords } from '../session/hostQuestions';
import { visible } from './escape';
import type { Translate } from './translate';

const MAX_PATH = 400;

/** Titles and answers, as they stand in the conversation. */
export function questionWords(t: Translate): QuestionWords {
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

/** Why ACP Host asks, in one line for the quick pick. */
export function reasonSentence(reason: AskReason, t: Translate): string {
  if (reason.type === 'command') {
    const why = reason.unasked ? t('The agent did not ask for permission.') : t('Your settings ask before each command.');
    const { variables } = reason;
    return variables.length > 0 ? `${why} ${t('Sets {names}.', { names: variables.map((name) => visible(name, MAX_PATH)).join(', ') })}` : why;
  }
  const words = { path: visible(reason.path, MAX_PATH), rule: visible(reason.rule, MAX_PATH) };
  const why = t('{path} is protected by the rule {rule}.', words);
  return reason.target === undefined ? why : `${why} ${t('It leads to {target}.', { target: visible(reason.target, MAX_PATH) })}`;
}

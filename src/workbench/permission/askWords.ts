/** The words of questions that ACP Host asks itself, before it does what an agent wants. Pure. */
import type { QuestionWords } from '../../session/questions/hostQuestions';
import type { TranslateVerbatim } from '../shared/translate';

/** Titles and answers, as they stand in the conversation. */
export function questionWords(t: TranslateVerbatim): QuestionWords {
  return {
    title: (reason) => {
      if (reason.type === 'command') {
        return t('Run a command');
      }
      const { rule } = reason;
      if (reason.overwrites) {
        return t('Overwrite a protected file ({rule})', { rule });
      }
      return reason.access === 'read' ? t('Read a protected file ({rule})', { rule }) : t('Write a protected file ({rule})', { rule });
    },
    once: () => t('Allow Once'),
    session: ({ type }) => (type === 'command' ? t('Allow Commands in This Session') : t('Allow This File in This Session')),
    reject: () => t('Reject'),
    changeTitle: (file) => t('Change {file}', { file }),
    acceptChange: () => t('Accept'),
    acceptChangesInSession: () => t('Accept All in This Session'),
  };
}

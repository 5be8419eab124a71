/** The words of questions that ACP Host asks itself, before it does what an agent wants. Pure. */
import type { AskReason } from '../../core/model/content';
import type { QuestionWords } from '../../session/questions/questionDependencies';
import type { TranslateVerbatim } from '../shared/translate';

/** Titles and answers in the conversation. */
export function questionStrings(t: TranslateVerbatim): QuestionWords {
  return {
    title: (reason) => {
      if (reason.type === 'command') {
        return t('Run a command');
      }
      if (reason.type === 'rule' || reason.type === 'repetition') {
        return ruleTitle(reason, t);
      }
      const file = nameOf(reason.path, reason.rule);
      if (reason.overwrites) {
        return t('Overwrite a protected file ({file})', { file });
      }
      return reason.access === 'read' ? t('Read a protected file ({file})', { file }) : t('Write a protected file ({file})', { file });
    },
    once: () => t('Allow Once'),
    session: ({ type }) =>
      type === 'command'
        ? t('Allow Commands in This Session')
        : type === 'rule'
          ? t('Allow This Tool in This Session')
          : t('Allow This File in This Session'),
    reject: () => t('Reject'),
    changeTitle: (file) => t('Change {file}', { file }),
    acceptChange: () => t('Accept'),
    acceptChangesInSession: () => t('Accept All in This Session'),
  };
}

function ruleTitle({ kind, path = '' }: Extract<AskReason, { type: 'rule' | 'repetition' }>, t: TranslateVerbatim): string {
  const file = path.split(/[\\/]/).at(-1)!;
  if (kind === 'tool') {
    return toolTitle(path, t);
  }
  if (kind === 'address') {
    return t('Open {address}', { address: path });
  }
  return kind === 'command' ? t('Run a command') : kind === 'read' ? t('Read {file}', { file }) : t('Change {file}', { file });
}

function toolTitle(tool: string, t: TranslateVerbatim): string {
  return t('Use the editor tool {tool}', { tool });
}

/** The file's name, with the folder that the rule protects. The card has the whole path and the rule. */
function nameOf(file: string, rule: string): string {
  const parts = file.split(/[\\/]/);
  const at = parts.lastIndexOf(rule);
  return at < 0 ? parts.at(-1)! : parts.slice(at).join('/');
}

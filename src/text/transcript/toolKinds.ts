/** The kinds of tool calls in words, for host and page. Pure. */
import type { ShowValue } from '../messages/failures';
import type { TranslateVerbatim } from '../messages/translate';

/** Returns the word for a kind. An unknown kind is returned as the agent sent it, made safe by `show`. */
export function toolKindLabel(kind: string, t: TranslateVerbatim, show: ShowValue): string {
  switch (kind) {
    case 'read':
      return t('Read');
    case 'edit':
      return t('Edit');
    case 'delete':
      return t('Delete');
    case 'move':
      return t('Move');
    case 'search':
      return t('Search');
    case 'execute':
      return t('Run');
    case 'think':
      return t('Think');
    case 'fetch':
      return t('Fetch');
    case 'switch_mode':
      return t('Switch mode');
    case 'other':
      return t('Tool');
    default:
      return show(kind);
  }
}

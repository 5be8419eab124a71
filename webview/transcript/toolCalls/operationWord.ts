import { t } from '../../l10n';
import { oneLine } from '../../markdown/textSafety';

/** What a change does to its file; nothing for the usual. */
export function operationWord(operation: string): string {
  switch (operation) {
    case 'modify':
      return '';
    case 'add':
      return t('New file');
    case 'delete':
      return t('Deleted');
    case 'move':
      return t('Moved');
    case 'copy':
      return t('Copied from');
    default:
      return oneLine(operation, 40);
  }
}

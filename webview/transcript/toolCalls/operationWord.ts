import * as statuses from '../../../src/text/messages/statuses';
import { t } from '../../l10n';
import { oneLine } from '../../../src/text/characters/textSafety';

/** What a change does to its file; nothing for the usual. */
export function operationWord(operation: string): string {
  return statuses.operationWord(operation, t, (word) => oneLine(word, 40));
}

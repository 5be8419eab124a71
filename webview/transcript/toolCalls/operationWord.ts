import * as statuses from '../../../src/text/messages/statuses';
import { t } from '../../l10n';
import { oneLine } from '../../../src/text/characters/textSafety';

/** The change of a file in a word; undefined for a usual edit. */
export function operationWord(operation: string): string {
  return statuses.operationWord(operation, t, (word) => oneLine(word, 40));
}

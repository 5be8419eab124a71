import * as statuses from '../../../src/text/messages/statusText';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';

/** The change of a file in a word; undefined for a usual edit. */
export function operationLabel(operation: string): string {
  return statuses.operationLabel(operation, t, (word) => oneLine(word, 40));
}

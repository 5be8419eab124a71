/** An update of the agent of an unknown kind. */
import type { UnknownEntry } from '../../../src/core/model/state';
import { unknownText } from '../../../src/text/messages/statusText';
import { InfoIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { useLoaded } from '../../base/lazy';
import { oneLine } from '../../../src/text/characters/textSafety';
import { toolChunk } from '../toolCalls/lazyToolCalls';

export function UnknownView({ entry }: { entry: UnknownEntry }) {
  const chunk = useLoaded(toolChunk);
  const label = oneLine(entry.label, 120);
  return (
    <div class="entry unknown" role="group" aria-label={label}>
      <div class="unknown-label">
        <InfoIcon />
        <span>{unknownText(label, t)}</span>
      </div>
      {chunk && <chunk.Raw entryId={entry.entryId} field="rawInput" label={t('Raw Content')} value={entry.raw} />}
    </div>
  );
}

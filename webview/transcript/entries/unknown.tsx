/** Something the agent said that we have no better way to show. */
import type { UnknownEntry } from '../../../src/core/model/state';
import { InfoIcon } from '../../icons';
import { t } from '../../l10n';
import { oneLine } from '../../markdown/textSafety';
import { Raw } from '../toolCalls/raw';

export function UnknownView({ entry }: { entry: UnknownEntry }) {
  const label = oneLine(entry.label, 120);
  return (
    <div class="entry unknown" role="group" aria-label={label}>
      <div class="unknown-label">
        <InfoIcon />
        <span>{t('The agent sent something this version does not know: {label}', { label })}</span>
      </div>
      <Raw entryId={entry.entryId} field="rawInput" label={t('What it sent')} value={entry.raw} />
    </div>
  );
}

/** The fallback for an entry that failed to render: its text stays readable. */
import type { Slot } from '../../../src/core/model/state';
import { InfoIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { escapeMisleading } from '../../../src/text/characters/textSafety';

/** UTF-16 units; exports contain the whole text. */
const MAX_SHOWN = 20_000;

export function FallbackEntry({ slot }: { slot: Slot }) {
  const label = t("Couldn't show this part of the conversation. Its content:");
  return (
    <div class="entry unknown" role="group" aria-label={label}>
      <div class="unknown-label">
        <InfoIcon />
        <span>{label}</span>
      </div>
      <pre class="unknown-text">{escapeMisleading(textOf(slot).slice(0, MAX_SHOWN))}</pre>
    </div>
  );
}

function textOf(slot: Slot): string {
  try {
    return JSON.stringify(slot, null, 2);
  } catch {
    return slot.entryId;
  }
}

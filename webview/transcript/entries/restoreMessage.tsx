/** A user message's own button: files and conversation go back to before it. What goes back is asked in VS Code. */
import type { MessageEntry } from '../../../src/core/model/state';
import { useSelect, useView } from '../../context';
import { UndoIcon } from '../../icons';
import { t } from '../../l10n';

/** What can only be read here. */
const READ_ONLY = new Set(['session.replayed', 'session.live_elsewhere', 'session.newer_version']);

export function RestoreMessage({ entry }: { entry: MessageEntry }) {
  const { post } = useView();
  const isReadOnly = useSelect(({ failure }) => failure !== undefined && READ_ONLY.has(failure.code));
  if (isReadOnly) {
    return null;
  }
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('Restore Checkpoint…')}
      title={t('Restore Checkpoint…')}
      onClick={() => post({ type: 'restore_checkpoint', entryId: entry.entryId })}
    >
      <UndoIcon />
    </button>
  );
}

/** Shows that the message box holds an earlier message, and what sending it will do. */
import { isBusy } from '../../src/core/model/select';
import { useSelect } from '../state/context';
import { t } from '../base/l10n';
import { editingText } from '../transcript/entries/editingStrings';

export function EditBar({ cancel }: { cancel(): void }) {
  const busy = useSelect(isBusy);
  return (
    <div class="edit-bar" role="group" aria-label={t('Editing an earlier message')}>
      <span id="edit-hint">{editingText(busy)}</span>
      <button type="button" class="button button-secondary" title={t('Cancel (Escape)')} onClick={cancel}>
        {t('Cancel')}
      </button>
    </div>
  );
}

/** What can be done about sessions: a new one, an earlier one, and with this one. */
import { useView } from '../context';
import { HistoryIcon, PlusIcon } from '../icons';
import { t } from '../l10n';
import { useLate } from '../late';
import { conversationParts } from '../parts';
import { MoreButton } from './moreButton';

export function SessionActions() {
  const { post } = useView();
  return (
    <div class="header-actions">
      <button
        type="button"
        class="icon-button"
        aria-label={t('New Session')}
        title={t('New Session')}
        onClick={() => post({ type: 'action', action: 'new_session' })}
      >
        <PlusIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Session History')}
        title={t('Session History')}
        onClick={() => post({ type: 'action', action: 'session_history' })}
      >
        <HistoryIcon />
      </button>
      <MoreMenu />
    </div>
  );
}

/** A menu that opens before its items are loaded is empty, and has them a moment later. */
function MoreMenu() {
  const parts = useLate(conversationParts);
  return parts ? <parts.MoreMenu /> : <MoreButton items={[]} />;
}

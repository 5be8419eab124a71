/** The sharing of the session, in the header. */
import { t } from '../base/l10n';
import { useSelect, useView } from '../state/context';

/** Nothing while the session is not shared. The button opens the page of the sharing. */
export function SharingFact() {
  const { post } = useView();
  const clients = useSelect((state) => state.sharing?.clients);
  if (clients === undefined) {
    return null;
  }
  const text = clients === 0 ? t('Shared') : clients === 1 ? t('Shared: 1 client') : t('Shared: {count} clients', { count: clients });
  return (
    <button
      type="button"
      class="header-sharing"
      title={t('Show Shared Sessions')}
      onClick={() => post({ type: 'action', action: 'share_session' })}
    >
      {text}
    </button>
  );
}

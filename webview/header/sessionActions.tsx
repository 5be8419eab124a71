/** The buttons for sessions: a new one, earlier ones, and the menu of the current one. */
import { isNew } from '../../src/core/model/select';
import { useSelect, useView } from '../state/context';
import { HistoryIcon, MoreIcon, PlusIcon } from '../base/icons';
import { t } from '../base/l10n';
import { useLazy } from '../base/lazy';
import { moreItemsChunk } from './lazyMoreItems';
import { MenuButton } from '../components/menu';

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

function MoreMenu() {
  const { mirror, post, search } = useView();
  const chunk = useLazy(moreItemsChunk);
  // Subscribes to the fields that the items depend on.
  useSelect(({ entries }) => entries.length === 0);
  useSelect(isNew);
  useSelect(({ status }) => status);
  useSelect(({ capabilities }) => capabilities);
  useSelect(({ failure }) => failure);
  useSelect(({ marks }) => marks);
  useSelect(({ sandbox }) => sandbox);
  return (
    <MenuButton
      id="more-menu"
      label={t('More Actions…')}
      title={t('More Actions…')}
      items={chunk ? chunk.moreItems(mirror.state, post, () => search.show()) : []}
    >
      <MoreIcon />
    </MenuButton>
  );
}

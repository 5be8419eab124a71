/** The button of the session's menu, drawn with the first paint; its items come later. */
import { MoreIcon } from '../icons';
import { t } from '../l10n';
import { MenuButton, type MenuItem } from './menu';

export function MoreButton({ items }: { items: readonly MenuItem[] }) {
  return (
    <MenuButton id="more-menu" label={t('More Actions…')} title={t('More Actions…')} items={items}>
      <MoreIcon />
    </MenuButton>
  );
}

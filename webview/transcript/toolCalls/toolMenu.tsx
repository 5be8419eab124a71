/** What a card has besides what it shows: a menu at the end of its header. */
import { useFold } from '../../context';
import { MenuButton } from '../../header/menu';
import { EllipsisIcon } from '../../icons';
import { t } from '../../l10n';

/** True while what the agent sent stands in the card as it was sent. */
export function useRawShown(entryId: string): [boolean, (shown: boolean) => void] {
  return useFold(`${entryId}/raw`, false);
}

export function ToolMenu({ entryId }: { entryId: string }) {
  const [shown, setShown] = useRawShown(entryId);
  const more = t('More Actions…');
  return (
    <MenuButton
      id={`menu-${entryId}`}
      label={more}
      title={more}
      items={[{ label: shown ? t('Hide Raw Data') : t('Show Raw Data'), choose: () => setShown(!shown) }]}
    >
      <EllipsisIcon />
    </MenuButton>
  );
}

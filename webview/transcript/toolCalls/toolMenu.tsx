/** The menu at the end of a card's header, with the data that the card does not show. */
import type { ToolCallEntry } from '../../../src/core/model/state';
import { useDisclosure } from '../../state/context';
import { MenuButton } from '../../components/menu';
import { MoreIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { hiddenRaw } from './rawData';

/** True while the card shows the agent's raw data. */
export function useRawShown(entryId: string): [boolean, (shown: boolean) => void] {
  return useDisclosure(`${entryId}/raw`, false);
}

/** Renders nothing when the card shows everything. @param title the card's title */
export function ToolMenu({ entry, title }: { entry: ToolCallEntry; title: string }) {
  const { entryId } = entry;
  const [shown, setShown] = useRawShown(entryId);
  const hidden = hiddenRaw(entry, title);
  if (!hidden.rawInput && !hidden.rawOutput) {
    return null;
  }
  const more = t('More Actions…');
  return (
    <MenuButton
      id={`menu-${entryId}`}
      label={more}
      title={more}
      items={[{ label: shown ? t('Hide Raw Data') : t('Show Raw Data'), choose: () => setShown(!shown) }]}
    >
      <MoreIcon />
    </MenuButton>
  );
}

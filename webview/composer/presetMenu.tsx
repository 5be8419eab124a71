/** The menu of the session's options: presets are chosen and saved here. Loaded after the first paint. */
import { MenuButton } from '../components/menu';
import { MoreIcon } from '../base/icons';
import { t } from '../base/l10n';
import { useSelect, useView } from '../state/context';

export function PresetMenu() {
  const { post } = useView();
  const isReady = useSelect((state) => state.status === 'ready');
  if (!isReady) {
    return null;
  }
  const items = [
    { label: t('Presets…'), choose: () => post({ type: 'action', action: 'use_preset' }) },
    { label: t('Save as Preset…'), choose: () => post({ type: 'action', action: 'save_preset' }) },
  ];
  return (
    <MenuButton id="preset-menu" label={t('Presets')} title={t('Presets')} items={items} floating>
      <MoreIcon />
    </MenuButton>
  );
}

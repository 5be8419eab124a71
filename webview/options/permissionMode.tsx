/**
 * The session's permission mode, beside the agent's own options. The shield tells it apart from the agent's modes, which say how the agent works:
 * this one says what ACP Host answers.
 */
import { modeOf } from '../../src/core/modes/permissionMode';
import { canResume } from '../../src/core/model/select';
import { modeLabel } from '../../src/text/messages/permissionModeNames';
import { useSelect, useView } from '../state/context';
import { ShieldIcon } from '../base/icons';
import { t } from '../base/l10n';
import { SelectButton } from './select';

/** The key of the command Set Permission Mode, unless the user has given it another. */
const KEYS = { shown: navigator.platform.startsWith('Mac') ? '⌥⌘,' : 'Ctrl+Alt+,', aria: 'Control+Alt+,' };

export function PermissionModeSelect() {
  const { post, composer } = useView();
  const mode = useSelect(modeOf);
  const isBypassed = useSelect(({ unasked }) => mode === 'planOnly' && unasked?.inPlanOnly === true);
  const disabled = useSelect((state) => state.status !== 'ready' && state.status !== 'starting' && !canResume(state));
  return (
    <SelectButton
      class={mode === 'ask' ? 'option permission-mode' : `option permission-mode permission-mode-set permission-mode-${mode}`}
      attributes={{
        'aria-label': t('Permission mode'),
        'aria-keyshortcuts': KEYS.aria,
        title: t('Permission mode of ACP Host ({keys})', { keys: KEYS.shown }),
      }}
      disabled={disabled}
      leave={() => composer.focus()}
      list={({ PermissionModeList }, frame) => (
        <PermissionModeList {...frame} value={mode} choose={(chosen) => post({ type: 'set_permission_mode', mode: chosen })} />
      )}
    >
      <ShieldIcon />
      <span class="permission-mode-word">{isBypassed ? t('{mode} (not held)', { mode: modeLabel(mode, t) }) : modeLabel(mode, t)}</span>
    </SelectButton>
  );
}

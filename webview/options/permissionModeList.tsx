/** The list of permission modes, and what they can hold back of the present agent's work. */
import { actsUnasked, modeLimits, needsSandbox } from '../../src/core/approval/modeLimits';
import { PERMISSION_MODES, type PermissionMode } from '../../src/core/modes/permissionMode';
import { modeLabel } from '../../src/text/messages/permissionModeNames';
import { modeAbout, modeLimitsText, sandboxHint } from '../../src/text/messages/permissionModes';
import { oneLine } from '../../src/text/characters/textSafety';
import { useView } from '../state/context';
import { t } from '../base/l10n';
import { ChoiceList, type ListFrame } from './list';

interface Props extends ListFrame {
  readonly value: PermissionMode;
  choose(mode: PermissionMode): void;
}

export function PermissionModeList({ value, choose, ...frame }: Props) {
  const { state } = useView().mirror;
  const limits = modeLimits(state, state.agentName);
  const agent = oneLine(state.agentName, 60);
  const unasked = actsUnasked(limits) ? agent : undefined;
  const note = [modeLimitsText(limits, agent, t), needsSandbox(limits) ? sandboxHint(t) : ''];
  const rows = PERMISSION_MODES.map((mode) => ({
    value: mode,
    label: modeLabel(mode, t),
    description: modeAbout(mode, t, unasked),
    group: '',
  }));
  return (
    <ChoiceList
      {...frame}
      name={t('Permission mode')}
      value={value}
      all={{ rows, more: 0 }}
      note={note.filter(Boolean).join(' ')}
      choose={(mode) => choose(mode as PermissionMode)}
    />
  );
}

/** The question whether a workspace may choose a preset of the user for its sessions. */
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Preset } from '../../application/presets/preset';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const KEY = 'presetsOfWorkspace';
const MAX_NAME = 80;
/** Answers that are kept per workspace. The oldest are dropped. */
const MAX_ANSWERS = 20;

/**
 * Resolves to true when the preset may be used. Asks once for each content of a preset whose mode or options may let the agent act without asking: the
 * user made it for another project.
 */
export async function mayWorkspaceUse(preset: Preset, state: Pick<vscode.Memento, 'get' | 'update'>): Promise<boolean> {
  if (preset.permissionMode !== 'acceptEdits' && Object.keys(preset.options ?? {}).length === 0) {
    return true;
  }
  const hash = createHash('sha256').update(JSON.stringify(preset)).digest('hex');
  const answers = answersIn(state.get(KEY));
  const known = answers.find(([each]) => each === hash);
  if (known) {
    return known[1];
  }
  const use = t('Use the Preset');
  const leave = t("Don't Use It");
  const name = inertLine(preset.name, MAX_NAME);
  const detail = t(
    'Its options and its permission mode may let the agent act without asking you. The question is not repeated until the preset changes.',
  );
  const answer = await window.showInformationMessage(
    t('The settings of this workspace start sessions with your preset "{name}".', { name }),
    { modal: true, detail },
    use,
    leave,
  );
  if (answer === undefined) {
    return false; // Asked again with the next session.
  }
  await state.update(KEY, [[hash, answer === use], ...answers].slice(0, MAX_ANSWERS));
  return answer === use;
}

function answersIn(stored: unknown): readonly [string, boolean][] {
  return Array.isArray(stored)
    ? stored.filter((each): each is [string, boolean] => Array.isArray(each) && typeof each[0] === 'string' && typeof each[1] === 'boolean')
    : [];
}

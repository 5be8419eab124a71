/** **ACP: Save as Preset…** and **ACP: Use Preset…**, for the session in front. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { MAX_PRESET_NAME, type Preset, presetOf, withPreset } from '../../application/presets/preset';
import { presetRows, suggestedName } from '../../application/presets/presetRows';
import { inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import type { ConfigOption } from '../../core/model/content';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import { type SessionSetup, setupIn } from '../../core/model/sessionSetup';
import type { Session } from '../../session/session';
import { readUserValue } from '../settings/agentSettings';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { type ApplyPresetDependencies, switchToPreset } from './applyPreset';
import { readPresets } from './readPresets';

export interface PresetCommandDependencies extends ApplyPresetDependencies {
  readonly activity: Pick<UserActivity, 'during'>;
  /** The session in front. */
  active(): Session | undefined;
  agents(): { readonly catalog: { readonly entries: readonly CatalogEntry[] } };
  /** Starts a session of another agent. */
  start(choice: { readonly launch: AgentLaunch; readonly setup: SessionSetup; readonly preset: Preset }): Promise<unknown>;
}

type Row = Item & { readonly preset?: Preset; readonly entry?: CatalogEntry; readonly saves?: true };

/** Asks for a name and saves the agent, its options, its servers and the permission mode of the session in front. */
export async function savePreset(deps: PresetCommandDependencies): Promise<void> {
  const session = sessionOf(deps);
  if (!session) {
    return;
  }
  const { agentId, agentName, store } = session;
  const plan = await (await deps.servers.feature()).planOf(session);
  const names = plan?.servers.flatMap(({ name, reason }) => (reason === 'switched_off' ? [] : [name]));
  const present = readPresets();
  const typed = await deps.activity.during(() =>
    window.showInputBox({
      title: t('Save as Preset'),
      prompt: t('Name of the preset. It has the agent, its options, its MCP servers and the permission mode.'),
      value: suggestedName(agentName, valueNames(store.state.config)),
      ignoreFocusOut: true,
      validateInput: (text) =>
        text.trim() === ''
          ? t('Enter a name.')
          : text.trim().length > MAX_PRESET_NAME
            ? t('The name is too long.')
            : present.some(({ name }) => name === text.trim())
              ? { message: t('Replaces the preset of this name.'), severity: vscode.InputBoxValidationSeverity.Info }
              : undefined,
    }),
  );
  const name = typed?.trim();
  if (name === undefined || name === '') {
    return;
  }
  const preset = presetOf(name, agentId, store.state, plan && plan.servers.length > 0 ? names : undefined);
  const value = withPreset(readUserValue(settings.presets).value, preset);
  const edit = t('Edit Settings');
  if (!value) {
    const message = t("The preset wasn't saved: {setting} in your settings isn't an object.", { setting: settings.presets });
    const answer = await window.showErrorMessage(message, edit);
    return answer === edit ? openPresetSettings() : undefined;
  }
  await vscode.workspace.getConfiguration().update(settings.presets, value, vscode.ConfigurationTarget.Global);
  void window
    .showInformationMessage(t('Saved the preset {name}.', { name: inertLine(name, MAX_PRESET_NAME) }), edit)
    .then((answer) => (answer === edit ? openPresetSettings() : undefined));
}

/** Asks for a preset. One of this agent changes the session in front, one of another agent starts a new session. */
export async function usePreset(deps: PresetCommandDependencies): Promise<void> {
  const session = sessionOf(deps);
  if (!session) {
    return;
  }
  const configOf = (agentId: string): readonly ConfigOption[] => (agentId === session.agentId ? session.store.state.config : []);
  const rows = presetRows(readPresets(), deps.agents().catalog.entries, t, verbatim, configOf).map(
    (row): Row => ({ ...row, iconPath: new vscode.ThemeIcon('bookmark') }),
  );
  const isHere = ({ entry }: Row): boolean => entry === undefined || entry.agentId === session.agentId;
  const here = rows.filter(isHere);
  const elsewhere = rows.filter((row) => !isHere(row));
  const save: Row = { label: t('Save as Preset…'), iconPath: new vscode.ThemeIcon('add'), saves: true };
  const items = [
    ...here,
    ...(elsewhere.length > 0 ? [separator(t('In a new session')), ...elsewhere] : []),
    ...(rows.length > 0 ? [separator()] : []),
    save,
  ];
  const options = { title: t('Presets'), placeHolder: t('Select a preset'), matchOnDescription: true, matchOnDetail: true };
  const chosen = await deps.activity.during(() => window.showQuickPick<Row>(items, options));
  if (chosen?.saves) {
    await savePreset(deps);
  } else if (chosen?.preset && chosen.entry && !isHere(chosen)) {
    await deps.start({ launch: chosen.entry.launch, setup: setupIn(session.setup), preset: chosen.preset });
  } else if (chosen?.preset) {
    await switchToPreset(deps, session, chosen.preset);
  }
}

/** Returns the session in front if its agent runs. */
function sessionOf({ active }: PresetCommandDependencies): Session | undefined {
  const session = active();
  if (session && !session.isRecorded && session.launch && session.store.state.status === 'ready') {
    return session;
  }
  void window.showInformationMessage(session ? t('A preset can be used once the agent is ready.') : t('Open a session first.'));
  return undefined;
}

/** The names of the values of model and mode, for a name. */
function valueNames(config: readonly ConfigOption[]): readonly string[] {
  return ['model', 'mode'].flatMap((category) =>
    config.flatMap((option) => {
      const value = option.type === 'select' && option.category === category ? option.currentValue : undefined;
      const choices = option.type === 'select' ? option.groups.flatMap((group) => group.choices) : [];
      return value === undefined ? [] : [choices.find((choice) => choice.value === value)?.name ?? value];
    }),
  );
}

async function openPresetSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: settings.presets, edit: false } });
}

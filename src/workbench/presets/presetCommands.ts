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
import { separator, window } from '../shared/window';
import { type ApplyPresetDependencies, switchToPreset } from './applyPreset';
import { askPresetName, type PresetItem, pickPreset, presetItem } from './pickPreset';
import { readPresets } from './readPresets';
import { openPresetSettings, writePresets } from './writePresets';

export interface PresetCommandDependencies extends ApplyPresetDependencies {
  readonly activity: Pick<UserActivity, 'during'>;
  /** The session in front. */
  active(): Session | undefined;
  agents(): { readonly catalog: { readonly entries: readonly CatalogEntry[] } };
  /** Starts a session of another agent. */
  start(choice: { readonly launch: AgentLaunch; readonly setup: SessionSetup; readonly preset: Preset }): Promise<unknown>;
}

type Row = PresetItem & { readonly entry?: CatalogEntry; readonly saves?: true };

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
  const name = await deps.activity.during(() =>
    askPresetName({
      title: t('Save as Preset'),
      prompt: t('Name of the preset. It has the agent, its options, its MCP servers and the permission mode.'),
      value: suggestedName(agentName, valueNames(store.state.config)),
      taken: present.map((each) => each.name),
    }),
  );
  if (name === undefined) {
    return;
  }
  const preset = presetOf(name, agentId, store.state, plan && plan.servers.length > 0 ? names : undefined);
  if (!(await writePresets(withPreset(readUserValue(settings.presets).value, preset)))) {
    return;
  }
  const edit = t('Edit Settings');
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
  const isHere = ({ entry }: Row): boolean => entry === undefined || entry.agentId === session.agentId;
  const save: Row = { label: t('Save as Preset…'), iconPath: new vscode.ThemeIcon('add'), saves: true };
  const items = (): readonly Row[] => {
    const rows: readonly Row[] = presetRows(readPresets(), deps.agents().catalog.entries, t, verbatim, configOf).map(presetItem);
    const here = rows.filter(isHere);
    const elsewhere = rows.filter((row) => !isHere(row));
    return [
      ...here,
      ...(elsewhere.length > 0 ? [separator(t('In a new session')), ...elsewhere] : []),
      ...(rows.length > 0 ? [separator()] : []),
      save,
    ];
  };
  const chosen = await deps.activity.during(() => pickPreset(items));
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

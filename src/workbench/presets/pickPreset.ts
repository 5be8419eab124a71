/** The list of presets. The buttons of a row make the preset the one of new sessions, rename it and delete it. */
import * as vscode from 'vscode';
import { MAX_PRESET_NAME, type Preset, withoutPreset, withRenamedPreset } from '../../application/presets/preset';
import type { PresetRow } from '../../application/presets/presetRows';
import { type InertText, inertLine, joined } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { readUserValue } from '../settings/agentSettings';
import { t } from '../shared/l10n';
import { type Button, type Item, window } from '../shared/window';
import { readPresets } from './readPresets';
import { userDefaultPreset, writeDefaultPreset, writePresets } from './writePresets';

export type PresetItem = Item & { readonly preset?: Preset };

type Act = (name: string) => Promise<void>;

/** The act of each button. */
const acts = new WeakMap<object, Act>();

/** Returns the row of a preset, with its buttons. */
export function presetItem<Row extends PresetRow>(row: Row): Row & PresetItem {
  const isDefault = userDefaultPreset() === row.preset.name;
  return {
    ...row,
    iconPath: new vscode.ThemeIcon('bookmark'),
    ...(isDefault && { description: joined([row.description, t('Used for new sessions')], ' · ') }),
    buttons: [
      isDefault
        ? button('star-full', t('Stop Using for New Sessions'), () => writeDefaultPreset(undefined))
        : button('star-empty', t('Use for New Sessions'), writeDefaultPreset),
      button('edit', t('Rename'), rename),
      button('trash', t('Delete'), remove),
    ],
  };
}

function button(icon: string, tooltip: InertText, act: Act): Button {
  const made = { iconPath: new vscode.ThemeIcon(icon), tooltip };
  acts.set(made, act);
  return made;
}

/** Asks for a row. After a button the list is shown again, with the rows of then. */
export async function pickPreset<Row extends PresetItem>(items: () => readonly Row[]): Promise<Row | undefined> {
  for (let last: string | undefined; ; ) {
    const answer = await ask(items(), last);
    if (!answer?.act) {
      return answer?.row;
    }
    last = answer.row.preset?.name;
    await answer.act(last ?? '');
  }
}

function ask<Row extends PresetItem>(
  items: readonly Row[],
  active: string | undefined,
): Promise<{ readonly row: Row; readonly act?: Act | undefined } | undefined> {
  return new Promise((resolve) => {
    const pick = window.createQuickPick<Row>();
    pick.title = t('Presets');
    pick.placeholder = t('Select a preset');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = items;
    pick.activeItems = items.filter(({ preset }) => preset !== undefined && preset.name === active);
    pick.onDidTriggerItemButton(({ item, button: pressed }) => {
      resolve({ row: item, act: acts.get(pressed) });
      pick.hide();
    });
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      resolve(row && { row });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Asks for the name of a preset. Returns undefined when the user leaves the question. */
export async function askPresetName(question: {
  readonly title: InertText;
  readonly prompt: InertText;
  readonly value: string;
  /** The names of the presets that a new one would replace. */
  readonly taken: readonly string[];
}): Promise<string | undefined> {
  const { title, prompt, value, taken } = question;
  const typed = await window.showInputBox({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ''
        ? t('Enter a name.')
        : text.trim().length > MAX_PRESET_NAME
          ? t('The name is too long.')
          : taken.includes(text.trim())
            ? { message: t('Replaces the preset of this name.'), severity: vscode.InputBoxValidationSeverity.Info }
            : undefined,
  });
  return typed?.trim() || undefined;
}

async function rename(name: string): Promise<void> {
  const taken = readPresets().flatMap((preset) => (preset.name === name ? [] : [preset.name]));
  const shown = { preset: inertLine(name, MAX_PRESET_NAME) };
  const typed = await askPresetName({
    title: t('Rename Preset'),
    prompt: t('New name of the preset {preset}.', shown),
    value: name,
    taken,
  });
  if (typed === undefined || typed === name) {
    return;
  }
  const wasDefault = userDefaultPreset() === name;
  if ((await writePresets(withRenamedPreset(readUserValue(settings.presets).value, name, typed))) && wasDefault) {
    await writeDefaultPreset(typed);
  }
}

async function remove(name: string): Promise<void> {
  const question = t('Delete the preset {preset}?', { preset: inertLine(name, MAX_PRESET_NAME) });
  const yes = t('Delete');
  if ((await window.showWarningMessage(question, { modal: true }, yes)) !== yes) {
    return;
  }
  const wasDefault = userDefaultPreset() === name;
  if ((await writePresets(withoutPreset(readUserValue(settings.presets).value, name))) && wasDefault) {
    await writeDefaultPreset(undefined);
  }
}

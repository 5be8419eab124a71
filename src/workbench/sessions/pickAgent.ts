/** Asks for the agent of a new session, or for a preset. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { type AgentItem, agentItem } from '../agents/agentItems';
import { agentRows } from '../../application/agents/agentRows';
import { preferredAgent } from '../../application/agents/preferredAgent';
import { availabilityOf } from '../../application/agents/availability';
import { revealAgentsSetting } from '../agents/revealSetting';
import type { Failure } from '../../core/model/failure';
import { type InertText, inertLine } from '../../application/shared/escape';
import { commands } from '../../application/shared/ids';
import { MAX_PRESET_NAME, type Preset } from '../../application/presets/preset';
import { type PresetRow, presetRows } from '../../application/presets/presetRows';
import { t, verbatim } from '../shared/l10n';
import { type Button, separator, window } from '../shared/window';

/** The user's answer. A preset comes with its agent, unless the agent is not configured. */
interface AgentChoice {
  readonly entry?: CatalogEntry;
  readonly preset?: Preset;
}

/** An agent, alone or as part of a preset. */
export type PickedAgent = AgentChoice & { readonly entry: CatalogEntry };

export interface PickAgentOptions {
  readonly notice?: InertText | undefined;
  readonly title?: InertText;
  /** The problems in the user's setting; see `parseAgents`. */
  readonly problems?: readonly Failure[];
  readonly presets?: readonly Preset[];
  /** The programs of agents on this machine, by the agent's id. */
  readonly installed?: ReadonlyMap<string, string> | undefined;
  /** The number of agents of the workspace that wait for consent. */
  readonly waiting?: number | undefined;
}

type Row = AgentItem & Partial<PresetRow<CatalogEntry>>;

/**
 * Asks for an agent or a preset. A preset whose agent is not configured leads to a second question for another agent.
 * @param recent the names of agents that were used, the last one first
 */
export async function pickAgent(
  recent: readonly string[],
  entries: readonly CatalogEntry[],
  options: PickAgentOptions = {},
): Promise<PickedAgent | undefined> {
  const choice = await ask(recent, entries, options);
  return choice?.preset && !choice.entry ? agentForPreset(choice.preset, recent, entries) : picked(choice);
}

/** Asks for the agent of a preset whose own agent is not configured. */
export async function agentForPreset(
  preset: Preset,
  recent: readonly string[],
  entries: readonly CatalogEntry[],
): Promise<PickedAgent | undefined> {
  const names = { preset: inertLine(preset.name, MAX_PRESET_NAME), agent: inertLine(preset.agent, MAX_PRESET_NAME) };
  const choice = await ask(recent, entries, { title: t("{preset}: {agent} isn't configured", names) });
  return picked(choice && { ...choice, preset });
}

function picked(choice: AgentChoice | undefined): PickedAgent | undefined {
  return choice?.entry && { ...choice, entry: choice.entry };
}

async function ask(
  recent: readonly string[],
  entries: readonly CatalogEntry[],
  { notice, title = t('New Session'), problems = [], presets = [], waiting = 0, installed }: PickAgentOptions,
): Promise<AgentChoice | undefined> {
  const availability = await availabilityOf(entries, process.env);
  return new Promise((resolve) => {
    const openSettings: Button = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Agent Settings') };
    const pick = window.createQuickPick<Row>();
    pick.title = title;
    pick.placeholder = t('Select an agent');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    // The focus moves around in a window that has just opened, which would close the question.
    pick.ignoreFocusOut = true;
    pick.buttons = [openSettings];
    const agents = agentRows(entries, { recent, availability, problems, installed }, t);
    const items = agents.map(agentItem);
    const rows = withPresets(items, presetRows(presets, entries, t, verbatim), recent.length > 0);
    // A user who misses an agent looks for it in this list.
    const noticeRow: AgentItem = {
      label: t('Some agent settings were ignored'),
      ...(notice !== undefined && { detail: notice }),
      alwaysShow: true,
    };
    const browseRow: AgentItem = { label: t('Browse Agents…'), iconPath: new vscode.ThemeIcon('library'), alwaysShow: true };
    const addRow: AgentItem = { label: t('Add Agent…'), iconPath: new vscode.ThemeIcon('add'), alwaysShow: true };
    const reviewRow: AgentItem = {
      label: waiting === 1 ? t('Review 1 Agent of This Workspace…') : t('Review {count} Agents of This Workspace…', { count: waiting }),
      iconPath: new vscode.ThemeIcon('root-folder'),
      alwaysShow: true,
    };
    const others = [...(notice === undefined ? [] : [noticeRow]), ...(waiting > 0 ? [reviewRow] : []), browseRow, addRow];
    pick.items = [...rows, separator(), ...others];
    const leaveFor = (command: () => Thenable<unknown>) => {
      pick.hide();
      void command();
    };
    const toSettings = () => leaveFor(() => vscode.commands.executeCommand(commands.openSettings));
    pick.onDidChangeValue((typed) => {
      const preferred = preferredAgent(agents, typed);
      void (preferred && (pick.activeItems = [items[agents.indexOf(preferred)]!]));
    });
    pick.onDidTriggerButton(toSettings);
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row === noticeRow) {
        toSettings();
      } else if (row === browseRow) {
        leaveFor(() => vscode.commands.executeCommand(commands.browseAgents));
      } else if (row === addRow) {
        leaveFor(() => vscode.commands.executeCommand(commands.addAgent));
      } else if (row === reviewRow) {
        leaveFor(reviewAndStart);
      } else if (row?.isBroken) {
        leaveFor(() => revealAgentsSetting(row.agentName));
      } else if (row?.entry || row?.preset) {
        resolve({ ...(row.entry && { entry: row.entry }), ...(row.preset && { preset: row.preset }) });
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Adds the presets as a group of their own, below the agents used last. */
function withPresets(agents: readonly Row[], presets: readonly PresetRow<CatalogEntry>[], hasRecent: boolean): readonly Row[] {
  if (presets.length === 0) {
    return agents;
  }
  const isHeading = ({ kind }: Row, index: number): boolean => index > 0 && kind === vscode.QuickPickItemKind.Separator;
  const next = hasRecent ? agents.findIndex(isHeading) : 0;
  const at = next < 0 ? agents.length : next;
  const rows = presets.map((row): Row => ({ ...row, iconPath: new vscode.ThemeIcon('bookmark') }));
  return [...agents.slice(0, at), separator(t('Presets')), ...rows, ...agents.slice(at)];
}

/** Asks about the agents of the workspace, then for the agent again. */
async function reviewAndStart(): Promise<void> {
  if (await vscode.commands.executeCommand(commands.reviewWorkspaceAgents)) {
    await vscode.commands.executeCommand(commands.newSession);
  }
}

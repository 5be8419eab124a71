/** **ACP: Import Agents…**: adds agents of other clients to `acpHost.agents` of the user. Nothing is added before the user has seen its command. */
import os from 'node:os';
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { OTHER_SETTING } from '../../agent/catalog';
import { foreignAgents, type ForeignForm } from '../../application/agents/import/foreignAgents';
import { type ForeignSource, importFiles } from '../../application/agents/import/importFiles';
import { importAgentRows, leftAgentsText, secretVariables, withImported } from '../../application/agents/import/importRows';
import { inertLine, joined } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import type { Log } from '../../core/platform/log';
import { plainOf } from '../../mcp/config/plainJson';
import { readUserValue } from '../settings/agentSettings';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { workspaceFolders } from '../window/workspaceFolders';
import { revealAgentsSetting } from './revealSetting';

export interface ImportAgentsDependencies {
  readonly activity: Pick<UserActivity, 'during'>;
  readonly log: Log;
  /** The user's value of `acpHost.agents`, unchecked. Read again before saving. */
  userAgents(): unknown;
  agents(): readonly CatalogEntry[];
}

/** The setting of VS Code's own ACP client. */
const VSCODE_SETTING = 'chat.agentHost.acpAgents';
const MAX_NAMES = 300;

export async function importAgents(deps: ImportAgentsDependencies): Promise<void> {
  const sources = await sourcesOf(deps.log);
  const taken = deps.agents().flatMap(({ agentId, agentName, source }) => (source === 'other' ? [] : [agentId, agentName]));
  // The files of a remote machine are not necessarily the user's.
  const rows = importAgentRows(sources, deps.userAgents(), taken, vscode.env.remoteName === undefined, t);
  const left = leftAgentsText(sources, t);
  if (rows.length === 0) {
    const show = t('Show Entries');
    const none = t('No agents of Zed, JetBrains, Devin or VS Code to import.');
    const answer = await (left.length === 0 ? window.showInformationMessage(none) : window.showInformationMessage(none, show));
    return answer === show ? showText(left) : undefined;
  }
  const chosen = await deps.activity.during(() =>
    window.showQuickPick(rows, {
      canPickMany: true,
      title: t('Import Agents'),
      placeHolder:
        left.length === 0
          ? t('Select the agents to add to your settings')
          : t("Select the agents to add to your settings. {count} entries can't be imported.", { count: left.length }),
      matchOnDescription: true,
      matchOnDetail: true,
    }),
  );
  const withSecrets =
    chosen && chosen.length > 0
      ? await askAboutSecrets(deps, [...new Set(chosen.flatMap(({ entry }) => secretVariables(entry)))])
      : undefined;
  if (!chosen || withSecrets === undefined) {
    return;
  }
  const value = withImported(deps.userAgents(), chosen, withSecrets);
  const edit = t('Edit Settings');
  if (!value) {
    const message = t("The agents weren't added: {setting} in your settings isn't an object.", { setting: settings.agents });
    return (await window.showErrorMessage(message, edit)) === edit ? revealAgentsSetting() : undefined;
  }
  await vscode.workspace.getConfiguration().update(settings.agents, value, vscode.ConfigurationTarget.Global);
  const names = inertLine(chosen.map(({ key }) => key).join(', '), MAX_NAMES);
  const answer = await window.showInformationMessage(t('Added to your agents: {names}.', { names }), edit);
  return answer === edit ? revealAgentsSetting(chosen[0]?.key) : undefined;
}

/** Asks whether the values of secrets are copied. Resolves to undefined when the user cancels. */
async function askAboutSecrets({ activity }: ImportAgentsDependencies, names: readonly string[]): Promise<boolean | undefined> {
  if (names.length === 0) {
    return true;
  }
  const without = t('Import without Secrets');
  const copy = t('Copy Secrets');
  const detail = joined(
    [
      inertLine(names.join(', '), MAX_NAMES),
      t('Your settings are a file in plain text. Without them you sign in when the agent asks for it.'),
    ],
    '\n\n',
  );
  const answer = await activity.during(() =>
    window.showWarningMessage(t('These variables look like secrets. Copy them to your settings?'), { modal: true, detail }, without, copy),
  );
  return answer === undefined ? undefined : answer === copy;
}

/** Reads the user's own files and settings. Those of a workspace, a folder or a container are never read. */
async function sourcesOf(log: Log): Promise<readonly ForeignSource[]> {
  const home = os.homedir();
  const ofSetting = (client: string, setting: string, form: ForeignForm): ForeignSource => {
    try {
      const { value } = readUserValue(setting);
      return { client, place: setting, ...foreignAgents(value === undefined ? undefined : plainOf(value), form, home) };
    } catch (error) {
      return { client, place: setting, agents: [], left: [], problem: error instanceof Error ? error.message : String(error) };
    }
  };
  const { env: environment, platform } = process;
  return [
    ...(await importFiles({ home, environment, platform, workspaceFolders: workspaceFolders(), log })),
    ofSetting('VS Code', VSCODE_SETTING, 'list'),
    ofSetting('ACP', OTHER_SETTING, 'servers'),
  ];
}

async function showText(lines: readonly string[]): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'plaintext', content: lines.join('\n') }));
}

/** **ACP: Add Account…**: adds an entry to `acpHost.agents` that runs a known agent with state folders of its own. */
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { accountEntry, accountRows, folderName } from '../../application/agents/accounts';
import { readName, withAgent } from '../../application/agents/addAgentRules';
import { inertLine, joined } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { isProcess } from '../../core/agents/endpoint';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { revealAgentsSetting } from './revealSetting';

export interface AddAccountDependencies {
  readonly activity: Pick<UserActivity, 'during'>;
  /** The absolute path of the extension's storage. */
  readonly storage: string;
  /** The user's value of `acpHost.agents`, unchecked. Read again before saving. */
  userAgents(): unknown;
  agents(): readonly CatalogEntry[];
  /** Starts a session with the new entry. */
  newSession(agentId: string): Promise<unknown>;
}

const MAX_NAME = 60;
const MAX_COMMAND = 300;

export async function addAccount(deps: AddAccountDependencies): Promise<void> {
  const { activity } = deps;
  const title = t('Add Account');
  const rows = accountRows(deps.agents(), t).map((row) =>
    'separator' in row ? { label: row.separator, kind: vscode.QuickPickItemKind.Separator } : row,
  );
  const placeHolder = t('Select the agent of the account');
  const chosen = await activity.during(() => window.showQuickPick(rows, { title, placeHolder, matchOnDetail: true }));
  if (!chosen || !('entry' in chosen)) {
    return;
  }
  const { entry, isPossible } = chosen;
  const { agentName, launch } = entry;
  if (!isPossible || !isProcess(launch)) {
    return revealAgentsSetting(entry.source === 'user' ? entry.agentId : undefined);
  }
  const named = (account: string): string => `${agentName} (${account.trim()})`;
  const account = await activity.during(() =>
    window.showInputBox({
      title,
      prompt: t('Name of the account, such as work'),
      ignoreFocusOut: true,
      validateInput: (text) => {
        const read = text.trim() === '' ? undefined : readName(named(text), deps.userAgents(), t);
        return read && 'problem' in read ? read.problem : undefined;
      },
    }),
  );
  const read = account?.trim() ? readName(named(account), deps.userAgents(), t) : undefined;
  if (account === undefined || !read || 'problem' in read) {
    return;
  }
  const folder = await freeFolder(path.join(deps.storage, 'accounts'), folderName(agentName, account));
  const users = deps.userAgents();
  const added = accountEntry(launch, isRecord(users) ? users[entry.agentId] : undefined, folder);
  const name = read.value;
  const detail = [
    t('Agent: {agent}, with its updates', { agent: inertLine(added?.agent ?? agentName, MAX_COMMAND) }),
    t('Its sign-in, settings and sessions are in {folder}', { folder: inertLine(folder, MAX_COMMAND) }),
    t('The agent is saved in your user settings.'),
  ];
  const add = t('Add Account');
  const question = t('Add {agent}?', { agent: inertLine(name, MAX_NAME) });
  const answer = await activity.during(() => window.showInformationMessage(question, { modal: true, detail: joined(detail, '\n\n') }, add));
  const value = answer === add && added ? withAgent(deps.userAgents(), name, added) : undefined;
  if (answer !== add) {
    return;
  }
  if (!value) {
    const edit = t('Edit Settings');
    const message = t("The agent wasn't added: {setting} in your settings isn't an object.", { setting: settings.agents });
    return (await window.showErrorMessage(message, edit)) === edit ? revealAgentsSetting() : undefined;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await vscode.workspace.getConfiguration().update(settings.agents, value, vscode.ConfigurationTarget.Global);
  const start = t('New Session');
  const message = t('Added {agent} to your agents.', { agent: inertLine(name, MAX_NAME) });
  if ((await window.showInformationMessage(message, start)) === start) {
    await deps.newSession(name);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A deleted entry leaves its folder, which a new account must not get. */
async function freeFolder(parent: string, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const folder = path.join(parent, count === 1 ? name : `${name}-${count}`);
    if (
      !(await access(folder)
        .then(() => true)
        .catch(() => false))
    ) {
      return folder;
    }
  }
}

/** The list of MCP servers with a check box for each, and the list of entered values. */
import * as vscode from 'vscode';
import type { ServerChoices } from '../../application/mcp/choices';
import type { ServerInputs } from '../../application/mcp/serverInputs';
import { type ServerRow, serverRows } from '../../application/mcp/serverRows';
import type { ServerSignIns } from '../../application/mcp/serverSignIns';
import type { ServerPlan } from '../../application/mcp/userServers';
import { inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, type QuickPick, window } from '../shared/window';

/** The part of the feature that the lists use. */
export interface ListedServers {
  readonly choices: Pick<ServerChoices, 'choose'>;
  readonly inputs: Pick<ServerInputs, 'list' | 'forget'>;
  readonly signIns: Pick<ServerSignIns, 'list' | 'forget'>;
  readonly deps: { readonly activity: Pick<UserActivity, 'during'> };
  planOf(session: Session): Promise<ServerPlan | undefined>;
  review(session: Session, only: ReadonlySet<string>): Promise<void>;
}

interface Row extends Item {
  readonly row: ServerRow;
}

const MAX_NAME = 60;

/** Lets the user choose the servers of a session, which new sessions of its agent get as well. */
export async function chooseServers(feature: ListedServers, session: Session): Promise<void> {
  const plan = await feature.planOf(session);
  const agent = inertLine(session.agentName, MAX_NAME);
  if (!plan) {
    void window.showInformationMessage(t('{agent} has not started yet.', { agent }));
    return;
  }
  const isRemote = vscode.env.remoteName !== undefined;
  const rows = serverRows(plan, session.agentName, isRemote, t);
  const openSettings = t('Open Settings');
  if (plan.servers.length === 0 && plan.broken.length === 0) {
    const answer = await window.showInformationMessage(t('No MCP servers are configured for agents.'), openSettings);
    void (answer === openSettings && openServerSettings());
    return;
  }
  const chosen = await feature.deps.activity.during(() => pick(rows, t('MCP Servers of {agent}', { agent })));
  if (!chosen) {
    return;
  }
  const on = new Set(chosen.flatMap(({ key }) => key ?? []));
  // A server that waits for consent is not switched off by staying unselected.
  const off = plan.servers.filter(({ key, reason, subject }) => !on.has(key) && reason !== 'not_agreed' && !subject);
  await feature.choices.choose(
    session.agentId,
    session.key,
    off.map(({ key }) => key),
  );
  await feature.review(session, on);
}

/** Resolves to undefined when the user cancels. */
function pick(rows: readonly ServerRow[], title: Row['label']): Promise<readonly ServerRow[] | undefined> {
  const list: QuickPick<Row> = window.createQuickPick<Row>();
  const open = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: t('Open File') };
  const openSettings = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Settings') };
  list.title = title;
  list.placeholder = t('Select the servers that the agent gets');
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.buttons = [openSettings];
  list.items = rows.map((row) => ({
    row,
    label: row.label,
    description: row.description,
    detail: row.detail,
    ...(row.file !== undefined && { buttons: [open] }),
  }));
  list.selectedItems = list.items.filter(({ row }) => row.picked);
  return new Promise((resolve) => {
    list.onDidTriggerButton(() => {
      list.hide();
      void openServerSettings();
    });
    list.onDidTriggerItemButton(({ item }) => {
      list.hide();
      void vscode.window.showTextDocument(vscode.Uri.file(item.row.file ?? ''));
    });
    list.onDidAccept(() => {
      resolve(list.selectedItems.map(({ row }) => row));
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}

/** Lets the user delete values that were entered for servers. */
export async function forgetInputs({ inputs, deps }: Pick<ListedServers, 'inputs' | 'deps'>): Promise<void> {
  const kept = inputs.list();
  if (kept.length === 0) {
    void window.showInformationMessage(t('No values of MCP servers are saved.'));
    return;
  }
  const rows = kept.map((input) => ({
    input,
    picked: true,
    label: inertLine(input.id, MAX_NAME),
    description: inertLine(input.sourceId, 200),
  }));
  const options = { canPickMany: true, placeHolder: t('Select the values to delete') } as const;
  const chosen = await deps.activity.during(() => window.showQuickPick(rows, options));
  if (chosen && chosen.length > 0) {
    await inputs.forget(chosen.map(({ input }) => input));
  }
}

/** Lets the user sign out of servers. Returns true when there is a change. */
export async function signOutOfServers({ signIns, deps }: Pick<ListedServers, 'signIns' | 'deps'>): Promise<boolean> {
  const known = signIns.list();
  if (known.length === 0) {
    void window.showInformationMessage(t("You aren't signed in to any MCP server."));
    return false;
  }
  const rows = known.map((signIn) => ({
    signIn,
    picked: known.length === 1,
    label: inertLine(signIn.name, MAX_NAME),
    description: inertLine(signIn.sourceId, 200),
  }));
  const options = { canPickMany: true, placeHolder: t('Select the servers to sign out of') } as const;
  const chosen = await deps.activity.during(() => window.showQuickPick(rows, options));
  if (!chosen || chosen.length === 0) {
    return false;
  }
  await signIns.forget(chosen.map(({ signIn }) => signIn));
  return true;
}

async function openServerSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', settings.mcpServers);
}

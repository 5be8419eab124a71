/** **ACP: New Session**: which agent, in which folder. */
import * as vscode from 'vscode';
import type { Catalog, CatalogEntry } from '../../agent/catalog';
import type { AgentLaunch, Roots } from '../../core/model/ports';
import { type SessionSetup, setupIn } from '../../core/model/sessionSetup';
import { type AgentRow, agentRows, ignoredNotice } from '../agents/agentRows';
import type { AgentSettings } from '../agents/agentSettings';
import { type InertText, visible } from '../shared/escape';
import { trustsFolder } from './folderTrust';
import { chooseOfSeveral, settledFolders } from './additionalFolders';
import { commands } from '../shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Button, type Item, separator, window } from '../shared/window';
import { failureText } from '../shared/failureText';

export interface NewSessionPorts {
  readonly activity: UserActivity;
  /** Read at each use: settings change. */
  agents(): { readonly catalog: Catalog; readonly settings: Pick<AgentSettings, 'defaultAgent' | 'ignored'> };
  /** `ExtensionContext.globalState` and `workspaceState`. */
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
}

/** What a session is started with. */
export interface NewSessionChoice {
  readonly launch: AgentLaunch;
  readonly setup: SessionSetup;
}

const LAST_AGENT = 'lastAgent';
const NOTICE_SEEN = 'ignoredNoticeSeen';

/** Asks what is not settled; undefined when the user leaves. `folder`: already chosen, absolute. */
export async function chooseNewSession(ports: NewSessionPorts, folder?: string): Promise<NewSessionChoice | undefined> {
  const { catalog, settings } = ports.agents();
  const found = catalog.entries.find(({ agentName }) => agentName === settings.defaultAgent);
  const notice = ignoredNotice(settings.ignored, t);
  const entry = found ?? (await ports.activity.during(() => pickAgent(ports, catalog.entries, notice)));
  // Only now: the question's own list has said it already, and a click on a notification would close the question.
  tellIgnored(ports, notice);
  catalog.problems.slice(0, 1).forEach((failure) => warnAboutSettings(failureText(failure, t)));
  if (settings.defaultAgent !== undefined && !found) {
    warnAboutSettings(t('The default agent {name} is not among your agents.', { name: visible(settings.defaultAgent, 80) }));
  }
  if (!entry) {
    return undefined;
  }
  const roots = await chooseRoots(ports, folder);
  if (!roots) {
    return undefined;
  }
  void ports.globalState.update(LAST_AGENT, entry.agentName);
  return { launch: entry.launch, setup: setupIn(roots) };
}

/**
 * The folders of a session: one to work in, and of a workspace with several those that it may use besides. One outside of the workspace needs
 * the user's trust. `folder`: all that it shall have.
 */
export async function chooseRoots(
  ports: Pick<NewSessionPorts, 'activity' | 'globalState' | 'workspaceState'>,
  folder?: string,
): Promise<Roots | undefined> {
  const { activity, workspaceState } = ports;
  const folders = folder === undefined ? await settledFolders() : [];
  if (folders.length > 1) {
    return chooseOfSeveral(activity, workspaceState, folders);
  }
  const cwd = folder ?? folders[0] ?? (await activity.during(pickFromDisk));
  return cwd !== undefined && (await trustsFolder(ports, cwd)) ? { cwd, additionalDirectories: [] } : undefined;
}

type Row = Item & { readonly entry?: CatalogEntry };

function pickAgent(
  { globalState }: NewSessionPorts,
  entries: readonly CatalogEntry[],
  notice: InertText | undefined,
): Promise<CatalogEntry | undefined> {
  return new Promise((resolve) => {
    const openSettings: Button = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Agent Settings') };
    const pick = window.createQuickPick<Row>();
    pick.title = t('New Session');
    pick.placeholder = t('Choose an agent');
    pick.matchOnDescription = true;
    // A window that has just opened moves its focus about, and with it would go the question.
    pick.ignoreFocusOut = true;
    pick.buttons = [openSettings];
    const rows = agentRows(entries, globalState.get<string>(LAST_AGENT), t).map(rowOf);
    // Whoever misses an agent looks for it here.
    const noticeRow: Row = {
      label: t('Some agent settings are ignored'),
      ...(notice !== undefined && { detail: notice }),
      alwaysShow: true,
    };
    pick.items = notice === undefined ? rows : [...rows, separator(), noticeRow];
    const toSettings = () => {
      pick.hide();
      void vscode.commands.executeCommand(commands.openSettings);
    };
    pick.onDidTriggerButton(toSettings);
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row === noticeRow) {
        toSettings();
      } else if (row?.entry) {
        resolve(row.entry);
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

function rowOf(row: AgentRow): Row {
  return 'separator' in row ? separator(row.separator) : row;
}

/** Without a workspace, a folder from disk. */
async function pickFromDisk(): Promise<string | undefined> {
  const openLabel = t('Start Session Here');
  const [chosen] =
    (await window.showOpenDialog({
      canSelectFolders: true,
      canSelectFiles: false,
      openLabel,
      title: t('The folder the agent works in'),
    })) ?? [];
  return chosen?.scheme === 'file' ? chosen.fsPath : undefined;
}

/** Says that settings of others do not count, until the user has heard enough of it in this workspace. */
function tellIgnored({ workspaceState }: NewSessionPorts, notice: InertText | undefined): void {
  if (notice !== undefined && workspaceState.get<string>(NOTICE_SEEN) !== notice) {
    warnAboutSettings(notice, [[t('Don’t Show Again'), () => void workspaceState.update(NOTICE_SEEN, notice)]]);
  }
}

/** @param others further buttons */
function warnAboutSettings(message: InertText, others: readonly (readonly [button: InertText, act: () => void])[] = []): void {
  const buttons = new Map([[t('Open Settings'), () => void vscode.commands.executeCommand(commands.openSettings)], ...others]);
  void window.showWarningMessage(message, ...buttons.keys()).then((button) => button !== undefined && buttons.get(button)?.());
}

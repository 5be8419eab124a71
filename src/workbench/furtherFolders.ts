/** Which folders besides its own an agent may use: asked of the user, who thereby agrees to it (RFD "Additional directories"). */
import * as vscode from 'vscode';
import path from 'node:path';
import type { Roots } from '../core/ports';
import { visible } from './escape';
import { t } from './l10n';
import type { UserActivity } from './userActivity';

/** Under this key of the workspace's state: the folders chosen last, by the session's own folder. */
const CHOSEN = 'furtherFolders';
const MAX_FOLDER = 200;

/** The workspace's folders on disk; absolute. */
export function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

type Row = vscode.QuickPickItem & { readonly folder?: string };

/** For a new session in `cwd`: none where the workspace has no other. Undefined when the user leaves. Remembered per workspace. */
export async function chooseFurtherFolders(activity: UserActivity, workspaceState: vscode.Memento, cwd: string): Promise<readonly string[] | undefined> {
  const others = workspaceFolders().filter((folder) => folder !== cwd);
  if (others.length === 0) {
    return [];
  }
  const chosen = workspaceState.get<Record<string, string[]>>(CHOSEN, {});
  const folders = await ask(activity, others, chosen[cwd] ?? [], t('Other folders the agent may use'));
  if (folders) {
    await workspaceState.update(CHOSEN, { ...chosen, [cwd]: folders });
  }
  return folders;
}

/** For a session that goes on: those of the workspace, those it has, and any that the user adds. Undefined when the user leaves. */
export async function changeFurtherFolders(activity: UserActivity, { cwd, additionalDirectories }: Roots): Promise<readonly string[] | undefined> {
  const known = new Set([...additionalDirectories, ...workspaceFolders()].filter((folder) => folder !== cwd));
  let picked: readonly string[] = additionalDirectories;
  for (;;) {
    const add: Row = { label: `$(add) ${t('Another folder…')}`, alwaysShow: true };
    const rows = await pick(activity, [...known], picked, t('Folders that the agent may use besides its own'), [add]);
    picked = foldersOf(rows);
    if (!rows?.includes(add)) {
      return rows && picked;
    }
    for (const uri of (await activity.during(askForFolder)) ?? []) {
      if (uri.scheme === 'file' && uri.fsPath !== cwd) {
        known.add(uri.fsPath);
        picked = [...picked, uri.fsPath];
      }
    }
  }
}

/** Those of a session's folders that lie outside the workspace. */
export function outsideWorkspace({ cwd, additionalDirectories }: Roots, folders = workspaceFolders()): string[] {
  return [cwd, ...additionalDirectories].filter((folder) => !folders.some((root) => !leadsOut(path.relative(root, folder))));
}

/** The user agrees that the agent uses folders which nobody in this window has opened; true also when there are none. */
export async function consentToFolders(agentName: string, roots: Roots): Promise<boolean> {
  const outside = outsideWorkspace(roots);
  if (outside.length === 0) {
    return true;
  }
  const message = t('May {agent} work in folders outside this workspace?', { agent: visible(agentName, 80) });
  const detail = `${outside.map((folder) => visible(folder, MAX_FOLDER)).join('\n')}\n\n${t('The session was kept with them. The agent can read and change files there.')}`;
  const allow = t('Open Session');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, allow)) === allow;
}

function leadsOut(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}

function askForFolder(): Thenable<vscode.Uri[] | undefined> {
  const openLabel = t('Add Folder');
  return vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, canSelectMany: true, openLabel, title: t('A folder that the agent may use') });
}

async function ask(activity: UserActivity, folders: readonly string[], picked: readonly string[], placeHolder: string): Promise<string[] | undefined> {
  const rows = await pick(activity, folders, picked, placeHolder, []);
  return rows && foldersOf(rows);
}

function pick(activity: UserActivity, folders: readonly string[], picked: readonly string[], placeHolder: string, more: readonly Row[]): Promise<readonly Row[] | undefined> {
  const rows = folders.map(
    (folder): Row => ({ label: visible(nameOf(folder), MAX_FOLDER), description: visible(folder, MAX_FOLDER), picked: picked.includes(folder), folder }),
  );
  // Who is sent here by a panel that is still opening would lose the question to it.
  return activity.during(() => vscode.window.showQuickPick([...rows, ...more], { canPickMany: true, placeHolder, ignoreFocusOut: true }));
}

/** In the order of the list: earlier ones come first for the agent, too. */
function foldersOf(rows: readonly Row[] | undefined): string[] {
  return (rows ?? []).flatMap(({ folder }) => folder ?? []);
}

function nameOf(folder: string): string {
  const own = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === folder);
  return own?.name ?? (path.basename(folder) || folder);
}

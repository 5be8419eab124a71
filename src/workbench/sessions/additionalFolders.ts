/** Asks for the folders that an agent may use besides its own. The answer is the user's consent (RFD "Additional directories"). */
import * as vscode from 'vscode';
import path from 'node:path';
import type { Roots } from '../../core/model/roots';
import type { RootPins } from '../../util/rootPins';
import { type InertText, joined, inertLine, withIcon } from '../../application/shared/escape';
import { foldersToAgreeTo } from '../../application/sessions/folderConsent';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { workspaceFolders } from '../window/workspaceFolders';

/** The key in `workspaceState` of the folders chosen last, by the session's own folder. */
const CHOSEN = 'furtherFolders';
const MAX_FOLDER = 200;

type Row = Item & { readonly folder?: string };

/**
 * Asks for the folders of a new session in a workspace with several folders: its own folder and, with the last row, the others it may use. The
 * others are remembered per workspace, so that the next question asks for one folder only. Resolves to undefined when the user cancels.
 */
export async function chooseOfSeveral(
  activity: UserActivity,
  workspaceState: vscode.Memento,
  folders: readonly string[],
): Promise<Roots | undefined> {
  const chosen = workspaceState.get<Record<string, string[]>>(CHOSEN, {});
  const furtherOf = (cwd: string): string[] => (chosen[cwd] ?? []).filter((folder) => folders.includes(folder));
  const withOthers: Row = { label: withIcon('multiple-windows', t('Add Other Workspace Folders…')), alwaysShow: true };
  const rowsOf = (named: boolean): Row[] =>
    folders.map((folder) => {
      const further = named ? furtherOf(folder) : [];
      return {
        label: inertLine(nameOf(folder), MAX_FOLDER),
        description: joined([inertLine(folder, MAX_FOLDER), ...further.map((each) => inertLine(nameOf(each), MAX_FOLDER))], ' + '),
        folder,
      };
    });
  // The focus moves around in a window that has just opened, which would close the question.
  const options = { placeHolder: t("Select the agent's working folder"), ignoreFocusOut: true, matchOnDescription: true };
  const first = await activity.during(() => window.showQuickPick<Row>([...rowsOf(true), separator(), withOthers], options));
  if (first?.folder !== undefined) {
    return { cwd: first.folder, additionalDirectories: furtherOf(first.folder) };
  }
  const cwd = first && (await activity.during(() => window.showQuickPick(rowsOf(false), options)))?.folder;
  if (cwd === undefined) {
    return undefined;
  }
  const others = folders.filter((folder) => folder !== cwd);
  const rows = await pick(activity, others, furtherOf(cwd), t('Select other folders the agent can use'), []);
  const additionalDirectories = rows && foldersOf(rows);
  if (additionalDirectories) {
    await workspaceState.update(CHOSEN, { ...chosen, [cwd]: additionalDirectories });
  }
  return additionalDirectories && { cwd, additionalDirectories };
}

/**
 * Asks for the other folders of a running session: those of the workspace, its current ones, and any that the user adds and `trusts`. Resolves to
 * undefined when the user cancels.
 */
export async function changeFurtherFolders(
  activity: UserActivity,
  { cwd, additionalDirectories }: Roots,
  trusts: (folder: string) => Promise<boolean>,
): Promise<readonly string[] | undefined> {
  const known = new Set([...additionalDirectories, ...workspaceFolders()].filter((folder) => folder !== cwd));
  let picked: readonly string[] = additionalDirectories;
  for (;;) {
    const add: Row = { label: withIcon('add', t('Add Folder…')), alwaysShow: true };
    const rows = await pick(activity, [...known], picked, t('Select additional folders the agent can use'), [add]);
    picked = foldersOf(rows);
    if (!rows?.includes(add)) {
      return rows && picked;
    }
    for (const uri of (await activity.during(askForFolder)) ?? []) {
      if (uri.scheme === 'file' && uri.fsPath !== cwd && (await trusts(uri.fsPath))) {
        known.add(uri.fsPath);
        picked = [...picked, uri.fsPath];
      }
    }
  }
}

/**
 * Asks for consent to folders outside the workspace. Returns their real paths at the time of consent, which apply from then on, or undefined when
 * the user declines.
 */
export async function consentToFolders(agentName: string, roots: Roots): Promise<RootPins | undefined> {
  const { foreign, asked, pins } = await foldersToAgreeTo(roots, workspaceFolders());
  if (foreign.length > 0) {
    void window.showWarningMessage(
      t("Couldn't open the session because its folder is on another machine: {folder}", {
        folder: inertLine(foreign[0]!, MAX_FOLDER),
      }),
    );
    return undefined;
  }
  if (asked.length === 0) {
    return pins;
  }
  const message = t('Allow {agent} to work in folders outside this workspace?', { agent: inertLine(agentName, 80) });
  const lines = asked.map(({ folder, real }) =>
    real === folder
      ? inertLine(folder, MAX_FOLDER)
      : t('{folder}, a link to {target}', { folder: inertLine(folder, MAX_FOLDER), target: inertLine(real, MAX_FOLDER) }),
  );
  const detail = joined(
    [joined(lines, '\n'), t('The session was saved with these folders. The agent can read and change files there.')],
    '\n\n',
  );
  const allow = t('Open Session');
  return (await window.showWarningMessage(message, { modal: true, detail }, allow)) === allow ? pins : undefined;
}

function askForFolder(): Thenable<vscode.Uri[] | undefined> {
  const openLabel = t('Add Folder');
  return window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: true,
    openLabel,
    title: t('Select a folder the agent can use'),
  });
}

function pick(
  activity: UserActivity,
  folders: readonly string[],
  picked: readonly string[],
  placeHolder: InertText,
  more: readonly Row[],
): Promise<readonly Row[] | undefined> {
  const rows = folders.map(
    (folder): Row => ({
      label: inertLine(nameOf(folder), MAX_FOLDER),
      description: inertLine(folder, MAX_FOLDER),
      picked: picked.includes(folder),
      folder,
    }),
  );
  // The focus moves when a panel is still opening, which would close the question.
  return activity.during(() => window.showQuickPick([...rows, ...more], { canPickMany: true, placeHolder, ignoreFocusOut: true }));
}

/** Keeps the order of the list, because the order matters to the agent too. */
function foldersOf(rows: readonly Row[] | undefined): string[] {
  return (rows ?? []).flatMap(({ folder }) => folder ?? []);
}

function nameOf(folder: string): string {
  const own = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === folder);
  return own?.name ?? (path.basename(folder) || folder);
}

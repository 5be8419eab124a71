/** Asks for the folder that a session works in: a workspace folder, any other folder, or none. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Roots } from '../../core/model/roots';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { type FolderChoiceRow, folderRows } from '../../application/sessions/folderRows';
import { trustsFolder } from '../trust/folderTrust';
import { settledFolders } from '../window/workspaceFolders';

type Row = Item & Partial<FolderChoiceRow>;

/** Resolves to undefined when the user cancels. @param pickFromDisk asks for any folder */
export async function chooseFolder(
  deps: { readonly activity: UserActivity; readonly globalState: vscode.Memento; readonly storage: string },
  pickFromDisk: () => Promise<string | undefined>,
): Promise<Roots | undefined> {
  const folders = await settledFolders();
  const rows = folderRows(folders, t).map((row): Row => ('label' in row ? row : separator()));
  const options = { placeHolder: t("Select the agent's working folder"), ignoreFocusOut: true, matchOnDescription: true };
  const chosen = await deps.activity.during(() => window.showQuickPick(rows, options));
  if (!chosen) {
    return undefined;
  }
  if (chosen.how === 'none') {
    return { cwd: await emptyFolder(deps.storage), additionalDirectories: [] };
  }
  const cwd = chosen.folder ?? (await deps.activity.during(pickFromDisk));
  return cwd !== undefined && (await trustsFolder(deps, cwd)) ? { cwd, additionalDirectories: [] } : undefined;
}

/** Creates the folder of a single session. It still exists when the session is resumed. */
async function emptyFolder(storage: string): Promise<string> {
  const folder = path.join(storage, 'empty', randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

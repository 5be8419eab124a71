/** **ACP: New Session in Folder…**: one of the workspace's, one below, any other, or none. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Roots } from '../../core/model/ports';
import { visible, withIcon } from '../shared/escape';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { trustsFolder } from './trust/folderTrust';
import { settledFolders } from './workspaceFolders';

const MAX_FOLDER = 200;

type Row = Item & { readonly folder?: string; readonly how?: 'pick' | 'none' };

/** Undefined when the user leaves. @param pickFromDisk asks for any folder */
export async function chooseFolder(
  ports: { readonly activity: UserActivity; readonly globalState: vscode.Memento; readonly storage: string },
  pickFromDisk: () => Promise<string | undefined>,
): Promise<Roots | undefined> {
  const folders = await settledFolders();
  const rows: Row[] = [
    ...folders.map((folder) => ({
      label: withIcon('folder', visible(path.basename(folder) || folder, MAX_FOLDER)),
      description: visible(folder, MAX_FOLDER),
      folder,
    })),
    ...(folders.length > 0 ? [separator()] : []),
    { label: withIcon('folder-opened', t('Select Folder…')), how: 'pick' },
    { label: withIcon('circle-slash', t('No Folder')), detail: t('The agent starts in a new, empty folder.'), how: 'none' },
  ];
  const options = { placeHolder: t("Select the agent's working folder"), ignoreFocusOut: true, matchOnDescription: true };
  const chosen = await ports.activity.during(() => window.showQuickPick(rows, options));
  if (!chosen) {
    return undefined;
  }
  if (chosen.how === 'none') {
    return { cwd: await emptyFolder(ports.storage), additionalDirectories: [] };
  }
  const cwd = chosen.folder ?? (await ports.activity.during(pickFromDisk));
  return cwd !== undefined && (await trustsFolder(ports, cwd)) ? { cwd, additionalDirectories: [] } : undefined;
}

/** Of one session, and there again when it is resumed. */
async function emptyFolder(storage: string): Promise<string> {
  const folder = path.join(storage, 'empty', randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

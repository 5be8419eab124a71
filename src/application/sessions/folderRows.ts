/** The folders in which a session may work, as rows of a quick pick. Pure. */
import path from 'node:path';
import { type InertText, inertLine, withIcon } from '../shared/escape';
import type { Translate } from '../shared/translate';

export type FolderRow = { readonly isSeparator: true } | FolderChoiceRow;

export interface FolderChoiceRow {
  readonly label: InertText;
  readonly description?: InertText;
  readonly detail?: InertText;
  /** The absolute path of a workspace folder. */
  readonly folder?: string;
  /** `pick`: any folder on the disk. `none`: a new, empty folder in the extension's storage. */
  readonly how?: 'pick' | 'none';
}

const MAX_FOLDER = 200;

/** @param folders the absolute paths of the workspace's folders; empty for a window without a workspace */
export function folderRows(folders: readonly string[], t: Translate): readonly FolderRow[] {
  return [
    ...folders.map((folder) => ({
      label: withIcon('folder', inertLine(path.basename(folder) || folder, MAX_FOLDER)),
      description: inertLine(folder, MAX_FOLDER),
      folder,
    })),
    ...(folders.length > 0 ? [{ isSeparator: true } as const] : []),
    { label: withIcon('folder-opened', t('Select Folder…')), how: 'pick' },
    {
      label: withIcon('circle-slash', folders.length > 0 ? t('No Folder') : t('Continue Without a Folder')),
      detail: t('The agent starts in a new, empty folder.'),
      how: 'none',
    },
  ];
}

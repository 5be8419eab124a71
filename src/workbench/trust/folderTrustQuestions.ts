/** The questions to the user about trust in folders. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isForeignShare } from '../../core/model/networkPath';
import { leadsOver } from '../../util/realPath';
import { joined, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { type FolderTrustDependencies, TRUSTED } from './trustedFolders';
import { workspaceFolders } from '../window/workspaceFolders';

const MAX_FOLDER = 200;

/**
 * Resolves to true when the user trusts `folder` from now on. A folder on another machine is contacted only after the answer.
 * @param trusted the folders that are trusted already
 */
export async function askForTrust(
  { activity, globalState }: FolderTrustDependencies,
  folder: string,
  trusted: readonly string[],
): Promise<boolean> {
  const realOf = (): Promise<string> => realpath(folder).catch(() => path.resolve(folder));
  const isAway = await leadsOver(folder, (each) => isForeignShare(each, [...workspaceFolders(), ...trusted]));
  const shown = isAway ? path.resolve(folder) : await realOf();
  const parent = path.dirname(shown);
  const trust = t('Trust Folder');
  const trustParent = t('Trust Parent Folder');
  const risk = t(
    "Agents may automatically execute files in this folder. If you don't trust the authors of these files, don't start a session here.",
  );
  const detail = joined([inertLine(shown, MAX_FOLDER), risk], '\n\n');
  const buttons = isAway || path.dirname(parent) === parent ? [trust] : [trust, trustParent];
  const answer = await activity.during(() =>
    window.showWarningMessage(t('Do you trust the authors of the files in this folder?'), { modal: true, detail }, ...buttons),
  );
  if (answer === undefined) {
    return false;
  }
  const real = isAway ? await realOf() : shown;
  // Another question may have been answered in the meantime.
  const now = globalState.get<string[]>(TRUSTED, []);
  await globalState.update(TRUSTED, [...new Set([...now, answer === trustParent ? path.dirname(real) : real])]);
  return true;
}

/** Lets the user revoke trust. */
export async function manageTrustedFolders({ activity, globalState }: FolderTrustDependencies): Promise<void> {
  const trusted = globalState.get<string[]>(TRUSTED, []);
  if (trusted.length === 0) {
    void window.showInformationMessage(t('No trusted folders outside the workspace.'));
    return;
  }
  const rows = trusted.map((folder) => ({ label: inertLine(folder, MAX_FOLDER), picked: true, folder }));
  const options = { canPickMany: true, placeHolder: t('Trusted folders. Clear a folder to be asked again.') } as const;
  const kept = await activity.during(() => window.showQuickPick(rows, options));
  if (kept) {
    await globalState.update(
      TRUSTED,
      kept.map(({ folder }) => folder),
    );
  }
}

/** Trust in folders that are in no workspace, asked for as VS Code asks for workspaces, which extensions cannot ask it about. */
import { liesIn } from '../../agent/searchPath';
import { type FolderTrustDependencies, TRUSTED } from './trustedFolders';
import { workspaceFolders } from './workspaceFolders';

/**
 * True when the user trusts the authors of the files in `folder`: those of the workspace are trusted, and what was said before counts.
 * @param folder absolute
 */
export async function trustsFolder(ports: FolderTrustDependencies, folder: string): Promise<boolean> {
  const trusted = ports.globalState.get<string[]>(TRUSTED, []);
  if (await liesIn(folder, [...workspaceFolders(), ...trusted])) {
    return true;
  }
  return (await import('./folderTrustQuestions')).askForTrust(ports, folder, trusted);
}

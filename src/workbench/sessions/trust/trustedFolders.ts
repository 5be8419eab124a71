/** Where it is kept which folders the user trusts. */
import type * as vscode from 'vscode';
import type { UserActivity } from '../../shared/userActivity';

export interface FolderTrustDependencies {
  readonly activity: UserActivity;
  /** `ExtensionContext.globalState`. */
  readonly globalState: vscode.Memento;
}

/** Under this key: real paths of folders that are trusted with all in them. */
export const TRUSTED = 'trustedFolders';

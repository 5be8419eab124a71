/** The folders that agents start in, and the folders that must not influence which program starts. */
import type { ExtensionContext } from 'vscode';
import path from 'node:path';
import type { ResolvedLaunch } from '../../agent/prepare';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { workspaceFolders } from '../window/workspaceFolders';

/** Returns the folders that a launch needs. */
export type LaunchFolders = (launch: ProcessLaunch, cwd: string) => Pick<ResolvedLaunch, 'cwd' | 'projects' | 'runnerFolder'>;

/** A folder that the user's own entry names does not count as a project unless it is opened as one. */
export function launchFoldersOf({
  globalStorageUri,
  extensionPath,
}: Pick<ExtensionContext, 'globalStorageUri' | 'extensionPath'>): LaunchFolders {
  return (launch, cwd) => ({
    cwd: launch.cwd ?? cwd,
    projects: [...workspaceFolders(), ...(launch.cwd === undefined ? [cwd] : [])],
    runnerFolder: async () => {
      const { emptyFolderIn } = await import('../../agent/emptyFolder');
      return { folder: await emptyFolderIn(globalStorageUri.fsPath), preload: path.join(extensionPath, 'dist', 'package-runner.js') };
    },
  });
}

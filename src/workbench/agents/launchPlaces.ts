/** Where agents start, and which folders have no say in what starts. */
import type { ExtensionContext } from 'vscode';
import path from 'node:path';
import type { PlacedLaunch } from '../../agent/prepare';
import type { AgentLaunch } from '../../core/model/ports';
import { workspaceFolders } from '../sessions/workspaceFolders';

/** What a launch needs besides itself. */
export type LaunchPlaces = (launch: AgentLaunch, cwd: string) => Pick<PlacedLaunch, 'cwd' | 'projects' | 'runnerFolder'>;

/** A folder that the user's own entry names is no project, unless it is opened as one. */
export function launchPlaces({
  globalStorageUri,
  extensionPath,
}: Pick<ExtensionContext, 'globalStorageUri' | 'extensionPath'>): LaunchPlaces {
  return (launch, cwd) => ({
    cwd: launch.cwd ?? cwd,
    projects: [...workspaceFolders(), ...(launch.cwd === undefined ? [cwd] : [])],
    runnerFolder: async () => {
      const { emptyFolderIn } = await import('../../agent/emptyFolder');
      return { folder: await emptyFolderIn(globalStorageUri.fsPath), preload: path.join(extensionPath, 'dist', 'package-runner.js') };
    },
  });
}

/** The services of this window for the start of agents. Loaded with the first agent, or the first command of one. */
import type { ExtensionContext } from 'vscode';
import { type WindowStartServices, windowStartServices } from '../../application/agents/startServices';
import type { Log } from '../../core/platform/log';
import { workspaceFolders } from '../window/workspaceFolders';

export function startServicesOf(
  { globalStorageUri, extensionPath }: Pick<ExtensionContext, 'globalStorageUri' | 'extensionPath'>,
  log: Log,
): WindowStartServices {
  return windowStartServices({
    log,
    environment: process.env,
    storage: globalStorageUri.fsPath,
    extensionPath,
    fetch,
    now: Date.now,
    projects: workspaceFolders,
  });
}

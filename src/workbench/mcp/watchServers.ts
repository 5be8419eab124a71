/** Notices changes of the files and settings that name MCP servers. Loaded after the first session has started. */
import * as vscode from 'vscode';
import { settings } from '../../application/shared/ids';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { workspaceFolders } from '../window/workspaceFolders';

/** ms in which changes are handled together. */
const CHANGES_MS = 500;

export function watchServers(clock: Clock, profileFolder: string, changed: () => void): Disposable {
  const store = new DisposableStore();
  let pending: Disposable | undefined;
  const soon = (): void => {
    pending ??= clock.after(CHANGES_MS, () => {
      pending = undefined;
      changed();
    });
  };
  const files = [
    new vscode.RelativePattern(vscode.Uri.file(profileFolder), 'mcp.json'),
    ...workspaceFolders().map((folder) => new vscode.RelativePattern(vscode.Uri.file(folder), '{.mcp.json,.vscode/mcp.json}')),
  ];
  for (const pattern of files) {
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].forEach((event) => store.add(event(soon)));
  }
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if ([settings.mcpServers, settings.passMcpServers, 'mcp'].some((setting) => event.affectsConfiguration(setting))) {
        soon();
      }
    }),
  );
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(soon));
  store.add({ dispose: () => pending?.dispose() });
  return store;
}

/** The folders of the workspace that are on the disk. */
import * as vscode from 'vscode';

/** The time in ms that a window on a busy machine gets to report the folders of its workspace. */
const SETTLED_MS = 15_000;

/** Returns the absolute paths of the workspace's folders on the disk. */
export function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** Like {@link workspaceFolders}, but waits until they are known: a window that opens a workspace file knows the file before the folders in it. */
export async function settledFolders(): Promise<string[]> {
  const { workspaceFile, workspaceFolders: known } = vscode.workspace;
  if (workspaceFile && !known?.length && (await listsFolders(workspaceFile))) {
    await new Promise<void>((resolve) => {
      const change = vscode.workspace.onDidChangeWorkspaceFolders(() => done());
      const timeout = setTimeout(() => done(), SETTLED_MS);
      const done = () => {
        change.dispose();
        clearTimeout(timeout);
        resolve();
      };
      if (vscode.workspace.workspaceFolders?.length) {
        done();
      }
    });
  }
  return workspaceFolders();
}

/** False for a workspace without folders. */
async function listsFolders(workspaceFile: vscode.Uri): Promise<boolean> {
  const bytes = await Promise.resolve(vscode.workspace.fs.readFile(workspaceFile)).catch(() => undefined);
  return bytes !== undefined && /"(?:path|uri)"\s*:/.test(Buffer.from(bytes).toString());
}

/** The folders of the workspace, as far as they are on the disk. */
import * as vscode from 'vscode';

/** ms that a window on a busy machine gets to make known the folders of its workspace. */
const SETTLED_MS = 15_000;

/** The workspace's folders on disk; absolute. */
export function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** As {@link workspaceFolders}, once they are known: a window that opens a workspace file knows it before the folders that it lists. */
export async function settledFolders(): Promise<string[]> {
  const { workspaceFile, workspaceFolders: known } = vscode.workspace;
  if (workspaceFile && !known?.length && (await listsFolders(workspaceFile))) {
    await new Promise<void>((resolve) => {
      const change = vscode.workspace.onDidChangeWorkspaceFolders(() => done());
      const late = setTimeout(() => done(), SETTLED_MS);
      const done = () => {
        change.dispose();
        clearTimeout(late);
        resolve();
      };
      if (vscode.workspace.workspaceFolders?.length) {
        done();
      }
    });
  }
  return workspaceFolders();
}

/** A workspace may have none. */
async function listsFolders(workspaceFile: vscode.Uri): Promise<boolean> {
  const bytes = await Promise.resolve(vscode.workspace.fs.readFile(workspaceFile)).catch(() => undefined);
  return bytes !== undefined && /"(?:path|uri)"\s*:/.test(Buffer.from(bytes).toString());
}

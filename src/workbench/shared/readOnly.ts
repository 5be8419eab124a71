import * as vscode from 'vscode';

/**
 * True when `files.readonlyInclude` or `files.readonlyExclude` make a document read-only. VS Code does not report this to extensions, and would
 * apply their edits, which the user does not expect.
 */
export function isReadOnlyBySetting(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration('files', document.uri);
  const matches = (section: string) =>
    Object.entries(files.get<Record<string, boolean>>(section) ?? {}).some(([glob, on]) => on && matchesGlob(document, glob));
  return matches('readonlyInclude') && !matches('readonlyExclude');
}

/** A glob without a slash matches the name in any folder. Others are relative to the workspace folder, or absolute. */
function matchesGlob(document: vscode.TextDocument, glob: string): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const patterns: vscode.GlobPattern[] = [glob.includes('/') ? glob : `**/${glob}`];
  if (folder) {
    patterns.push(new vscode.RelativePattern(folder, glob));
  }
  return patterns.some((pattern) => vscode.languages.match({ scheme: 'file', pattern }, document) > 0);
}

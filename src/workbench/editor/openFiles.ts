import * as vscode from 'vscode';

/** Returns the files in tabs, the one in front first. */
export function openFiles(front: vscode.TextDocument | undefined): vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? input.uri : [])),
  );
  const files = [...(front ? [front.uri] : []), ...tabs].filter(({ scheme }) => scheme === 'file');
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}

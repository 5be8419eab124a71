import * as vscode from 'vscode';

/** Extensions can put views into the secondary side bar: since VS Code 1.106. */
export function hasSecondarySideBar(version = vscode.version): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 106);
}

/** **Add to ACP Session** among the quick fixes of a problem: in the editor, and by the light bulb of the Problems view, which has no menu for extensions. */
import * as vscode from 'vscode';
import { commands } from '../shared/ids';
import { verbatim } from '../shared/l10n';

export function offerProblems(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    [{ scheme: 'file' }, { scheme: 'untitled' }],
    {
      provideCodeActions: ({ uri }, _range, { diagnostics, only }) => {
        if (diagnostics.length === 0 || (only && !only.contains(vscode.CodeActionKind.QuickFix))) {
          return [];
        }
        const title = verbatim('Add to ACP Session');
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.diagnostics = [...diagnostics];
        action.command = { command: commands.addProblem, title, arguments: [uri, [...diagnostics]] };
        return [action];
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

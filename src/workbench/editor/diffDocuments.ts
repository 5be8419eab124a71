import { withoutUndrawn } from '../../text/characters/characters';
import * as vscode from 'vscode';
import type { FileChange } from '../../core/model/content';
import type { Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { openDiff } from '../shared/window';

const SCHEME = 'acp-host-diff';

/** The two texts of an agent's change, side by side in VS Code's diff editor. Read-only; kept as long as the editor has them open. */
export class DiffDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private opened = 0;
  private registered = false;

  /** Opens the change; without texts, its patch. False when the agent sent neither. @param isApplied the file was changed so, as far as the agent says */
  async open(change: FileChange, patch: string | undefined, isApplied: boolean): Promise<boolean> {
    this.register();
    const file = visible(change.path.split(/[\\/]/).at(-1) ?? change.path, 80);
    const serial = String(++this.opened);
    if ((change.oldText ?? change.newText) === undefined) {
      if (patch === undefined) {
        return false;
      }
      await vscode.commands.executeCommand('vscode.open', this.document(`${change.path}.patch`, `${serial}-patch`, patch));
      return true;
    }
    const before = this.document(change.oldPath ?? change.path, `${serial}-before`, change.oldText ?? '');
    const after = this.document(change.path, `${serial}-after`, change.newText ?? '');
    const title = isApplied ? t('{file} (applied changes)', { file }) : t('{file} (proposed changes)', { file });
    await openDiff(before, after, title, { preview: true });
    return true;
  }

  dispose(): void {
    this.store.dispose();
    this.texts.clear();
  }

  /** The path gives the document its language and its name, the query makes it one of a kind. */
  private document(path: string, query: string, text: string): vscode.Uri {
    // As it is shown: a tab and VS Code's lists have the name from here.
    const uri = vscode.Uri.file(withoutUndrawn(path, '_').replace(/\$(?=\()/g, '_')).with({ scheme: SCHEME, authority: '', query });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  /** At first use: nobody may ever look at a diff. */
  private register(): void {
    if (this.registered) {
      return;
    }
    this.registered = true;
    const provideTextDocumentContent = (uri: vscode.Uri) => this.texts.get(uri.toString());
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }));
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.texts.delete(uri.toString())));
  }
}

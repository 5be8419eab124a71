import { withoutUndrawn } from '../../text/characters/characters';
import * as vscode from 'vscode';
import type { FileChange } from '../../core/model/content';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { editorColumn } from '../window/columns';
import { inertLine } from '../../application/shared/escape';
import { documentSchemes } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { onDidCloseDocument, registerDocuments } from '../documents/ownDocuments';
import { openDiff } from '../shared/window';

interface Pair {
  readonly path: string;
  readonly oldPath?: string;
  readonly before: string;
  readonly after: string;
}

/** The two texts of an agent's change, for VS Code's diff editor. Read-only; kept while the editor has them open. */
export class DiffDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();
  /** The open diffs. Opening the same change again shows the same editor. */
  private readonly pairs = new Map<string, Pair>();
  private opened = 0;
  private registered = false;

  /**
   * Opens the change beside the conversation, in one preview tab, without moving the focus. A change without texts opens as its patch. Resolves to
   * the address of the new text, or to undefined when the agent sent neither. @param isApplied true when the agent reported the change as applied @param whole the whole file before and
   * after the change, if known
   */
  async open(
    change: FileChange,
    patch: string | undefined,
    isApplied: boolean,
    whole?: Pick<Pair, 'before' | 'after'>,
  ): Promise<vscode.Uri | undefined> {
    this.register();
    const file = inertLine(change.path.split(/[\\/]/).at(-1) ?? change.path, 80);
    if ((change.oldText ?? change.newText) === undefined) {
      if (patch === undefined) {
        return undefined;
      }
      const { after } = this.pair({ path: `${change.path}.patch`, before: '', after: patch });
      await vscode.commands.executeCommand('vscode.open', after, besideConversation());
      return after;
    }
    const { path, oldPath = path } = change;
    const texts = whole ?? { before: change.oldText ?? '', after: change.newText ?? '' };
    const { before, after } = this.pair({ path, oldPath, ...texts });
    const title = isApplied ? t('{file} (applied changes)', { file }) : t('{file} (proposed changes)', { file });
    await openDiff(before, after, title, besideConversation());
    return after;
  }

  /** Returns the addresses of two texts: those of an open diff with the same texts, or new ones. */
  private pair(pair: Pair): { readonly before: vscode.Uri; readonly after: vscode.Uri } {
    const isOpen = (serial: string): boolean => [...this.texts.keys()].some((uri) => uri.includes(`?${serial}-`));
    for (const [serial, other] of this.pairs) {
      if (!isOpen(serial)) {
        this.pairs.delete(serial);
      } else if (isSame(other, pair)) {
        return this.documents(serial, pair);
      }
    }
    const serial = String(++this.opened);
    this.pairs.set(serial, pair);
    return this.documents(serial, pair);
  }

  private documents(
    serial: string,
    { path, oldPath = path, before, after }: Pair,
  ): { readonly before: vscode.Uri; readonly after: vscode.Uri } {
    return { before: this.document(oldPath, `${serial}-before`, before), after: this.document(path, `${serial}-after`, after) };
  }

  dispose(): void {
    this.store.dispose();
    this.texts.clear();
    this.pairs.clear();
  }

  /** Returns a new document's address. The path determines its language and its name; the query makes it unique. */
  private document(path: string, query: string, text: string): vscode.Uri {
    // Escaped, because tabs and VS Code's lists take the name from here.
    const uri = vscode.Uri.file(withoutUndrawn(path, '_').replace(/\$(?=\()/g, '_')).with({
      scheme: documentSchemes.diff,
      authority: '',
      query,
    });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  /** Registers the documents on first use, because most users never open a diff. */
  private register(): void {
    if (this.registered) {
      return;
    }
    this.registered = true;
    const provideTextDocumentContent = (uri: vscode.Uri) => this.texts.get(uri.toString());
    this.store.add(registerDocuments(documentSchemes.diff, { provideTextDocumentContent }));
    this.store.add(onDidCloseDocument(({ uri }) => void this.texts.delete(uri.toString())));
  }
}

function besideConversation(): vscode.TextDocumentShowOptions {
  return { viewColumn: editorColumn(), preview: true, preserveFocus: true };
}

function isSame(one: Pair, other: Pair): boolean {
  return one.path === other.path && one.oldPath === other.oldPath && one.before === other.before && one.after === other.after;
}

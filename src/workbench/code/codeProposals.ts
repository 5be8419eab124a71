/** Proposes a block of code as the text of a file: shows a diff first, from which the user applies it. */
import * as vscode from 'vscode';
import path from 'node:path';
import { failureOf } from '../../core/model/failure';
import { isForeignShare } from '../../core/model/networkPath';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import { DisposableStore } from '../../util/disposable';
import { RootCheck } from '../../util/roots';
import { pickCodeFile } from './codeFilePick';
import { type CodeTarget, targetOf } from '../../application/code/codeTarget';
import { editorColumn } from '../window/columns';
import type { EditorInFront } from '../window/activeEditor';
import { inertLine } from '../../application/shared/escape';
import { codeScheme } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { onDidCloseDocument, registerDocuments } from '../documents/ownDocuments';
import type { UserActivity } from '../shared/userActivity';
import { openDiff, window } from '../shared/window';
import { failureText } from '../../application/shared/failureText';

/** The query of a file that does not exist yet. */
const NOTHING = 'none';

interface Proposal {
  readonly file: vscode.Uri;
  readonly text: string;
  /** The file's real path when the diff was shown. Undefined for a file that the user has picked. */
  readonly inFolders?: { readonly roots: Roots; readonly real: string };
}

interface NamedFile {
  readonly uri: vscode.Uri;
  readonly real: string;
}

export class CodeProposals implements Disposable {
  private readonly store = new DisposableStore();
  /** The proposals by the address of the proposed text. */
  private readonly proposals = new Map<string, Proposal>();
  private serial = 0;
  private registered = false;

  constructor(
    private readonly activity: UserActivity,
    private readonly front: EditorInFront,
  ) {}

  /**
   * Shows the changes as a diff against the file that the code names, if that is in the session's folders, or else against a file that the user
   * picks. Never rejects. @param info the info string of the code block's fence
   */
  async propose(roots: Roots, code: string, info: string): Promise<void> {
    try {
      const target = targetOf(info, code);
      const named = target && (await fileIn(roots, target.path));
      const file = named?.uri ?? (await pickCodeFile(roots, code, this.activity, this.front.document));
      if (file) {
        await this.show(file, code, named ? target : undefined, named && { roots, real: named.real });
      }
    } catch (error) {
      void window.showWarningMessage(failureText(failureOf(error), t));
    }
  }

  /** Applies the active proposal to its file. The file stays unsaved, and one undo step reverts the change. */
  async apply(): Promise<void> {
    const found = this.inFront();
    if (!found) {
      return;
    }
    const proposal = this.proposals.get(found.uri.toString());
    if (!proposal) {
      void window.showWarningMessage(t('This code was lost when the window was reloaded. Apply it again from the conversation.'));
      return;
    }
    const { file, text, inFolders } = proposal;
    if (inFolders && (await new RootCheck(inFolders.roots).resolve(file.fsPath)) !== inFolders.real) {
      void window.showWarningMessage(t("Couldn't apply the code: the path now points to a different file."));
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    const document = await openIfThere(file);
    if (document) {
      edit.replace(file, new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end), text);
    } else {
      edit.createFile(file, { contents: new TextEncoder().encode(text) });
    }
    if (!(await vscode.workspace.applyEdit(edit))) {
      void window.showWarningMessage(t("Couldn't apply the code: the file couldn't be changed."));
      return;
    }
    await vscode.window.tabGroups.close(found.tab);
    await vscode.window.showTextDocument(file, { preview: false });
  }

  /** Closes the active proposal. */
  async discard(): Promise<void> {
    const found = this.inFront();
    if (found) {
      await vscode.window.tabGroups.close(found.tab);
    }
  }

  dispose(): void {
    this.store.dispose();
    this.proposals.clear();
  }

  private async show(file: vscode.Uri, code: string, target: CodeTarget | undefined, inFolders: Proposal['inFolders']): Promise<void> {
    this.register();
    const document = await openIfThere(file);
    const query = String(++this.serial);
    const proposed = file.with({ scheme: codeScheme, authority: '', query });
    this.proposals.set(proposed.toString(), {
      file,
      text: textFor(document, code, target?.inFirstLine === true),
      ...(inFolders && { inFolders }),
    });
    const before = document ? file : proposed.with({ query: NOTHING });
    const title = t('{file} (code from the conversation)', { file: inertLine(path.posix.basename(file.path), 80) });
    await openDiff(before, proposed, title, { viewColumn: editorColumn(), preview: false });
  }

  /** Registers the documents on first use, because most users never apply code. */
  private register(): void {
    if (this.registered) {
      return;
    }
    this.registered = true;
    const provideTextDocumentContent = (uri: vscode.Uri) => (uri.query === NOTHING ? '' : this.proposals.get(uri.toString())?.text);
    this.store.add(registerDocuments(codeScheme, { provideTextDocumentContent }));
    this.store.add(onDidCloseDocument(({ uri }) => void this.proposals.delete(uri.toString())));
  }

  private inFront(): { tab: vscode.Tab; uri: vscode.Uri } | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab?.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === codeScheme
      ? { tab, uri: tab.input.modified }
      : undefined;
  }
}

/**
 * Returns the file with that name in the session's folders, or undefined when it is outside of them or is a folder. Paths outside are not
 * accessed.
 * @throws Fault `session.root_changed`
 */
async function fileIn(roots: Roots, named: string): Promise<NamedFile | undefined> {
  const file = path.resolve(roots.cwd, named);
  const real = isForeignShare(named, [roots.cwd, ...roots.additionalDirectories]) ? undefined : await realPathIn(roots, file);
  if (real === undefined) {
    return undefined;
  }
  const uri = vscode.Uri.file(file);
  const isFolder = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
  return isFolder ? undefined : { uri, real };
}

function realPathIn(roots: Roots, file: string): Promise<string | undefined> {
  return new RootCheck(roots).resolve(file).catch((error: unknown) => {
    if (failureOf(error).code === 'session.root_changed') {
      throw error;
    }
    return undefined;
  });
}

/** Opens a file's document. Resolves to undefined when the file does not exist, and rejects when it is not a text. */
async function openIfThere(file: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    await vscode.workspace.fs.stat(file);
  } catch {
    return undefined;
  }
  return vscode.workspace.openTextDocument(file);
}

/** Returns the code with the file's line endings. Drops a first line that only names the file, unless the file itself begins with that line. */
function textFor(document: vscode.TextDocument | undefined, code: string, namesFile: boolean): string {
  const [first = '', ...rest] = code.split(/\r?\n/);
  const kept = namesFile && document?.lineAt(0).text.trim() !== first.trim() ? rest : [first, ...rest];
  const endsWithBreak = !document || document.lineAt(document.lineCount - 1).text === '';
  if (endsWithBreak && kept.at(-1) !== '') {
    kept.push('');
  }
  return kept.join(document?.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

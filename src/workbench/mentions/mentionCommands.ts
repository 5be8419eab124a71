/**
 * **Add to ACP Session** in VS Code's menus: adds the item under the pointer as a mention to the message of the session in front, or of a new one.
 */
import * as vscode from 'vscode';
import type { DraftBlock } from '../../core/mentions/mention';
import type { Session } from '../../session/session';
import { RootCheck } from '../../util/roots';
import type { SessionPanels } from '../chat/panels';
import { joined, inertLine } from '../../application/shared/escape';
import { commands } from '../../application/shared/ids';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { isProblem, window } from '../shared/window';
import { changesMention, commonFolder, fileMention, selectedParts, textMention } from '../../application/mentions/mentionOf';
import { type Mentions, outputMention } from './mentions';

export interface MentionCommandsDependencies {
  readonly panels: SessionPanels;
  readonly activity: UserActivity;
  mentions(): Promise<Mentions>;
  /** Returns the session in front, or the newest running one, or a new one. Resolves to undefined when the user cancels. */
  session(): Promise<Session | undefined>;
  editor(): vscode.TextEditor | undefined;
  /** Returns a notebook that is active while none of its cells is edited. */
  notebook?(): vscode.NotebookDocument | undefined;
}

/** The maximum number of files whose changes are mentioned one by one. For more files, the changes of their common folder are mentioned. */
const MAX_CHANGES = 20;

/**
 * Creates the mentions once the session is known. Their sources are read earlier, because a new session takes the focus from the item under the
 * pointer.
 */
type Addition = (session: Session, mentions: Mentions) => readonly DraftBlock[] | Promise<readonly DraftBlock[]>;

export class MentionCommands {
  constructor(private readonly deps: MentionCommandsDependencies) {}

  /** Adds the selected lines of the active editor, or its file. */
  async editor(): Promise<void> {
    const notebook = vscode.window.activeTextEditor ? undefined : this.deps.notebook?.();
    if (notebook) {
      return this.add((session, mentions) => [fileMention(mentions.fileOf(session, notebook.uri), verbatim)]);
    }
    const editor = vscode.window.activeTextEditor ?? this.deps.editor();
    if (!editor) {
      void window.showInformationMessage(t('No file is open.'));
      return;
    }
    const { document } = editor;
    const { documentMention, fileUriOf } = await import('./notebookCells');
    const uri = fileUriOf(document.uri);
    const parts = selectedParts(editor.selections);
    await this.add((session, mentions) => {
      const file = mentions.fileOf(session, uri);
      return parts.length === 0 ? [fileMention(file, verbatim)] : parts.map((lines) => documentMention(file, document, lines));
    });
  }

  /** Adds files and folders that the user has chosen in VS Code. The choice is the user's consent. */
  async files(chosen: readonly vscode.Uri[]): Promise<void> {
    const { fileUriOf } = await import('./notebookCells');
    const uris = chosen.map(fileUriOf);
    const { existingFiles } = await import('../attachments/attachFiles');
    const found = await existingFiles(uris);
    if (found.length > 0) {
      await this.add(async (session, mentions) => {
        await mentions.agree(session, uris);
        void this.warnOutside(
          session,
          found.flatMap(({ uri, isFolder }) => (isFolder && uri.scheme === 'file' ? uri.fsPath : [])),
        );
        return found.map(({ uri, isFolder }) => fileMention(mentions.fileOf(session, uri, isFolder), verbatim));
      });
    }
  }

  /** Adds the changes of the files or groups that source control passes to a command. */
  async changes(args: readonly unknown[]): Promise<void> {
    const files = args.flat().flatMap(urisIn);
    const unique = [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
    await this.add((session, mentions) => {
      if (unique.length > 0 && unique.length <= MAX_CHANGES) {
        return unique.map((uri) => changesMention(mentions.fileOf(session, uri), false, verbatim));
      }
      const folder = unique.length === 0 ? session.roots.cwd : commonFolder(unique.map(({ fsPath }) => fsPath));
      return [changesMention({ uri: vscode.Uri.file(folder).toString(), path: folder.replaceAll('\\', '/') }, true, verbatim)];
    });
  }

  /**
   * Adds the output of the last command in the active terminal. A selection has no stable API. VS Code's command for copying it replaces the
   * clipboard, and leaves the clipboard's earlier text there when nothing is selected.
   */
  async terminalOutput(): Promise<void> {
    const output = (await this.deps.mentions()).outputs.lastOf(vscode.window.activeTerminal);
    if (!output) {
      void window.showInformationMessage(t("No command's output is known in this terminal. Shell integration must be on."));
      return;
    }
    await this.add(() => [outputMention(output)]);
  }

  /** Adds problems of one location, for the code action. */
  async problem(uri: unknown, diagnostics: unknown): Promise<void> {
    const all = Array.isArray(diagnostics) ? (diagnostics as unknown[]).filter(isProblem) : [];
    const first = all[0];
    if (!(uri instanceof vscode.Uri) || !first) {
      return;
    }
    const { converter } = await import('../../application/editor/lspConverter');
    const lines = { line: first.range.start.line + 1, endLine: first.range.end.line + 1 };
    // A problem may quote the file.
    const mayAttach = async (session: Session): Promise<boolean> =>
      (await import('../attachments/attachFiles')).mayAttachTextOf(uri, this.deps.activity, session);
    const text = JSON.stringify({ uri: converter.asUri(uri), diagnostics: converter.asDiagnosticsSync(all) }, null, 2);
    await this.add(async (session, mentions) => {
      if (!(await mayAttach(session))) {
        return [];
      }
      const file = fileMention(mentions.fileOf(session, uri), verbatim, lines);
      const name = verbatim('Problem in {file}', { file: file.name });
      return [textMention(name, first.message, 'problem.json', text, 'application/json'), file];
    });
  }

  /**
   * Warns that the agent can't read the files in these folders if they are outside of the session's. Adding a folder adds only the names of its
   * files.
   */
  private async warnOutside({ roots, store }: Session, folders: readonly string[]): Promise<void> {
    const own = new RootCheck(roots);
    const areInside = await Promise.all(folders.map((folder) => own.contains(folder)));
    const outside = folders.filter((_, at) => !areInside[at]).map((folder) => inertLine(folder, 200));
    if (outside.length === 0) {
      return;
    }
    const { additionalDirectories, load, resume } = store.state.capabilities;
    const change = t('Change Session Folders…');
    const chosen = await window.showWarningMessage(
      t("The agent can't read the files of these folders through VS Code, because they are outside this session's folders: {folders}", {
        folders: joined(outside, ', '),
      }),
      ...(additionalDirectories && (load || resume) ? [change] : []),
    );
    if (chosen === change) {
      await vscode.commands.executeCommand(commands.changeFolders);
    }
  }

  private async add(addition: Addition): Promise<void> {
    const session = await this.deps.session();
    if (session) {
      const blocks = await addition(session, await this.deps.mentions());
      if (blocks.length > 0) {
        this.deps.panels.attach(session, blocks);
        this.deps.panels.open(session);
      }
    }
  }
}

/** Returns the files from source control's resource states and groups, or from uris. */
function urisIn(value: unknown): vscode.Uri[] {
  if (value instanceof vscode.Uri) {
    return [value];
  }
  const { resourceUri, resourceStates } = (value ?? {}) as { resourceUri?: unknown; resourceStates?: unknown };
  if (resourceUri instanceof vscode.Uri) {
    return [resourceUri];
  }
  return Array.isArray(resourceStates) ? (resourceStates as unknown[]).flatMap(urisIn) : [];
}

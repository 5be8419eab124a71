/** The language features of VS Code that change files: each as one undoable edit, recorded as the agent's. */
import * as vscode from 'vscode';
import type { AfterEdits } from '../../../mcp/editor/afterEdits';
import type { AppliedEdit, CodeAction, EditPlan, EditsPort, EditorText, LanguagePort, RangeEdit } from '../../../mcp/editor/language';
import type { Position, Range } from '../../../mcp/editor/position';
import { applyRangeEdits } from '../../../mcp/editor/rangeEdits';
import type { ToolSession } from '../../../mcp/editor/tool';
import type { AllowedEdit, FileEdit } from '../../../fs/fileService';
import type { OpenBuffer } from '../../../fs/buffers';
import { realPathOf } from '../../../util/realPath';
import { ask, LanguageQueries, positionIn, rangeIn, uriOf, type LanguagePortDependencies } from './languagePort';

/** Actions whose edits are computed for a list. The edits of the others are not known, as if they ran a command. */
const MAX_RESOLVED = 40;
const ORGANIZE_IMPORTS = 'source.organizeImports';

export interface LanguageEditsDependencies extends LanguagePortDependencies {
  session(key: string):
    | {
        readonly consents: NonNullable<ReturnType<LanguagePortDependencies['session']>>['consents'];
        editFiles(
          edits: readonly FileEdit[],
          apply: (allowed: readonly AllowedEdit[]) => Promise<void>,
          signal: AbortSignal,
        ): Promise<void>;
      }
    | undefined;
  /** Marks the changes of a document as those of the agent that writes it, until the returned function is called. */
  writes(realPath: string): (() => void) | undefined;
  afterEdits(): Pick<AfterEdits, 'beforeWrite' | 'written'>;
}

/** A document that an edit changes. */
interface EditedFile {
  readonly path: string;
  readonly buffer: OpenBuffer;
  readonly version: number;
  readonly isDirty: boolean;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly RangeEdit[];
}

export class LanguageEdits extends LanguageQueries implements LanguagePort, EditsPort {
  constructor(private readonly editing: LanguageEditsDependencies) {
    super(editing);
  }

  async rename(path: string, position: Position, newName: string): Promise<EditPlan> {
    // For a document that is not open, VS Code 1.139 loses the name on the way ("Unexpected type").
    await vscode.workspace.openTextDocument(uriOf(path));
    const edit = await ask<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', uriOf(path), positionIn(position), newName);
    return edit ? this.planOf(edit) : { files: [], others: [] };
  }

  async actions(path: string, range: Range, kind: string | undefined): Promise<readonly CodeAction[]> {
    const document = await vscode.workspace.openTextDocument(uriOf(path));
    const found = await this.typescript.whileReported(document, () =>
      ask<(vscode.CodeAction | vscode.Command)[]>('vscode.executeCodeActionProvider', uriOf(path), rangeIn(range), kind, MAX_RESOLVED),
    );
    return (found ?? []).map((action) => this.action(action));
  }

  async organizeImports(path: string): Promise<EditPlan | undefined> {
    const { text } = await this.open(path);
    const found = await this.actions(path, wholeRange(text), ORGANIZE_IMPORTS);
    const action = found.find(({ edit, disabled }) => edit && disabled === undefined);
    // An action without an edit has nothing to do.
    return action?.edit ?? (found.length > 0 ? { files: [], others: [] } : undefined);
  }

  async format(path: string, range: Range | undefined): Promise<EditPlan | undefined> {
    const options = formattingOptions(await vscode.workspace.openTextDocument(uriOf(path)));
    const edits = await (range
      ? ask<vscode.TextEdit[]>('vscode.executeFormatRangeProvider', uriOf(path), rangeIn(range), options)
      : ask<vscode.TextEdit[]>('vscode.executeFormatDocumentProvider', uriOf(path), options));
    return edits && { files: [{ path, edits: edits.map((edit) => this.textEdit(edit)) }], others: [] };
  }

  async apply(session: ToolSession, { files }: EditPlan, _label: string, signal: AbortSignal): Promise<AppliedEdit> {
    const owner = this.editing.session(session.key);
    if (!owner) {
      throw new Error('The session has ended.');
    }
    const all = await Promise.all(files.map((file) => this.fileFor(file)));
    const changed = all.filter(({ before, after }) => before !== after);
    const unsaved: string[] = [];
    if (changed.length > 0) {
      await owner.editFiles(changed, (allowed) => this.make(session.key, changed, allowed, unsaved), signal);
    }
    return { unsaved };
  }

  /** @throws an Error when the file cannot be edited */
  private async fileFor({ path, edits }: EditPlan['files'][number]): Promise<EditedFile> {
    await vscode.workspace.openTextDocument(uriOf(path));
    const buffer = await this.editing.buffers.find(await realPathOf(path));
    if (!buffer || buffer.readOnly) {
      throw new Error(`${path} is read-only.`);
    }
    const { text: before, version, dirty: isDirty } = buffer;
    const after = withEol(applyRangeEdits(before, edits), buffer);
    const damage = await buffer.damage(after);
    if (damage) {
      throw new Error(`The encoding of ${path} cannot represent the new text.`);
    }
    return { path, buffer, version, isDirty, before, after, edits };
  }

  /** Makes the edit, then saves. Documents with unsaved changes of the user are not saved. */
  private async make(key: string, files: readonly EditedFile[], allowed: readonly AllowedEdit[], unsaved: string[]): Promise<void> {
    const stale = files.find(({ buffer, version }) => buffer.version !== version);
    if (stale) {
      throw new Error(`${stale.path} was changed meanwhile. Try again.`);
    }
    const edit = new vscode.WorkspaceEdit();
    for (const [index, { path, before, edits }] of files.entries()) {
      const { reviewed } = allowed[index]!;
      const wanted = reviewed === undefined ? edits : [{ range: wholeRange(before), newText: reviewed }];
      edit.set(
        uriOf(path),
        wanted.map(({ range, newText }) => new vscode.TextEdit(rangeIn(range), newText)),
      );
    }
    const { afterEdits, writes } = this.editing;
    const paths = files.map(({ path }) => path);
    afterEdits().beforeWrite(key, paths);
    const ends = allowed.map(({ real }) => writes(real));
    try {
      // The edit has the version of each document, so VS Code rejects it as a whole if the user types meanwhile.
      if (!(await vscode.workspace.applyEdit(edit))) {
        throw new Error('The editor refused the edit, because a file was changed meanwhile. Try again.');
      }
    } finally {
      ends.forEach((end) => end?.());
    }
    for (const { path, buffer, isDirty } of files) {
      const isSaved = !isDirty && (await buffer.save().catch(() => false));
      void (isSaved || unsaved.push(path));
    }
    afterEdits().written(key, paths);
  }

  private action(action: vscode.CodeAction | vscode.Command): CodeAction {
    if (typeof action.command === 'string') {
      return { title: action.title, kind: '', isPreferred: false };
    }
    const { title, kind, isPreferred, disabled, edit } = action as vscode.CodeAction;
    return {
      title,
      kind: kind?.value ?? '',
      isPreferred: isPreferred === true,
      ...(disabled && { disabled: disabled.reason }),
      ...(edit && { edit: this.planOf(edit) }),
    };
  }

  private planOf(edit: vscode.WorkspaceEdit): EditPlan {
    return {
      files: edit.entries().map(([uri, edits]) => ({
        path: uri.scheme === 'file' ? uri.fsPath : uri.toString(),
        edits: edits.map((each) => this.textEdit(each)),
      })),
      others: otherEdits(edit),
    };
  }

  private textEdit(edit: vscode.TextEdit): RangeEdit {
    return this.editing.converter.asTextEdit(edit);
  }
}

/** VS Code's entry of an edit. No API returns those that are no edits of a text. */
interface Entry {
  readonly _type: number;
  readonly from?: vscode.Uri;
  readonly to?: vscode.Uri;
  readonly uri?: vscode.Uri;
}

/** The type of an entry that replaces text. */
const TEXT = 2;

/** Describes the parts of an edit that are no edits of a text, such as a file that is created. */
function otherEdits(edit: vscode.WorkspaceEdit): readonly string[] {
  const { _allEntries: all } = edit as unknown as { _allEntries?(): readonly Entry[] };
  const entries = typeof all === 'function' ? all.call(edit) : [];
  return entries.flatMap(({ _type, from, to, uri }) => {
    if (_type === TEXT) {
      return [];
    }
    if (from && to) {
      return [`it moves ${from.fsPath} to ${to.fsPath}`];
    }
    return [
      to ? `it creates ${to.fsPath}` : from ? `it deletes ${from.fsPath}` : `it changes ${uri?.fsPath ?? 'a file'} by a snippet or a cell`,
    ];
  });
}

/** The edit gets the document's line ends, as VS Code gives them to inserted text. */
function withEol(text: string, { eol }: Pick<OpenBuffer, 'eol'>): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}

function wholeRange(text: EditorText['text']): Range {
  const lines = text.split(/\r\n|\n|\r/);
  return { start: { line: 0, character: 0 }, end: { line: lines.length - 1, character: lines.at(-1)!.length } };
}

/** The options of the document's editor, or of the settings for its language. */
function formattingOptions(document: vscode.TextDocument): vscode.FormattingOptions {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.options;
  const configured = vscode.workspace.getConfiguration('editor', { uri: document.uri, languageId: document.languageId });
  const { tabSize, insertSpaces } = shown ?? {};
  return {
    tabSize: typeof tabSize === 'number' ? tabSize : configured.get('tabSize', 4),
    insertSpaces: typeof insertSpaces === 'boolean' ? insertSpaces : configured.get('insertSpaces', true),
  };
}

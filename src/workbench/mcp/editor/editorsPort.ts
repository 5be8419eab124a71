/** The editors of the window for the tools that read them. */
import * as vscode from 'vscode';
import { splitLines } from '../../../mcp/editor/position';
import type { ActiveEditor, EditorsPort, EditorTab, UnsavedDocument } from '../../../mcp/editor/tools/editors';
import { cellOf } from '../../mentions/notebookCells';
import type { FrontEditors } from '../../window/activeEditor';
import { type FileAccess, storedText } from './fileAccess';

export function editorsPort(front: FrontEditors, { mayRead }: FileAccess): EditorsPort {
  return {
    tabs: () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tabOf(tab, group.viewColumn))),
    active: () => {
      const editor = [vscode.window.activeTextEditor, front.frontEditor].find((each) => each && READ.has(each.document.uri.scheme));
      return editor && activeOf(editor);
    },
    unsaved: () => vscode.workspace.textDocuments.flatMap(unsavedOf),
    mayRead,
  };
}

/** The schemes of documents that are read. Others show what the rules for files do not cover, such as earlier versions and the user's settings. */
const READ: ReadonlySet<string> = new Set(['file', 'untitled', 'vscode-notebook-cell']);

function tabOf({ input, label, isActive, isDirty, isPinned }: vscode.Tab, group: number): EditorTab {
  const [kind, uri] = contentOf(input);
  return { kind, label, path: pathOf(uri), group, isActive, isDirty, isPinned };
}

function contentOf(input: unknown): [EditorTab['kind'], vscode.Uri | undefined] {
  if (input instanceof vscode.TabInputText) {
    return ['text', input.uri];
  }
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return ['diff', input.modified];
  }
  if (input instanceof vscode.TabInputNotebook) {
    return ['notebook', input.uri];
  }
  if (input instanceof vscode.TabInputCustom) {
    return ['custom', input.uri];
  }
  return [input instanceof vscode.TabInputTerminal ? 'terminal' : input instanceof vscode.TabInputWebview ? 'page' : 'other', undefined];
}

function activeOf({ document, selections, selection, visibleRanges }: vscode.TextEditor): ActiveEditor {
  const cell = cellOf(document);
  return {
    path: pathOf(cell?.notebook.uri ?? document.uri),
    cell: cell && cell.index + 1,
    label: vscode.workspace.asRelativePath(document.uri),
    language: document.languageId,
    isDirty: document.isDirty,
    lines: splitLines(document.getText()),
    selections,
    cursor: selection.active,
    visible: visibleRanges,
  };
}

function unsavedOf(document: vscode.TextDocument): UnsavedDocument[] {
  const { uri, isDirty, isUntitled } = document;
  if (!isDirty || !(uri.scheme === 'file' || isUntitled)) {
    return [];
  }
  const path = pathOf(uri);
  const saved = (): Promise<string | undefined> =>
    path === undefined ? Promise.resolve(undefined) : storedText(path).catch(() => undefined);
  return [{ path, label: uri.path, text: document.getText(), saved }];
}

function pathOf(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === 'file' ? uri.fsPath : undefined;
}

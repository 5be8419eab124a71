/** Cells of the window's notebooks. A cell's text has an address that only this window knows, so a mention names the notebook's file and the cell. */
import * as vscode from 'vscode';
import type { CellReference, Mention } from '../../core/mentions/mention';
import { verbatim } from '../shared/l10n';
import { cellMention, fileMention, type Lines, type MentionedFile } from '../../application/mentions/mentionOf';

/** Returns undefined for a document that is not a cell of an open notebook. */
export function cellOf({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.NotebookCell | undefined {
  if (uri.scheme !== 'vscode-notebook-cell') {
    return undefined;
  }
  const address = uri.toString();
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return cells.find(({ document }) => document.uri.toString() === address);
}

/** Returns the address of the file that a document belongs to. For a cell it is the notebook's. */
export function fileUriOf(uri: vscode.Uri): vscode.Uri {
  return cellOf({ uri })?.notebook.uri ?? uri;
}

/** Mentions the file of a document, or lines in it. @param file the file of {@link fileUriOf} */
export function documentMention(file: MentionedFile, document: vscode.TextDocument, lines?: Lines): Mention {
  const cell = lines && cellOf(document);
  return cell ? cellMention(file, cellReference(cell), verbatim, lines) : fileMention(file, verbatim, lines);
}

/** Finds the cell by its id, or by its text's address in this window, or by its number. Rejects when there is no such cell. */
export async function readCell(uri: vscode.Uri, { number, id, document }: CellReference): Promise<{ text: string; number: number }> {
  const address = uri.toString();
  const open = vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === address && !each.isClosed);
  const cells = (open ?? (await vscode.workspace.openNotebookDocument(uri))).getCells();
  const found =
    (id === undefined ? undefined : cells.find((cell) => idOf(cell) === id)) ??
    cells.find((cell) => cell.document.uri.toString() === document) ??
    (id === undefined ? cells[number - 1] : undefined);
  if (!found) {
    throw new Error('no such cell');
  }
  return { text: found.document.getText(), number: found.index + 1 };
}

/** Shows the cell, with the lines selected. */
export async function showCell(uri: vscode.Uri, cell: CellReference, lines?: Lines): Promise<void> {
  const { number } = await readCell(uri, cell);
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  const range = new vscode.NotebookRange(number - 1, number);
  const editor = await vscode.window.showNotebookDocument(notebook, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  const text = vscode.window.visibleTextEditors.find(({ document }) => document === notebook.cellAt(number - 1).document);
  if (text && lines) {
    text.selection = new vscode.Selection(lines.line - 1, 0, lines.endLine, 0);
  }
}

function cellReference(cell: vscode.NotebookCell): CellReference {
  const id = idOf(cell);
  return { number: cell.index + 1, ...(id !== undefined && { id }), document: cell.document.uri.toString() };
}

/** Returns the cell's id, which newer notebook formats have. */
function idOf({ metadata }: vscode.NotebookCell): string | undefined {
  const { id } = metadata as { readonly id?: unknown };
  return typeof id === 'string' && id !== '' && id.length <= 200 ? id : undefined;
}

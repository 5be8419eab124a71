/** Notebooks for the tools, as VS Code has them open. */
import * as vscode from 'vscode';
import { RetryError } from '../../../mcp/editor/retry';
import type { Cell, CellEdit, CellOutput, NotebooksPort } from '../../../mcp/editor/tools/notebooks';
import { editedCells, notebookText } from '../../../mcp/editor/tools/notebookText';
import { type FileAccess, storedText, type ToolSessions } from './fileAccess';

const ERROR = 'application/vnd.code.notebook.error';
/** The best form of an output for a model. */
const PREFERRED = [ERROR, 'application/vnd.code.notebook.stdout', 'application/vnd.code.notebook.stderr', 'text/plain', 'text/markdown'];
const MAX_OUTPUT = 64 * 1024;

export function notebooksPort({ mayRead }: Pick<FileAccess, 'mayRead'>, sessions: ToolSessions): NotebooksPort {
  return {
    cells: async (path) => {
      const notebook = await open(path).catch(() => undefined);
      return notebook?.getCells().map(cellOf);
    },
    edit: async ({ key }, path, edit, signal) => {
      const session = sessions.session(key);
      if (!session) {
        throw new Error('The session has ended.');
      }
      const notebook = await open(path);
      const cells = notebook.getCells().map(cellOf);
      const [before, after] = [notebookText(cells), notebookText(editedCells(cells, edit, languageOf(notebook)))];
      let isSaved = false;
      await session.editFiles(
        [{ path, before, after }],
        async ([allowed]) => {
          if (allowed?.reviewed !== undefined) {
            throw new RetryError('The user changed the text in the review, which a notebook does not take. Ask the user.');
          }
          if (notebookText(notebook.getCells().map(cellOf)) !== before) {
            throw new RetryError('The notebook was changed meanwhile. Read it again.');
          }
          const isDirty = notebook.isDirty;
          const stored = isDirty ? '' : await storedText(path);
          const change = new vscode.WorkspaceEdit();
          addEdit(change, notebook, edit);
          if (!(await vscode.workspace.applyEdit(change))) {
            throw new RetryError('VS Code refused the change. Read the notebook again.');
          }
          isSaved = !isDirty && (await notebook.save());
          return isSaved ? [{ path, before: stored, after: await storedText(path) }] : [];
        },
        signal,
      );
      return isSaved;
    },
    run: async (path, index, signal) => {
      const notebook = await open(path);
      const cell = notebook.cellAt(index);
      const before = cell.executionSummary?.timing?.startTime;
      // Only a notebook in an editor has a kernel.
      await vscode.window.showNotebookDocument(notebook, { preserveFocus: true, preview: false });
      await vscode.commands.executeCommand('notebook.cell.execute', { ranges: [{ start: index, end: index + 1 }], document: notebook.uri });
      await untilRun(notebook, cell, before, signal);
      return notebook.isClosed ? undefined : cellOf(cell);
    },
    mayRead,
  };
}

async function open(path: string): Promise<vscode.NotebookDocument> {
  const uri = vscode.Uri.file(path);
  const known = vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === uri.toString() && !each.isClosed);
  return known ?? vscode.workspace.openNotebookDocument(uri);
}

function addEdit(change: vscode.WorkspaceEdit, notebook: vscode.NotebookDocument, edit: CellEdit): void {
  if (edit.action === 'replace') {
    // The text is replaced, and not the cell, so that its outputs stay.
    const { document } = notebook.cellAt(edit.index);
    change.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), edit.text);
  } else if (edit.action === 'delete') {
    change.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(edit.index, edit.index + 1))]);
  } else {
    const kind = edit.kind === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
    const language = edit.kind === 'markdown' ? 'markdown' : (edit.language ?? languageOf(notebook));
    const cell = new vscode.NotebookCellData(kind, edit.text, language);
    change.set(notebook.uri, [vscode.NotebookEdit.insertCells(edit.index, [cell])]);
  }
}

/** Returns the language of the first code cell, otherwise that of the notebook's metadata. */
function languageOf(notebook: vscode.NotebookDocument): string {
  const first = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
  return first?.document.languageId ?? (notebook.notebookType === 'jupyter-notebook' ? 'python' : 'plaintext');
}

/** Resolves when the cell has ended a run that began after `before`, or when the signal aborts. */
function untilRun(
  notebook: vscode.NotebookDocument,
  cell: vscode.NotebookCell,
  before: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const subscriptions: vscode.Disposable[] = [];
    const done = (): void => {
      vscode.Disposable.from(...subscriptions).dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const check = (): void => {
      const { success, timing } = cell.executionSummary ?? {};
      if (notebook.isClosed || (success !== undefined && timing !== undefined && timing.startTime !== before)) {
        done();
      }
    };
    subscriptions.push(vscode.workspace.onDidChangeNotebookDocument(check), vscode.workspace.onDidCloseNotebookDocument(check));
    signal.addEventListener('abort', done, { once: true });
    check();
    if (signal.aborted) {
      done();
    }
  });
}

function cellOf({ kind, document, outputs, executionSummary }: vscode.NotebookCell): Cell {
  return {
    kind: kind === vscode.NotebookCellKind.Markup ? 'markdown' : 'code',
    language: document.languageId,
    text: document.getText(),
    executionOrder: executionSummary?.executionOrder,
    success: executionSummary?.success,
    outputs: outputs.flatMap(outputOf),
  };
}

function outputOf({ items }: vscode.NotebookCellOutput): CellOutput[] {
  const rank = ({ mime }: vscode.NotebookCellOutputItem): number => {
    const at = PREFERRED.indexOf(mime);
    return at >= 0 ? at : isText(mime) ? PREFERRED.length : PREFERRED.length + 1;
  };
  const [item] = items.toSorted((a, b) => rank(a) - rank(b));
  if (!item) {
    return [];
  }
  const { mime, data } = item;
  const text = isText(mime) ? new TextDecoder().decode(data.subarray(-MAX_OUTPUT)) : undefined;
  return [{ mime, isError: mime === ERROR, text: mime === ERROR ? errorText(text ?? '') : text }];
}

function isText(mime: string): boolean {
  return /^text\/|json$|xml$|^application\/vnd\.code\.notebook\./.test(mime);
}

function errorText(json: string): string {
  try {
    const { name, message, stack } = JSON.parse(json) as Partial<Error>;
    return [`${name ?? 'Error'}: ${message ?? ''}`, ...(stack === undefined ? [] : [stack])].join('\n');
  } catch {
    return json;
  }
}

/** The tools for notebooks: cells and outputs read, a cell edited, a cell run. */
import { z } from 'zod';
import { bounded, rowsAnswer, tailOf, unlessAborted, withRetries } from '../answerText';
import { fileField, type SessionFile, SessionFiles } from '../files';
import { counted, cursorField } from '../list';
import { reasoned, RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext, type ToolSession } from '../tool';

export interface CellOutput {
  readonly mime: string;
  /** Undefined for a picture and other bytes. */
  readonly text: string | undefined;
  readonly isError: boolean;
}

export interface Cell {
  readonly kind: 'code' | 'markdown';
  readonly language: string;
  readonly text: string;
  /** The number that the kernel gave to the last run. */
  readonly executionOrder: number | undefined;
  /** Undefined when the cell was not run. */
  readonly success: boolean | undefined;
  readonly outputs: readonly CellOutput[];
}

/** `replace`, `insert` before the cell with this number, or at the end; `delete`. */
export type CellEdit =
  | { readonly action: 'replace'; readonly index: number; readonly text: string }
  | {
      readonly action: 'insert';
      readonly index: number;
      readonly text: string;
      readonly kind: Cell['kind'];
      readonly language: string | undefined;
    }
  | { readonly action: 'delete'; readonly index: number };

export interface NotebooksPort {
  /** Opens the notebook without showing it. Resolves to undefined for a file that is no notebook. */
  cells(path: string): Promise<readonly Cell[] | undefined>;
  /**
   * Changes the notebook in one undo step, after the user's rules and the review of changes. Resolves to false when it is not saved, because it has
   * unsaved changes of the user. Rejects when it was refused.
   */
  edit(session: ToolSession, path: string, edit: CellEdit, signal: AbortSignal): Promise<boolean>;
  /** Runs a cell with the kernel of the notebook. Resolves to the cell when it has ended, and to undefined when the notebook was closed. */
  run(path: string, index: number, signal: AbortSignal): Promise<Cell | undefined>;
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
}

const PAGE = 30;
const MAX_SOURCE = 4 * 1024;
const MAX_OUTPUT = 3 * 1024;

const cellField = z.int().min(1).describe('The number of the cell, from 1, as notebook_cells answers it.');
const readInput = z.object({
  file: fileField,
  cell: cellField.optional().describe('Only this cell, with more of its text and outputs.'),
  cursor: cursorField,
});
const editInput = z.object({
  file: fileField,
  action: z.enum(['replace', 'insert', 'delete']),
  cell: cellField.describe(
    'The number of the cell, from 1. With insert: the number that the new cell gets; one more than the last appends it.',
  ),
  text: z.string().max(200_000).optional().describe('The whole new text of the cell, for replace and insert.'),
  expected: z.string().max(200_000).optional().describe('The present text of the cell. When it is another one, nothing is changed.'),
  kind: z.enum(['code', 'markdown']).optional().describe('For insert. Default: code.'),
  language: z.string().max(100).optional().describe('For insert of code: the language, such as "python". Default: that of the notebook.'),
});
const runInput = z.object({ file: fileField, cell: cellField });

export function notebookTools(port: NotebooksPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'notebook_cells',
      category: 'notebooks',
      title: 'Read a notebook',
      description: 'Answers the cells of a notebook with their numbers, languages, texts and outputs, also those that are not saved.',
      isReadOnly: true,
      input: readInput,
      timeout: 20_000,
      run: (input, context) => readCells(port, input, context),
    }),
    editorTool({
      name: 'edit_notebook_cell',
      category: 'notebooks',
      title: 'Edit a notebook cell',
      description:
        'Replaces the text of a cell, inserts a cell, or deletes one, as one step that the user can undo. The notebook is saved, unless it has unsaved changes.',
      isReadOnly: false,
      input: editInput,
      timeout: 300_000,
      run: (input, context) => editCell(port, input, context),
    }),
    editorTool({
      name: 'run_notebook_cell',
      category: 'notebooks',
      title: 'Run a notebook cell',
      description: "Runs a code cell with the notebook's kernel and answers its outputs. The user may have to choose a kernel first.",
      isReadOnly: false,
      input: runInput,
      timeout: 300_000,
      run: (input, context) => runCell(port, input, context),
    }),
  ]);
}

async function readCells(
  port: NotebooksPort,
  { file: name, cell: number, cursor }: z.output<typeof readInput>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const { file, cells } = await notebook(port, name, context);
  if (number !== undefined) {
    const cell = cellAt(cells, number, file);
    return { text: bounded(describe(cell, number, 4)), data: { file: file.shown, total: cells.length, cells: [dataOf(cell, number, 4)] } };
  }
  return rowsAnswer(context, {
    items: cells.map((cell, index) => dataOf(cell, index + 1, 1)),
    cursor,
    size: PAGE,
    none: `${file.shown} has no cells.`,
    head: `${file.shown}: ${counted(cells.length, 'cell')}.`,
    data: (item) => item,
    text: ({ cell: at }) => describe(cells[at - 1]!, at, 1),
  });
}

async function editCell(port: NotebooksPort, input: z.output<typeof editInput>, context: ToolContext): Promise<ToolAnswer> {
  const { file, cells } = await notebook(port, input.file, context);
  const { action, cell: number, text, expected, kind = 'code', language } = input;
  const index = number - 1;
  if (action === 'insert') {
    if (number > cells.length + 1) {
      throw new RetryError(`${file.shown} has ${cells.length} cells, so the new cell can have a number up to ${cells.length + 1}.`);
    }
  } else {
    const cell = cellAt(cells, number, file);
    if (expected !== undefined && normal(expected) !== normal(cell.text)) {
      throw new RetryError(`Cell ${number} of ${file.shown} has another text now:\n${bounded(cell.text, MAX_SOURCE)}`);
    }
  }
  if (action !== 'delete' && text === undefined) {
    throw new RetryError(`Give text with ${action}.`);
  }
  const edit: CellEdit =
    action === 'delete'
      ? { action, index }
      : action === 'replace'
        ? { action, index, text: text! }
        : { action, index, text: text!, kind, language };
  const isSaved = await reasoned('Nothing was changed', port.edit(context.session, file.path, edit, context.signal));
  const done = { replace: 'Replaced the text of', insert: 'Inserted', delete: 'Deleted' }[action];
  const unsaved = isSaved ? '' : ' It is not saved, because the user has unsaved changes there.';
  return { text: `${done} cell ${number} of ${file.shown}.${unsaved}`, data: { file: file.shown, action, cell: number, saved: isSaved } };
}

async function runCell(
  port: NotebooksPort,
  { file: name, cell: number }: z.output<typeof runInput>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const { file, cells } = await notebook(port, name, context);
  if (cellAt(cells, number, file).kind !== 'code') {
    throw new RetryError(`Cell ${number} of ${file.shown} is Markdown, which does not run.`);
  }
  context.progress(0, undefined, `Running cell ${number}`);
  const cell = await unlessAborted(port.run(file.path, number - 1, context.signal), context.signal);
  if (!cell) {
    const text =
      'The cell has not ended in time. The kernel may be starting, or VS Code asks the user to choose one. See notebook_cells later.';
    return { text, data: { file: file.shown, cell: number, timedOut: context.timedOut || context.signal.aborted } };
  }
  const state = cell.success === false ? 'failed' : 'has ended';
  return {
    text: bounded(`Cell ${number} ${state}.\n${outputsOf(cell, MAX_OUTPUT * 4)}`),
    data: { file: file.shown, ...dataOf(cell, number, 4), timedOut: false },
  };
}

/** @throws RetryError */
async function notebook(
  port: NotebooksPort,
  name: string,
  { session, signal }: ToolContext,
): Promise<{ readonly file: SessionFile; readonly cells: readonly Cell[] }> {
  const files = await SessionFiles.of(session.roots);
  const file = await files.resolve(name, 'file');
  if (!(await port.mayRead(session, file.path))) {
    throw new RetryError(`${file.shown} is protected. Ask the user for its content.`);
  }
  const cells = await unlessAborted(port.cells(file.path), signal);
  if (!cells) {
    throw new RetryError(`${file.shown} is not a notebook that VS Code can open. Read it as a file.`);
  }
  return { file, cells };
}

/** @throws RetryError */
function cellAt(cells: readonly Cell[], number: number, file: SessionFile): Cell {
  const found = cells[number - 1];
  if (!found) {
    throw new RetryError(`${file.shown} has ${cells.length} cells, so there is no cell ${number}.`);
  }
  return found;
}

function describe(cell: Cell, number: number, factor: number): string {
  const { kind, language, executionOrder, success, text } = cell;
  const run = executionOrder === undefined ? '' : `, run ${executionOrder}`;
  const marks = `${kind === 'markdown' ? 'Markdown' : language}${run}${success === false ? ', failed' : ''}`;
  const outputs = cell.outputs.length === 0 ? '' : `\n${outputsOf(cell, MAX_OUTPUT * factor)}`;
  return `[${number}] ${marks}\n${bounded(text, MAX_SOURCE * factor)}${outputs}`;
}

function outputsOf({ outputs }: Cell, max: number): string {
  if (outputs.length === 0) {
    return 'No output.';
  }
  const share = Math.floor(max / outputs.length);
  return outputs
    .map(
      ({ mime, text, isError }) =>
        `${isError ? 'Error' : 'Output'} (${mime}):${text === undefined ? ' not text' : `\n${tailOf(text.trimEnd(), share)}`}`,
    )
    .join('\n');
}

function dataOf({ kind, language, text, executionOrder, success, outputs }: Cell, number: number, factor: number) {
  return {
    cell: number,
    kind,
    language,
    text: bounded(text, MAX_SOURCE * factor),
    executionOrder: executionOrder ?? null,
    success: success ?? null,
    outputs: outputs
      .slice(0, 20)
      .map(({ mime, text: output, isError }) => ({ mime, isError, text: output === undefined ? null : tailOf(output, MAX_OUTPUT) })),
  };
}

function normal(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** The text of a notebook for the question about an edit. */
import type { Cell, CellEdit } from './notebooks';

type TextCell = Pick<Cell, 'kind' | 'language' | 'text'>;

/** Returns the text as a Jupyter file without outputs, which VS Code's diff of notebooks shows cell by cell. */
export function notebookText(cells: readonly TextCell[]): string {
  const language = cells.find(({ kind }) => kind === 'code')?.language ?? 'python';
  const written = cells.map(({ kind, language: own, text }) => ({
    cell_type: kind,
    ...(kind === 'code' && { execution_count: null, outputs: [] }),
    metadata: kind === 'code' && own !== language ? { vscode: { languageId: own } } : {},
    source: text.split(/(?<=\n)/),
  }));
  return `${JSON.stringify({ cells: written, metadata: { language_info: { name: language } }, nbformat: 4, nbformat_minor: 2 }, undefined, 1)}\n`;
}

/** Returns the cells after an edit. @param language of a new cell without one */
export function editedCells(cells: readonly TextCell[], edit: CellEdit, language: string): readonly TextCell[] {
  const { index } = edit;
  switch (edit.action) {
    case 'replace':
      return cells.with(index, { ...cells[index]!, text: edit.text });
    case 'insert': {
      const { kind, text } = edit;
      return cells.toSpliced(index, 0, { kind, text, language: kind === 'markdown' ? 'markdown' : (edit.language ?? language) });
    }
    case 'delete':
      return cells.toSpliced(index, 1);
  }
}

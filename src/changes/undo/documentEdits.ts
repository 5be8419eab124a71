/** Edits open documents, and reverts the edits where they cannot be saved. */
import { applyEdit, type TextEdit } from '../../core/fileChanges/hunks';
import type { LeftReason } from './undoPlan';
import type { UndoEditor } from './undoDependencies';

/**
 * Applies edits to a document. A document that cannot be saved gets its text back, so that no undo is reported that is not on the disk.
 * @param edits the last position first
 * @returns the reason why nothing was changed; undefined when it was
 */
export async function editDocument(
  editor: Pick<UndoEditor, 'edit'>,
  file: string,
  text: string,
  edits: readonly TextEdit[],
  save: boolean,
): Promise<LeftReason | undefined> {
  const result = await editor.edit(file, text, edits, save);
  if (result === 'not_saved') {
    await editor.edit(file, edits.reduce(applyEdit, text), inverseOf(text, edits), false);
    return 'failed';
  }
  return result ? undefined : 'changing';
}

/** Returns the edits that restore `text`, also the last position first. */
function inverseOf(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  let shift = 0;
  return [...edits]
    .reverse()
    .map((edit): TextEdit => {
      const start = edit.start + shift;
      shift += edit.text.length - (edit.end - edit.start);
      return { start, end: start + edit.text.length, text: text.slice(edit.start, edit.end) };
    })
    .reverse();
}

/** The files of a patch as changes of the model, which the line view, the counts, the review and the locations read. Pure. */
import type { FileChange } from '../../core/model/content';
import { readGitPatch, type PatchedFile } from './readGitPatch';

export interface PatchChanges {
  /** One change for each hunk, because a hunk is a passage of its file. A file without hunks is one change without texts. */
  readonly changes: readonly FileChange[];
  /** True when the changes have all that the patch contains. A binary file or a mode is only in its text. */
  readonly isWhole: boolean;
}

/**
 * Returns the changes in a patch; undefined when it cannot be read.
 * @param listed the changes beside the patch. Those that it does not cover are added.
 */
export function patchChanges(text: string, listed: readonly FileChange[] = []): PatchChanges | undefined {
  const known = listed.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const files = readGitPatch(text, known);
  if (!files) {
    return undefined;
  }
  const covered = new Set(files.map(({ path }) => path));
  return {
    changes: [...files.flatMap(changesOf), ...listed.filter(({ path }) => !covered.has(path))],
    isWhole: files.every((file) => !file.isBinary && (file.oldMode === undefined || file.newMode === undefined)),
  };
}

function changesOf({ operation, path, oldPath, isBinary, hunks }: PatchedFile): readonly FileChange[] {
  const file = { operation, path, ...(oldPath !== undefined && { oldPath }) };
  if (hunks.length === 0) {
    return [operation === 'add' && !isBinary ? { ...file, oldText: null, newText: '' } : file];
  }
  return hunks.map(({ oldText, newText, newStart }, index) => {
    if (operation === 'add') {
      return { ...file, oldText: null, newText };
    }
    if (operation === 'delete') {
      return { ...file, oldText };
    }
    // The first hunk moves the file, and the others change it.
    return { ...(index === 0 ? file : { operation: 'modify', path }), oldText, newText, line: newStart };
  });
}

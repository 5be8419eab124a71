/** The files of a patch as changes of the model, which the line view, the counts, the review and the locations read. Pure. */
import type { FileChange } from '../../core/model/content';
import { readGitPatch, type PatchedFile } from './readGitPatch';

export interface PatchChanges {
  /** One change for each hunk, because a hunk is a passage of its file. A file without hunks is one change without texts. */
  readonly changes: readonly FileChange[];
  /** True when the changes have all that the patch contains. A binary file or a special mode is only in its text. */
  readonly isWhole: boolean;
}

/**
 * Returns the changes in a patch; undefined when it cannot be read.
 * @param listed the changes beside the patch. Their order and their fields count, and the patch adds the texts of those that it covers.
 */
export function patchChanges(text: string, listed: readonly FileChange[] = []): PatchChanges | undefined {
  const known = listed.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const files = readGitPatch(text, known);
  if (!files) {
    return undefined;
  }
  const [only] = files;
  const [change] = listed;
  // The usual patch: one passage of one file.
  if (only && change && files.length === 1 && listed.length === 1 && only.path === change.path && only.hunks.length === 1) {
    const { operation, hunks, oldPath } = only;
    const { oldText, newText, newStart: line } = hunks[0]!;
    const isPlain = operation === 'modify' && oldPath === undefined && Object.keys(change).length === 2;
    // A copy of an object by its fields takes much longer than a new one.
    const changed = isPlain
      ? { operation: change.operation, path: change.path, oldText, newText, line }
      : { ...changesOf(only)[0], ...change };
    return { changes: [changed], isWhole: hasAll(only) };
  }
  const left = filesByPath(files);
  const changes = listed.flatMap((change) => {
    const path = left.has(change.path) ? change.path : relativePath(change.path, left);
    const same = left.get(path ?? '') ?? [];
    const file = same.find(({ operation }) => operation === change.operation) ?? same[0];
    if (!file) {
      return [change];
    }
    if (same.length === 1) {
      left.delete(file.path);
    } else {
      left.set(file.path, same.toSpliced(same.indexOf(file), 1));
    }
    const [first, ...others] = changesOf(file);
    return [{ ...first, ...change }, ...others.map((other) => ({ ...other, path: change.path }))];
  });
  return {
    changes: [...changes, ...[...left.values()].flat().flatMap(changesOf)],
    isWhole: files.every(hasAll),
  };
}

/** True when changes have all that the patch says about the file. */
function hasAll({ isBinary, oldMode, newMode }: PatchedFile): boolean {
  return !isBinary && (newMode === undefined || (oldMode === undefined && newMode === FILE));
}

function filesByPath(files: readonly PatchedFile[]): Map<string, readonly PatchedFile[]> {
  const byPath = new Map<string, readonly PatchedFile[]>();
  for (const file of files) {
    const same = byPath.get(file.path);
    byPath.set(file.path, same ? [...same, file] : [file]);
  }
  return byPath;
}

/** The mode of a usual file. */
const FILE = '100644';

/** Returns the path relative to the folder of a repository, if the patch has it. Git writes such paths. */
function relativePath(path: string, files: ReadonlyMap<string, unknown>): string | undefined {
  const parts = path.split(/[\\/]/);
  for (let at = 1; at < parts.length; at++) {
    const relative = parts.slice(at).join('/');
    if (files.has(relative)) {
      return relative;
    }
  }
  return undefined;
}

function changesOf(patched: PatchedFile): readonly FileChange[] {
  const { operation, path, oldPath, isBinary, oldMode, hunks } = patched;
  const file = { operation, path, ...(oldPath !== undefined && { oldPath }) };
  if (hunks.length === 0) {
    if (operation === 'add' && !isBinary) {
      return [{ ...file, oldText: null, newText: '' }];
    }
    return [oldPath !== undefined && !isBinary && oldMode === undefined ? { ...file, sameText: true } : file];
  }
  return hunks.map(({ oldText, newText, oldStart, newStart }, index) => {
    if (operation === 'add') {
      return { ...file, oldText: null, newText };
    }
    if (operation === 'delete') {
      return { ...file, oldText, line: oldStart };
    }
    // The first hunk moves the file, and the others change it.
    return { ...(index === 0 ? file : { operation: 'modify', path }), oldText, newText, line: newStart };
  });
}

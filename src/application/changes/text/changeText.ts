/** The words for the change of a file that waits for review. Pure. */
import path from 'node:path';
import type { ReviewFile } from '../../../changes/review/review';
import { hasModeChange } from '../../../changes/review/reviewFile';
import type { FileState } from '../../../core/fileChanges/records';
import { type InertText, joined, inertLine } from '../../shared/escape';
import type { Translate } from '../../shared/translate';

const MAX_NAME = 100;
const MAX_TARGET = 200;

/** The change of a file as a whole, and why it cannot be undone, if so. */
export function changeText(file: ReviewFile, t: Translate): InertText {
  const what = kindText(file, t);
  return file.before.kind === 'unknown' ? joined([what, unknownText(file.before, t)], '. ') : what;
}

/** The reason why an earlier version is not available. */
export function unknownText(before: FileState, t: Translate): InertText {
  switch (before.kind === 'unknown' ? before.reason : undefined) {
    case 'too_large':
      return t("Can't be undone: the file is too large to store an earlier version");
    case 'limit':
      return t("Can't be undone: there was no room to store an earlier version");
    default:
      return t("Can't be undone: the earlier version is not known");
  }
}

function kindText({ path: real, oldPath, before, after, isDeleted, isBack, hunks }: ReviewFile, t: Translate): InertText {
  const file = inertLine(path.basename(real), MAX_NAME);
  if (isDeleted) {
    return isBack ? t('{file} was deleted, and exists again', { file }) : t('{file} was deleted', { file });
  }
  if (after.kind === 'link') {
    const target = inertLine(after.target, MAX_TARGET);
    return before.kind === 'none'
      ? t('{file} was created as a symbolic link to {target}', { file, target })
      : before.kind === 'link'
        ? t('{file} was changed to link to {target}', { file, target })
        : t('{file} was replaced by a symbolic link to {target}', { file, target });
  }
  if (before.kind === 'none') {
    return t('{file} was created', { file });
  }
  if (before.kind === 'unknown') {
    return t('{file} was created or changed', { file });
  }
  if (oldPath !== undefined) {
    return t('{file} was moved from {oldFile}', { file, oldFile: movedFrom(real, oldPath) });
  }
  return hunks?.hunks.length === 0 && hasModeChange(before, after)
    ? t('The permissions of {file} were changed', { file })
    : t('{file} was changed', { file });
}

/** The old name, or the old path from the new folder where a file kept its name. */
function movedFrom(real: string, oldPath: string): InertText {
  const name = path.basename(oldPath);
  return inertLine(name === path.basename(real) ? path.relative(path.dirname(real), oldPath) : name, MAX_TARGET);
}

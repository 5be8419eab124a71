/** The words of undos: what will change, and why files are left. */
import path from 'node:path';
import type { LeftFile, PlannedUndo } from '../../../changes/undo/undo';
import type { LeftReason, UndoAction, UndoEffect } from '../../../changes/undo/undoPlan';
import { type InertText, joined, visible } from '../../shared/escape';
import { t } from '../../shared/l10n';

/** File names of one reason that a message lists. */
const MAX_NAMES = 8;
const MAX_NAME = 60;

/** The message for one file that was left. */
export function leftMessage({ path: real, reason }: LeftFile): InertText {
  const file = visible(path.basename(real), MAX_NAME);
  switch (reason) {
    case 'unknown':
      return t("Can't undo the changes in {file}: the earlier version is not known.", { file });
    case 'not_stored':
      return t("Can't undo the changes in {file}: the earlier version is no longer stored.", { file });
    case 'shared':
      return t('You or another session changed {file} in the same turn. Undo its changes one by one.', { file });
    case 'changed_since':
      return t('{file} has changed since the agent changed it. It was left as it is.', { file });
    case 'unsaved':
      return t('{file} has unsaved changes. Save or revert it, then undo again.', { file });
    case 'elsewhere':
      return t('{file} is in another place than when the agent changed it. It was left as it is.', { file });
    case 'old_name_taken':
      return t("Can't move {file} back: another file has its old name.", { file });
    case 'changing':
      return t('{file} is changing on disk. Try again.', { file });
    case 'failed':
      return t("Couldn't undo the changes in {file}.", { file });
    case 'cancelled':
      return t('The changes in {file} were not undone: canceled.', { file });
    case 'linked':
      return t('{file} is another name of a file that existed before. Undo the changes in that file, or delete this name.', { file });
    case 'moved':
      return t('{file} has the only copy of another file. Undo the changes in that file first.', { file });
  }
}

/** The files that were left, by reason: one line each. */
export function leftLines(left: readonly LeftFile[]): readonly InertText[] {
  const reasons = [...new Set(left.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const files = namesOf(left.filter((each) => each.reason === reason).map((each) => each.path));
    return t('{reason}: {files}', { reason: reasonText(reason), files });
  });
}

function namesOf(paths: readonly string[]): InertText {
  const names = paths.map((each) => visible(path.basename(each), MAX_NAME));
  const shown = names.slice(0, MAX_NAMES);
  const more = names.length - shown.length;
  return joined(more > 0 ? [...shown, t('{count} more', { count: more })] : shown, ', ');
}

/** The effects of an undo: one line for each kind of effect, and one for each reason to leave files. */
export function planLines(plans: readonly PlannedUndo[]): readonly InertText[] {
  // Named, because another program of the user's may have written one of them beside the agent.
  const lineOf = (effect: UndoEffect, line: (values: { readonly count: number; readonly files: InertText }) => InertText): InertText[] => {
    const paths = plans.filter(({ action }) => 'effect' in action && action.effect === effect).map(({ target }) => target.file.path);
    return paths.length > 0 ? [line({ count: paths.length, files: namesOf(paths) })] : [];
  };
  const left = leftIn(plans);
  return [
    ...lineOf('change', (values) => t('Files to change: {count} ({files})', values)),
    ...lineOf('delete', (values) => t('Files to delete: {count} ({files})', values)),
    ...lineOf('create', (values) => t('Files to create again: {count} ({files})', values)),
    ...lineOf('move', (values) => t('Files to move back: {count} ({files})', values)),
    ...(left.length > 0 ? [t('Files to leave as they are: {count}', { count: left.length }), ...leftLines(left)] : []),
  ];
}

/** The files that a plan leaves. */
export function leftIn(plans: readonly PlannedUndo[]): readonly LeftFile[] {
  return plans.flatMap(({ target, action }) => (isLeft(action) ? [{ path: target.file.path, reason: action.reason }] : []));
}

function isLeft(action: UndoAction): action is UndoAction & { readonly type: 'leave' } {
  return action.type === 'leave';
}

function reasonText(reason: LeftReason): InertText {
  switch (reason) {
    case 'unknown':
      return t('Earlier version not known');
    case 'not_stored':
      return t('Earlier version no longer stored');
    case 'shared':
      return t('Changed by you or another session in the same turn');
    case 'changed_since':
      return t('Changed since');
    case 'unsaved':
      return t('Unsaved changes');
    case 'elsewhere':
      return t('In another place now');
    case 'old_name_taken':
      return t('Old name in use');
    case 'changing':
      return t('Changing on disk');
    case 'failed':
      return t("Couldn't be written");
    case 'cancelled':
      return t('Undo canceled');
    case 'linked':
      return t('Another name of a file that existed before');
    case 'moved':
      return t('Only copy of another file');
  }
}

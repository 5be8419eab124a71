/** The messages of undos: the effects, and the reasons why files are left. Pure. */
import path from 'node:path';
import type { LeftFile, PlannedUndo } from '../../../changes/undo/undo';
import type { LeftReason, UndoAction, UndoEffect } from '../../../changes/undo/undoPlan';
import { type InertText, joined, inertLine } from '../../shared/escape';
import { fileNames } from './fileNames';
import { type SharedAuthors, sharedMessage, unseenText } from './sharedAuthors';
import type { Translate } from '../../shared/translate';

/** File names of one effect or reason that a message lists. */
const MAX_NAMES = 8;
const MAX_NAME = 60;

/** The message for one file that was left. @param shared the other authors of the file, where it is shared */
export function leftMessage({ path: real, reason }: LeftFile, t: Translate, shared: SharedAuthors = { isUser: false }): InertText {
  const file = inertLine(path.basename(real), MAX_NAME);
  switch (reason) {
    case 'unknown':
      return t("Can't undo the changes in {file}: the earlier version is not known.", { file });
    case 'not_stored':
      return t("Can't undo the changes in {file}: the earlier version is no longer stored.", { file });
    case 'shared':
      return sharedMessage(real, shared, t);
    case 'unseen':
      return sharedMessage(real, { ...shared, isUnseen: true }, t);
    case 'changed_since':
      return t('{file} has changed since the agent changed it. It was left as it is.', { file });
    case 'unsaved':
      return t('{file} has unsaved changes. Save or revert it, then undo again.', { file });
    case 'elsewhere':
      return t('{file} is in another place than when the agent changed it. It was left as it is.', { file });
    case 'old_name_taken':
      return t("Can't move {file} back: another file or unsaved text has its old name.", { file });
    case 'changing':
      return t('{file} is changing on disk. Try again.', { file });
    case 'running':
      return t('{file} has changed in the turn that runs. Undo its changes when the turn has ended.', { file });
    case 'failed':
      return t("Couldn't undo the changes in {file}.", { file });
    case 'cancelled':
      return t('The changes in {file} were not undone: canceled.', { file });
    case 'linked':
      return t('{file} is another name of a file that existed before. Undo the changes in that file, or delete this name.', { file });
    case 'moved':
      return t('{file} has the only copy of another file. Undo the changes in that file first.', { file });
    case 'replaced':
      return t('{file} is another file than the one that the agent left there. It was left as it is.', { file });
  }
}

/** The files that were left, by reason: one line each. */
export function leftLines(left: readonly LeftFile[], t: Translate): readonly InertText[] {
  const reasons = [...new Set(left.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const paths = pathsOf(left.filter((each) => each.reason === reason));
    return t('{reason}: {files}', { reason: reasonText(reason, t), files: listed(paths, t) });
  });
}

/** The message after an undo that left several files. */
export function leftSummary(left: readonly LeftFile[], t: Translate): InertText {
  return joined(
    [t('{count} files were not undone.', { count: pathsOf(left).length }), ...leftLines(left, t).map((line) => t('{line}.', { line }))],
    ' ',
  );
}

/** The question before the undo of several files. @param paths the files that will change */
export function undoQuestion(paths: readonly string[], t: Translate): InertText {
  const [only] = paths;
  return paths.length === 1
    ? t('Are you sure you want to undo the changes in {file}?', { file: inertLine(path.basename(only!), MAX_NAME) })
    : t('Are you sure you want to undo the changes in {count} files?', { count: paths.length });
}

/** The effects of an undo with the names of the files: one line for each kind of effect, and one for each reason to leave files. */
export function planLines(plans: readonly PlannedUndo[], t: Translate): readonly InertText[] {
  const files = (effect: UndoEffect): { readonly files: InertText } | undefined => {
    const found = plans.filter(({ action }) => 'effect' in action && action.effect === effect);
    return found.length > 0
      ? {
          files: listed(pathsOf(found.map(({ target }) => target.file)), t),
        }
      : undefined;
  };
  const [changed, deleted, created, moved] = [files('change'), files('delete'), files('create'), files('move')];
  const left = leftIn(plans);
  const linked = plans.filter(hasOtherNames).map(({ target }) => target.file);
  return [
    ...(deleted ? [t('Will be deleted: {files}', deleted)] : []),
    ...(changed ? [t('Will be changed: {files}', changed)] : []),
    ...(linked.length > 0
      ? [t('Will be changed under their other names (hard links), too: {files}', { files: listed(pathsOf(linked), t) })]
      : []),
    ...(created ? [t('Will be created again: {files}', created)] : []),
    ...(moved ? [t('Will be moved back: {files}', moved)] : []),
    ...(left.length > 0 ? [t("Can't be undone:"), ...leftLines(left, t)] : []),
  ];
}

/** The paths without repetition: several sessions may have changed the same file. */
export function pathsOf(files: readonly { readonly path: string }[]): readonly string[] {
  return [...new Set(files.map((file) => file.path))];
}

/** The files that a plan leaves. */
export function leftIn(plans: readonly PlannedUndo[]): readonly LeftFile[] {
  return plans.flatMap(({ target, action }) => (isLeft(action) ? [{ path: target.file.path, reason: action.reason }] : []));
}

/** True for a file whose content is written in place, so that it changes under all of its names. */
function hasOtherNames({ target, facts, action }: PlannedUndo): boolean {
  return 'effect' in action && action.effect === 'change' && (facts.names ?? 1) > 1 && !target.file.relinked;
}

function isLeft(action: UndoAction): action is UndoAction & { readonly type: 'leave' } {
  return action.type === 'leave';
}

function listed(paths: readonly string[], t: Translate): InertText {
  return fileNames(paths, { max: MAX_NAMES, maxName: MAX_NAME }, t);
}

function reasonText(reason: LeftReason, t: Translate): InertText {
  switch (reason) {
    case 'unknown':
      return t('Earlier version not known');
    case 'not_stored':
      return t('Earlier version no longer stored');
    case 'shared':
      return t('Changed by you or another session in the same turn');
    case 'unseen':
      return unseenText(t);
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
    case 'running':
      return t('Changed in the turn that runs');
    case 'failed':
      return t("Couldn't be written");
    case 'cancelled':
      return t('Undo canceled');
    case 'linked':
      return t('Another name of a file that existed before');
    case 'moved':
      return t('Only copy of another file');
    case 'replaced':
      return t('Replaced by another file');
  }
}

/** The messages before and after a restore, and after a recovered one. Pure. */
import path from 'node:path';
import type { LeftReason } from '../../../changes/fileTransaction';
import type { RestoreFile } from '../../../changes/restore';
import { inert, type InertText, joined, inertLine } from '../../shared/escape';
import type { Translate } from '../../shared/translate';

/**
 * `unsaved`: the unsaved text could not be saved first. `unsaved_other`: a notebook or a custom editor has unsaved changes. `not_selected`: the user left
 * it out.
 */
export type NotRestoredReason = LeftReason | 'unsaved' | 'unsaved_other' | 'not_selected';

export interface NotRestored {
  readonly path: string;
  readonly reason: NotRestoredReason;
}

const MAX_NAMED = 5;
const MAX_NAME = 80;
/** UTF-16 units of a relative path. */
const MAX_PATH = 200;

/** A file with the effect of the restore on it. @param name its path in the session's folder */
export function fileEffect(name: string, { action }: Pick<RestoreFile, 'action'>, t: Translate): InertText {
  const file = inertLine(name, MAX_PATH);
  switch (action) {
    case 'create':
      return t('{file} – will be created', { file });
    case 'delete':
      return t('{file} – will be deleted', { file });
    default:
      return t('{file} – will be changed', { file });
  }
}

/** The first five files with the effects on them, and the number of the others. @param nameOf the path in the session's folder */
export function fileEffects(
  files: readonly Pick<RestoreFile, 'path' | 'action'>[],
  nameOf: (real: string) => string,
  t: Translate,
): InertText {
  const named = files.slice(0, MAX_NAMED).map((file) => fileEffect(nameOf(file.path), file, t));
  const others = files.length - named.length;
  return joined([...named, ...(others === 0 ? [] : [t('{count} more', { count: others })])], ', ');
}

/** Up to five files with the reasons why they were left, and the number of the others. @param nameOf as the user knows the file */
function leftFiles(left: readonly NotRestored[], nameOf: (real: string) => string, t: Translate): InertText {
  const named = left
    .slice(0, MAX_NAMED)
    .map((file) => t('{file} ({reason})', { file: inert(nameOf(file.path), MAX_NAME), reason: reasonText(file.reason, t) }));
  const others = left.length - named.length;
  return joined([...named, ...(others === 0 ? [] : [t('{count} more', { count: others })])], ', ');
}

/** The result for the user. @param restored number of files @param nameOf as the user knows the file */
export function resultMessage(
  restored: number,
  left: readonly NotRestored[],
  t: Translate,
  nameOf: (real: string) => string = path.basename,
): InertText {
  const count = restored + left.length;
  const files = leftFiles(left, nameOf, t);
  if (left.length === 0) {
    return restored === 1 ? t('Restored 1 file.') : t('Restored {count} files.', { count });
  }
  return restored === 0
    ? t('Not restored: {files}.', { files })
    : t('Restored {restored} of {count} files; not restored: {files}.', { restored, count, files });
}

/** The result of a restore or undo that a crash interrupted and this start has finished. */
export function recoveredMessage(type: 'restore' | 'undo', restored: number, left: readonly NotRestored[], t: Translate): InertText {
  const isComplete = left.length === 0;
  const what =
    type === 'undo'
      ? isComplete
        ? t('An interrupted undo was completed.')
        : t("An interrupted undo couldn't be completed.")
      : isComplete
        ? t('An interrupted restore was completed.')
        : t("An interrupted restore couldn't be completed.");
  return joined([what, resultMessage(restored, left, t)], ' ');
}

/** Files that cannot be restored, beside others that can. */
export function lostMessage(count: number, t: Translate): InertText {
  return count === 1
    ? t("1 more file can't be restored: no earlier version")
    : t("{count} more files can't be restored: no earlier version", { count });
}

/** The changes of a turn that ended with its window are not known, so that a restore leaves them. */
export function unrecordedMessage(t: Translate): InertText {
  return t("An interrupted turn wasn't recorded: what it changed stays");
}

/** The reason why no file would change. @param lost files without an earlier version @param isUnrecorded see {@link unrecordedMessage} */
export function nothingToRestore(lost: number, t: Translate, isUnrecorded = false): InertText {
  return lost === 0
    ? isUnrecorded
      ? unrecordedMessage(t)
      : t('The files are already as they were.')
    : lost === 1
      ? t('1 changed file has no earlier version.')
      : t('{count} changed files have no earlier version.', { count: lost });
}

function reasonText(reason: NotRestoredReason, t: Translate): InertText {
  switch (reason) {
    case 'changed':
      return t('changed meanwhile');
    case 'outside':
      return t('leads to another folder');
    case 'failed':
      return t("couldn't be written");
    case 'not_kept':
      return t('no saved version');
    case 'cancelled':
      return t('canceled');
    case 'moved':
      return t('has the only copy of a file that was not restored');
    case 'unsaved':
      return t("unsaved changes couldn't be saved");
    case 'unsaved_other':
      return t('its editor has unsaved changes');
    case 'not_selected':
      return t('not selected');
  }
}

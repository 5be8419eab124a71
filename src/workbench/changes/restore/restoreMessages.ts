/** The words for the result of a restore. */
import path from 'node:path';
import type { LeftReason } from '../../../changes/fileTransaction';
import { inert, type InertText, joined } from '../../shared/escape';
import { t } from '../../shared/l10n';

/** `unsaved`: the unsaved text could not be saved first. `notebook`: it is open with unsaved changes. */
export type NotRestoredReason = LeftReason | 'unsaved' | 'notebook';

export interface NotRestored {
  readonly path: string;
  readonly reason: NotRestoredReason;
}

const MAX_NAMED = 5;
const MAX_NAME = 80;

/** Up to five files with the reasons why they were left, and the number of the others. @param nameOf as the user knows the file */
export function leftFiles(left: readonly NotRestored[], nameOf: (real: string) => string = path.basename): InertText {
  const named = left
    .slice(0, MAX_NAMED)
    .map((file) => t('{file} ({reason})', { file: inert(nameOf(file.path), MAX_NAME), reason: reasonText(file.reason) }));
  const others = left.length - named.length;
  return joined([...named, ...(others === 0 ? [] : [t('{count} more', { count: others })])], ', ');
}

/** The result for the user. @param restored number of files */
export function resultMessage(restored: number, left: readonly NotRestored[], nameOf?: (real: string) => string): InertText {
  return left.length === 0
    ? t('Restored files: {count}.', { count: restored })
    : t('Restored files: {count}. Not restored: {files}.', { count: restored, files: leftFiles(left, nameOf) });
}

function reasonText(reason: NotRestoredReason): InertText {
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
    case 'notebook':
      return t('notebook has unsaved changes');
  }
}

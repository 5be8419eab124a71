/** The other authors of a shared file, as messages and code lenses name them. Pure. */
import path from 'node:path';
import type { ReviewFile } from '../../../changes/review/reviewFile';
import { isOnlyUnseen, THE_USER } from '../../../core/fileChanges/records';
import { type InertText, joined, inertLine } from '../../shared/escape';
import type { Translate } from '../../shared/translate';

/** Returns the title of a session by its key; undefined for a session that this window has not open. */
export type TitleOf = (sessionKey: string) => InertText | undefined;

export interface SharedAuthors {
  readonly isUser: boolean;
  /** The titles of the other sessions. Absent: none is known. */
  readonly sessions?: InertText;
  /** True when the file changed while no window saw it, and none of its other authors is known. */
  readonly isUnseen?: true;
  /** True for a file with changes that can be undone one by one. A binary, moved or deleted file may have none. */
  readonly hasParts?: true;
}

/** The authors and changes of a file of the review. */
type SharedFile = Pick<ReviewFile, 'sharedWith'> & { readonly hunks?: { readonly hunks: readonly unknown[] } };

const MAX_NAME = 60;

/** Returns the authors of a shared file, with what the message about it needs. */
export function sharedAuthors(file: SharedFile, titleOf: TitleOf): SharedAuthors {
  const { sharedWith = [], hunks } = file;
  const titles = sharedWith.flatMap((author) => (author === THE_USER ? [] : (titleOf(author) ?? [])));
  return {
    isUser: sharedWith.includes(THE_USER),
    ...(titles.length > 0 && { sessions: joined(titles, ', ') }),
    ...(isOnlyUnseen(file) && { isUnseen: true }),
    ...(hunks && hunks.hunks.length > 0 && { hasParts: true }),
  };
}

export function sharedText({ isUser, sessions, isUnseen }: SharedAuthors, t: Translate): InertText {
  if (isUnseen) {
    return unseenText(t);
  }
  if (sessions === undefined) {
    return isUser ? t('Also changed by you') : t('Also changed by you or another session');
  }
  return isUser ? t('Also changed by you and {session}', { session: sessions }) : t('Also changed by {session}', { session: sessions });
}

/** The reason why a file is not undone that changed while no window saw it. */
export function unseenText(t: Translate): InertText {
  return t('Author not known, because the window was away');
}

/** The message about a shared file that was not undone. */
export function sharedMessage(real: string, authors: SharedAuthors, t: Translate): InertText {
  const { isUnseen, hasParts } = authors;
  const advice = !hasParts
    ? t('Restore a checkpoint to take its changes back.')
    : isUnseen
      ? t('Undo its changes one by one, or restore a checkpoint.')
      : t('Undo its changes one by one.');
  return joined([authorsText(inertLine(path.basename(real), MAX_NAME), authors, t), advice], ' ');
}

function authorsText(file: InertText, { isUser, sessions, isUnseen }: SharedAuthors, t: Translate): InertText {
  if (isUnseen) {
    return t("It isn't known who changed {file}, because the window was away during the turn.", { file });
  }
  if (sessions === undefined) {
    return isUser
      ? t('You changed {file} in the same turn, too.', { file })
      : t('You or another session changed {file} in the same turn.', { file });
  }
  return isUser
    ? t('You and {session} changed {file} in the same turn, too.', { session: sessions, file })
    : t('{session} changed {file} in the same turn, too.', { session: sessions, file });
}

/** The other authors of a shared file, as messages and code lenses name them. Pure. */
import path from 'node:path';
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
}

const MAX_NAME = 60;

export function sharedAuthors(file: { readonly sharedWith?: readonly string[] }, titleOf: TitleOf): SharedAuthors {
  const { sharedWith = [] } = file;
  const titles = sharedWith.flatMap((author) => (author === THE_USER ? [] : (titleOf(author) ?? [])));
  return {
    isUser: sharedWith.includes(THE_USER),
    ...(titles.length > 0 && { sessions: joined(titles, ', ') }),
    ...(isOnlyUnseen(file) && { isUnseen: true }),
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
export function sharedMessage(real: string, { isUser, sessions, isUnseen }: SharedAuthors, t: Translate): InertText {
  const file = inertLine(path.basename(real), MAX_NAME);
  if (isUnseen) {
    return t(
      "It isn't known who changed {file}, because the window was away during the turn. Undo its changes one by one, or restore a checkpoint.",
      { file },
    );
  }
  if (sessions === undefined) {
    return isUser
      ? t('You changed {file} in the same turn, too. Undo its changes one by one.', { file })
      : t('You or another session changed {file} in the same turn. Undo its changes one by one.', { file });
  }
  return isUser
    ? t('You and {session} changed {file} in the same turn, too. Undo its changes one by one.', { session: sessions, file })
    : t('{session} changed {file} in the same turn, too. Undo its changes one by one.', { session: sessions, file });
}

/** The words that ask for a comment: the same in a thread, which VS Code titles "Start discussion", and in an input box. Pure. */
import type { InertText } from '../shared/escape';
import type { Translate } from '../shared/translate';

const MAX_TITLE = 60;

export interface CommentWords {
  /** The session that gets the comment. */
  readonly prompt: InertText;
  /** Fills the empty box: a thread names the session nowhere else. */
  readonly placeHolder: InertText;
}

/** @param title the session's; undefined where no session takes a comment */
export function commentWords(title: string | undefined, t: Translate): CommentWords {
  const session = title?.slice(0, MAX_TITLE);
  return session === undefined
    ? { prompt: t('Comment for the agent'), placeHolder: t('Comment for the agent: say what should change here') }
    : {
        prompt: t('Comment for {session}', { session }),
        placeHolder: t('Comment for {session}: say what should change here', { session }),
      };
}

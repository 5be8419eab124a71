/** Links, files and content that the user opens from the conversation, or copies. */
import { array, fallback, string } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { id, index, place } from '../messages/fields';

const MAX_FILES = 200;
const MAX_COPY = 16 * 1024 * 1024;

/** A word of an agent's text that may be a file. `outside`: outside the session's folders, which are not searched. */
export interface FileReference {
  readonly text: string;
  readonly is: 'file' | 'nothing' | 'outside';
  /** Set for a file that a link with this word would miss: the absolute path, and the line (1-based) that the word names in it. */
  readonly path?: string;
  readonly line?: number;
}

export const links = {
  takes: {
    copy: message({ text: string({ max: MAX_COPY }) }, { recorded: true, restricted: true }),
    /** Asks which of these words of an agent's text are files. */
    files: message({ texts: array(place, { max: MAX_FILES }) }, { recorded: true, aboutShowing: true }),
    /** A path from a tool call's locations or diff; `line` is 1-based. The host checks it against the roots. */
    open_location: message({ path: place, line: fallback(index) }, { recorded: true }),
    /** A link as written in the agent's text. The host decides what it may open. */
    open_link: message({ href: place }, { recorded: true, restricted: true }),
    open_diff: message({ entryId: id, content: index, change: index }, { recorded: true }),
    /** Opens a resource or a picture, by its index in the entry's content. */
    open_content: message({ entryId: id, content: index }, { recorded: true, restricted: true }),
  },
  sends: sends<
    /** The response to `files`. */
    { readonly type: 'files'; readonly files: readonly FileReference[] }
  >(),
};

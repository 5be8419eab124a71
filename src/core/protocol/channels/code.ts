/** The code blocks of a conversation: colors, and the places that code can go to. */
import { string } from '../../schema/schema';
import type { CodeTheme } from '../../model/theme';
import { message, sends } from '../messages/channel';
import { path } from '../messages/fields';

/** UTF-16 units of a code block that is put into an editor. */
const MAX_CODE = 4 * 1024 * 1024;

const text = string({ max: MAX_CODE });
/** Code of a log is put into the editor that the user has opened, or into a folder that the user chooses for it. */
const recorded = { recorded: true } as const;

export const code = {
  takes: {
    /** Puts a code block into the text editor that was in front last, in place of its selection. */
    insert_code: message({ text }, recorded),
    /** Writes a code block to a file, after the user has seen the difference. `info`: the text behind its fence. */
    apply_code: message({ text, info: path }, recorded),
    /** Runs a shell code block in a terminal of the window. */
    run_code: message({ text }, recorded),
  },
  sends: sends<
    /** The colours of the user's theme. Sent now and after each change. Without `theme` it could not be read. */
    | { readonly type: 'code_theme'; readonly theme?: CodeTheme }
    /** The file name of the text editor that was in front last and is still open; absent when there is none. */
    | { readonly type: 'editor'; readonly fileName?: string }
  >(),
};

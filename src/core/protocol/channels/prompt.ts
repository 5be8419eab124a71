/** Messages of the user to the agent, and the end of a turn. */
import type { DraftBlock } from '../../mentions/mention';
import { array, literal, optional } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { content, id, path } from '../messages/fields';

const MAX_URIS = 100;

/** Adds to the next prompt: a mention at the caret, everything else beside the text. */
export interface Attach {
  readonly type: 'attach';
  readonly blocks: readonly DraftBlock[];
}

export const prompt = {
  takes: {
    /** With `now`, a running turn takes the message, or is interrupted for it, instead of queueing it. */
    prompt: message({ content: content(1), now: optional(literal('steer', 'interrupt')) }, { keepsPreview: true }),
    /** Sends an edited earlier message in a new session, with the conversation before it. */
    resend: message({ entryId: id, content: content(1) }),
    /** Sends the prompt of the turn that failed last again. */
    retry_prompt: message({ turnId: id }),
    cancel: message({}),
    /** Asks the user whether to stop the turn. */
    confirm_cancel: message({}),
    /** Lets the user choose files to attach to the prompt. */
    attach_files: message({}),
    /** Files dropped on the composer, by address. The host attaches those that it can read. */
    attach_uris: message({ uris: array(path, { max: MAX_URIS }) }),
  },
  sends: sends<
    /** Gives the text of a failed prompt or a queued message back to the composer, before the present text. */
    | { readonly type: 'restore_text'; readonly text: string }
    /**
     * Gives a message back to the composer as it was: with mentions, or content in their place, between its texts. It is put before the present text.
     */
    | { readonly type: 'restore_message'; readonly content: readonly DraftBlock[] }
    | Attach
  >(),
};

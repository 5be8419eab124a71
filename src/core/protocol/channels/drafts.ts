/** The user's draft. VS Code stores a page's own state only now and then, and not at all when its panel is closed. */
import { object, optional, type Shape } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { content, id, index } from '../messages/fields';

const unsentPrompt = {
  /** Time of the last change, by the page's clock. The later of two drafts counts. */
  at: index,
  /** The first block is the composer's text, which may be empty. Without any block the composer is empty. */
  content: content(0),
  /** The edited state of an earlier message that is in the composer instead. */
  edit: optional(object({ entryId: id, content: content(0) })),
};
export type UnsentPrompt = Shape<typeof unsentPrompt>;

export const drafts = {
  takes: {
    /** Sent shortly after the draft changed. */
    draft: message(unsentPrompt, { keepsPreview: ({ content: blocks }: Pick<UnsentPrompt, 'content'>) => blocks.length > 0 }),
  },
  sends: sends<
    /** The draft that an earlier page reported last. A page with a newer draft ignores it. */
    { readonly type: 'draft' } & UnsentPrompt
  >(),
};

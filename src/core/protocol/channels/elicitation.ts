/** The answers to forms and web pages that the agent requests. */
import { elicitationContent } from '../../elicitation/answer';
import type { ElicitationProblem } from '../../elicitation/elicitation';
import { literal, optional, refine } from '../../schema/schema';
import { message, sends } from '../messages/channel';
import { id, MAX_IDS, textIn } from '../messages/fields';

const MAX_FIELDS = 1000;
/** UTF-16 units of all values of a form. */
const MAX_ANSWERS = 16 * 1024 * 1024;

/** A form's values. The session checks whether they fit the form. */
const answers = refine(elicitationContent, (values) => {
  const named = Object.entries(values);
  const lists = named.flatMap(([, value]) => (Array.isArray(value) ? [value as readonly string[]] : []));
  const units = named.reduce((sum, [name]) => sum + name.length, textIn(values)) + lists.reduce((sum, list) => sum + textIn(list), 0);
  return named.length <= MAX_FIELDS && lists.every(({ length }) => length <= MAX_IDS) && units <= MAX_ANSWERS;
});

export const elicitation = {
  takes: {
    /** `content` comes with `accept` of a form. */
    answer_elicitation: message(
      { requestKey: id, action: literal('accept', 'decline', 'cancel'), content: optional(answers) },
      { keepsPreview: true },
    ),
    /** Opens the web page of an accepted elicitation again. */
    open_elicitation: message({ requestKey: id }),
  },
  sends: sends<
    /** The problems that the host found in a form's answer, which was not sent. */
    { readonly type: 'elicitation_problems'; readonly requestKey: string; readonly problems: readonly ElicitationProblem[] }
  >(),
};

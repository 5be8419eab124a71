/**
 * The questions of an earlier window. The keeper of the agent repeats the requests without an answer, and each of them continues its question instead
 * of asking another one.
 */
import type { ElicitationAnswer } from '../../acp/dialect';
import type { EventInput } from '../../core/model/event';
import { type ElicitationEntry, isAbsent, type PermissionEntry } from '../../core/model/state';
import type { Clock } from '../../core/platform/clock';
import type { Asked, EarlierQuestions, Question, QuestionEnd, QuestionStore } from './questions';

/** ms in which the agent's requests of an earlier window are repeated. */
const REPEAT_MS = 5000;

/**
 * Continues the questions that wait. Those whose requests are not repeated soon are lost.
 * @param isRepeated true while a request is handled that is in the conversation already
 */
export function adoptedQuestions(conversation: QuestionStore, clock: Pick<Clock, 'after'>, isRepeated: () => boolean): EarlierQuestions {
  /** The ids of the questions without an answer, by what they ask. */
  const open = new Map<string, string[]>();
  /** The last question with an answer, by what it asks. The agent may not have received the answer. */
  const answered = new Map<string, { readonly id: string; readonly end: QuestionEnd<Question> }>();
  const taken = new Map<string, { readonly id: string; readonly end?: QuestionEnd<Question> }>();
  for (const entry of conversation.state.entries.inMemory()) {
    if ((entry.kind === 'permission' || entry.kind === 'elicitation') && !isAbsent(entry)) {
      const name = subjectOf(entry);
      const id = entry.kind === 'permission' ? entry.permissionId : entry.requestKey;
      if (entry.outcome) {
        answered.set(name, { id, end: endOf(entry) });
      } else {
        open.set(name, [...(open.get(name) ?? []), id]);
      }
    }
  }
  clock.after(REPEAT_MS, () => {
    const lost = [...open.values()].flat();
    open.clear();
    lost.forEach((id) => conversation.append(lostEvent(id)));
  });
  return {
    idOf: (asked) => {
      const name = subjectOf(asked);
      const id = open.get(name)?.shift();
      const earlier: { readonly id: string; readonly end?: QuestionEnd<Question> } | undefined =
        id !== undefined ? { id } : isRepeated() ? answered.get(name) : undefined;
      if (earlier) {
        taken.set(earlier.id, earlier);
      }
      return earlier?.id;
    },
    taken: (questionId) => taken.get(questionId),
  };
}

function subjectOf(asked: Asked): string {
  return 'options' in asked
    ? JSON.stringify(['permission', asked.options, asked.subject.toolCallId, asked.subject.command, asked.subagentId])
    : JSON.stringify(['elicitation', asked.message, asked.body, asked.toolCallId, asked.subagentId]);
}

/** The outcome of a question of an earlier window. */
function endOf(entry: PermissionEntry | ElicitationEntry): QuestionEnd<Question> {
  if (entry.kind === 'permission') {
    const { outcome } = entry;
    return outcome?.type === 'selected' && outcome.optionId !== undefined
      ? { type: 'answered', answer: { optionId: outcome.optionId } }
      : { type: 'cancelled' };
  }
  const { outcome } = entry;
  const action = outcome?.type === 'accepted' ? 'accept' : outcome?.type === 'declined' ? 'decline' : 'cancel';
  return { type: 'answered', answer: { action, ...(outcome?.content && { content: outcome.content }) } as ElicitationAnswer };
}

function lostEvent(id: string): EventInput {
  return id.startsWith('permission')
    ? { type: 'permission_resolved', permissionId: id, outcome: 'lost' }
    : { type: 'elicitation_resolved', requestKey: id, outcome: 'lost' };
}

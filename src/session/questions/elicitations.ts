/**
 * What the agent asks of the user in one session beyond permissions: questions that are answered on the card only, since a form is nothing for a
 * quick pick. A form's answer is checked before it is sent (RFD "Elicitation").
 */
import type { ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { ElicitationContent } from '../../core/elicitation/answer';
import type { ElicitationProblem } from '../../core/elicitation/elicitation';
import { checkContent, type PatternTask } from '../../core/elicitation/rules';
import { entryIdOf, isAbsent, type ElicitationEntry } from '../../core/model/state';
import type { PatternCheck, PatternVerdict } from '../../util/patternCheck';
import type { Conversation, ElicitationQuestion, Question, Questions } from './questions';

export type CheckPatterns = (checks: readonly PatternCheck[]) => Promise<PatternVerdict[]>;

export class Elicitations {
  /** Values whose pattern could not be tried, by field: the user has been told, and may send them all the same. */
  private readonly unsupportedFields = new WeakMap<Question, Map<string, string>>();

  constructor(
    private readonly questions: Questions,
    private readonly conversation: Conversation,
    private readonly checkPatterns: CheckPatterns = async (checks) => (await import('../../util/patternCheck')).checkPatterns(checks),
  ) {}

  /** Asks; never rejects. `signal` aborts when the agent takes it back. */
  async ask(request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer> {
    const question: ElicitationQuestion = { ...request, kind: 'elicitation', questionId: this.questions.mint('elicitation') };
    const end = await this.questions.ask(question, signal);
    return end.type === 'answered' ? end.answer : { action: 'cancel' };
  }

  /**
   * The user's answer. Resolves with what is wrong with a form's values, and then nothing was sent; with nothing when it was sent, or came too
   * late. A web page's `accept` is the user's consent to open it.
   */
  async answer(
    requestKey: string,
    action: ElicitationAnswer['action'],
    given: ElicitationContent = {},
  ): Promise<readonly ElicitationProblem[]> {
    const question = this.questions.get(requestKey);
    if (question?.kind !== 'elicitation' || action !== 'accept' || question.body.mode !== 'form') {
      this.questions.answer(requestKey, { action });
      return [];
    }
    const { content, problems, patterns } = checkContent(question.body.fields, given);
    const wrong = problems.length > 0 ? problems : await this.tryPatterns(patterns, question);
    if (wrong.length === 0) {
      this.questions.answer(requestKey, { action, content });
    }
    return wrong;
  }

  /** The address of a web page that the user may open: asked for, or agreed to and not finished. */
  pageOf(requestKey: string): string | undefined {
    const entry = this.entryOf(requestKey);
    const isOpen = this.questions.get(requestKey) !== undefined || (entry?.outcome?.type === 'accepted' && !entry.completed);
    return isOpen && entry?.body.mode === 'url' ? entry.body.url : undefined;
  }

  /** The agent's own id of a web page: unknown, refused and finished ones are nobody's concern. */
  complete(elicitationId: string): void {
    for (const slot of this.conversation.state.entries) {
      if (slot.kind !== 'elicitation' || isAbsent(slot) || slot.body.mode !== 'url' || slot.body.elicitationId !== elicitationId) {
        continue;
      }
      if (this.pageOf(slot.requestKey) !== undefined) {
        this.conversation.append({ type: 'elicitation_completed', requestKey: slot.requestKey });
        this.questions.answer(slot.requestKey, { action: 'accept' });
      }
    }
  }

  /** The agent's own broken pattern must not lock the user in: what could not be tried is said once, and passes unchanged. */
  private async tryPatterns(tasks: readonly PatternTask[], question: Question): Promise<ElicitationProblem[]> {
    const unsupportedFields = this.unsupportedFields.get(question) ?? new Map<string, string>();
    this.unsupportedFields.set(question, unsupportedFields);
    const open = tasks.filter(({ name, value }) => unsupportedFields.get(name) !== value);
    const verdicts = open.length > 0 ? await this.checkPatterns(open) : [];
    return open.flatMap(({ name, value }, index): ElicitationProblem[] => {
      if (verdicts[index] === 'undecided') {
        unsupportedFields.set(name, value);
        return [{ name, code: 'pattern_unknown' }];
      }
      return verdicts[index] === 'no_match' ? [{ name, code: 'pattern' }] : [];
    });
  }

  private entryOf(requestKey: string): ElicitationEntry | undefined {
    const slot = this.conversation.state.entries.get(entryIdOf.elicitation(requestKey));
    return slot?.kind === 'elicitation' && !isAbsent(slot) ? slot : undefined;
  }
}

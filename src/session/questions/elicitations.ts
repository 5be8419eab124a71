/**
 * An agent's elicitations in one session. They are answered on the card only, because a quick pick cannot show a form. A form's answer is validated
 * before it is sent (RFD "Elicitation").
 */
import type { ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { ElicitationContent } from '../../core/elicitation/answer';
import type { ElicitationProblem } from '../../core/elicitation/elicitation';
import { checkContent, type PatternTask } from '../../core/elicitation/rules';
import { entryIdOf, isAbsent, type ElicitationEntry } from '../../core/model/state';
import type { PatternCheck, PatternVerdict } from '../../util/patternCheck';
import type { QuestionStore, ElicitationQuestion, Question, Questions } from './questions';

export type CheckPatterns = (checks: readonly PatternCheck[]) => Promise<PatternVerdict[]>;

/** The request of a web page. */
export type PageParams = ElicitationParams & { readonly body: Extract<ElicitationParams['body'], { mode: 'url' }> };

export class Elicitations {
  /** Values whose pattern could not be checked, by field. The user was warned once and may send them anyway. */
  private readonly unsupportedFields = new WeakMap<Question, Map<string, string>>();
  /** Web pages that the rules are still asked about, by `elicitationId`, with whether the agent has already called them finished. */
  private readonly checked = new Map<string, { isFinished: boolean }>();

  constructor(
    private readonly questions: Questions,
    private readonly conversation: QuestionStore,
    private readonly checkPatterns: CheckPatterns = async (checks) => (await import('../../util/patternCheck')).checkPatterns(checks),
  ) {}

  /** Asks the user; never rejects. `signal` aborts when the agent withdraws the elicitation. */
  async ask(request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer> {
    const question: ElicitationQuestion = { ...request, kind: 'elicitation', questionId: this.questions.mint('elicitation', request) };
    const end = await this.questions.ask(question, signal);
    return end.type === 'answered' ? end.answer : { action: 'cancel' };
  }

  /**
   * Asks the user about a web page that `mayOpen` allows, and declines another. A page that the agent calls finished before the check has ended
   * is recorded as finished, because the agent says it once.
   */
  async askForPage(request: PageParams, signal: AbortSignal, mayOpen: () => Promise<boolean>): Promise<ElicitationAnswer> {
    const { elicitationId } = request.body;
    const page = { isFinished: false };
    this.checked.set(elicitationId, page);
    const isAllowed = await mayOpen().finally(() => this.checked.delete(elicitationId));
    if (!isAllowed) {
      return { action: 'decline' };
    }
    const answer = this.ask(request, signal);
    if (page.isFinished) {
      this.complete(elicitationId);
    }
    return answer;
  }

  /**
   * Passes on the user's answer. Resolves to the problems of a form's values, without sending them; to an empty array when the answer was sent, or
   * the elicitation had already ended. A web page's `accept` is the user's consent to open it.
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

  /** The address of a web page that the user may open: one that waits for an answer, or that was accepted and is not finished. */
  pageOf(requestKey: string): string | undefined {
    const entry = this.entryOf(requestKey);
    const isOpen = this.questions.get(requestKey) !== undefined || (entry?.outcome?.type === 'accepted' && !entry.completed);
    return isOpen && entry?.body.mode === 'url' ? entry.body.url : undefined;
  }

  /** Records that the user has finished the web page with this id. Unknown, refused and finished ids are ignored. */
  complete(elicitationId: string): void {
    const checked = this.checked.get(elicitationId);
    if (checked) {
      checked.isFinished = true;
    }
    for (const slot of this.conversation.state.entries.inMemory()) {
      if (slot.kind !== 'elicitation' || isAbsent(slot) || slot.body.mode !== 'url' || slot.body.elicitationId !== elicitationId) {
        continue;
      }
      if (this.pageOf(slot.requestKey) !== undefined) {
        this.conversation.append({ type: 'elicitation_completed', requestKey: slot.requestKey });
        this.questions.answer(slot.requestKey, { action: 'accept' });
      }
    }
  }

  /**
   * Checks the patterns. A pattern that cannot be checked is reported once and then ignored, because the agent's invalid pattern must not make the
   * form unanswerable.
   */
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

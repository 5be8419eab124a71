/** Advises on the questions of one session, and records the rules that answered instead of the user. */
import type { Advice, RuleSuggestion } from '../../../core/advice/advice';
import type { AnsweringRule } from '../../../core/model/answeringRule';
import { ruleText } from '../../../core/model/answeringRule';
import type { Log } from '../../../core/platform/log';
import { ProtectedPaths } from '../../../policy/protection/protectedPaths';
import type { ProtectedRules } from '../../../policy/protection/protectedRules';
import { realPathOf } from '../../../util/realPath';
import type { QuestionDetails, QuestionObserver, RuleSession } from '../../../session/questions/questionDependencies';
import type { PermissionQuestion } from '../../../session/questions/questions';
import { adviceFor, type AdviceContext } from './advice';
import type { RuleStore } from './ruleStore';

/** The questions whose suggestions are kept. More cannot wait in one session. */
const MAX_QUESTIONS = 300;

export interface RuleObserverDependencies {
  readonly log: Log;
  readonly store: RuleStore;
  readonly judge: AdviceContext['judge'];
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
}

export class RuleObserver implements QuestionObserver {
  /** The suggestions by question. A page names only their ids. */
  private readonly offered = new Map<string, readonly RuleSuggestion[]>();
  private readonly details = new Map<string, QuestionDetails>();

  constructor(
    private readonly session: RuleSession,
    private readonly deps: RuleObserverDependencies,
  ) {}

  asked(question: PermissionQuestion, advise: (advice: Advice) => void, details: QuestionDetails): void {
    this.details.set(question.questionId, details);
    this.advice(question, details).then(
      (advice) => {
        this.offered.set(question.questionId, advice.suggestions ?? []);
        const [oldest] = this.offered.keys();
        void (this.offered.size > MAX_QUESTIONS && oldest !== undefined && this.offered.delete(oldest));
        advise(advice);
      },
      (error: unknown) => this.deps.log.warn(`No advice on a question: ${String(error)}`),
    );
  }

  answered(question: PermissionQuestion, optionId: string | undefined, byRule?: AnsweringRule): void {
    const { store, log } = this.deps;
    const details = this.details.get(question.questionId) ?? {};
    this.details.delete(question.questionId);
    void (byRule && store.used(byRule.id, Date.now()));
    const kind = question.options.find((option) => option.optionId === optionId)?.kind;
    if (byRule ? optionId !== undefined && kind !== 'reject_once' && kind !== 'reject_always' : !kind?.startsWith('reject')) {
      return;
    }
    this.advice(question, details).then(
      ({ suggestions = [] }) => {
        // An allow does not beat the rule that denied. That rule is the one to change.
        const allow = byRule ? undefined : suggestions.find(({ rule }) => rule.effect === 'allow')?.rule;
        const deny = byRule ? undefined : suggestions.find(({ rule }) => rule.effect === 'deny')?.rule;
        store.denied({
          sessionId: this.session.key,
          cwd: this.session.roots.cwd,
          title: titleOf(question),
          ...(byRule && { rule: ruleText(byRule), code: byRule.reason.code }),
          ...(byRule?.reason.code === 'rule' && { ruleId: byRule.id }),
          ...(allow && { allow }),
          ...(deny && { deny }),
        });
      },
      (error: unknown) => log.warn(`A denial is not listed: ${String(error)}`),
    );
  }

  /** The rules of the session end with it. */
  ended(): void {
    this.deps.store.forget(this.session.key);
  }

  /** The suggestion that was offered with a question. */
  suggestion(questionId: string, id: string): RuleSuggestion | undefined {
    return this.offered.get(questionId)?.find((each) => each.id === id);
  }

  private async advice({ subject, title }: PermissionQuestion, { why, names }: QuestionDetails): Promise<Advice> {
    const { roots, key } = this.session;
    const paths = new ProtectedPaths(roots, await this.deps.protectedRules());
    return adviceFor(subject, title, {
      roots,
      why,
      names,
      commandRules: this.deps.store.commandRules(key, roots.cwd),
      judge: () => this.deps.judge(),
      protects: async (file, access) => paths.ruleFor(file, await realPathOf(file).catch(() => file), access),
    });
  }
}

function titleOf({ subject: { command, locations, rawInput }, title }: PermissionQuestion): string {
  const { command: written } = typeof rawInput === 'object' && rawInput !== null ? (rawInput as { readonly command?: unknown }) : {};
  return command ?? (typeof written === 'string' ? written : undefined) ?? (title || (locations?.[0]?.path ?? ''));
}

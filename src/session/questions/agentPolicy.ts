/** The decision about what an agent asks the user itself: its permission requests, and the web pages that it wants to be opened. */
import { resolve } from 'node:path';
import type { SessionAgent } from '../../core/agents/agentIds';
import type { AnsweringRule } from '../../core/model/answeringRule';
import type { PermissionOption, PermissionSubject } from '../../core/model/content';
import type { Roots } from '../../core/model/roots';
import { agentRequestSource, partsOf } from '../../policy/agentRequests';
import type { Decision } from '../../policy/decide';
import { isFile } from '../../policy/matching';
import { GivenAnswers } from '../../policy/modes/answers';
import { Repetitions } from '../../policy/modes/repetition';
import { Policy } from '../../policy/policy';
import { ProtectedPaths } from '../../policy/protection/protectedPaths';
import { protectedPathSource } from '../../policy/protectedPathSource';
import type { RequestPart, RuleSource } from '../../policy/rule';
import { realPathOf } from '../../util/realPath';
import type { QuestionDependencies, QuestionWords } from './questionDependencies';
import type { PermissionQuestion } from './questions';
import { answeringRuleOf, ruleReasonOf } from './ruleAnswers';

/** Records a request that a rule has answered. */
interface RuleRecorder {
  record(question: Pick<PermissionQuestion, 'title' | 'options' | 'subject'>, optionId: string, byRule: AnsweringRule): void;
}

export class AgentPolicy {
  /** The user's answers for always. */
  readonly answers = new GivenAnswers();
  private readonly policy: Policy;
  private readonly repetitions: Repetitions;

  /** @param turn returns an id of the running turn */
  constructor(
    private readonly agent: SessionAgent,
    private readonly roots: Roots,
    private readonly sources: readonly RuleSource[],
    private readonly deps: Pick<QuestionDependencies, 'protectedRules'>,
    turn: () => string,
  ) {
    this.policy = this.policyWith(...sources);
    this.repetitions = new Repetitions(turn);
  }

  /** Decides about a permission request. */
  async aboutRequest(subject: PermissionSubject, title: string): Promise<Decision> {
    const { roots, deps, answers, sources } = this;
    const [first, ...more] = partsOf(subject, title);
    const parts = [await this.real(first), ...(await Promise.all(more.map((part) => this.real(part))))] as const;
    const given = answers.rulesFor(subject, title);
    const protection = protectedPathSource(async () => new ProtectedPaths(roots, await deps.protectedRules()));
    const decision = await this.policyWith(protection, ...sources, { rulesFor: () => given }).decide(...parts);
    const { command, cwd, environment, content, locations, rawInput } = subject;
    return this.repetitions.check(decision, parts, { title, command, cwd, environment, content, locations, rawInput });
  }

  private policyWith(...sources: readonly RuleSource[]): Policy {
    const { agentId, agentName } = this.agent;
    return new Policy({ agent: { id: agentId, name: agentName }, roots: this.roots }, [agentRequestSource, ...sources]);
  }

  /** Returns the part with the real path of its file, so that a link does not lead around a rule. */
  private async real(part: RequestPart): Promise<RequestPart> {
    return isFile(part) ? { ...part, path: await realPathOf(resolve(this.roots.cwd, part.asked)).catch(() => part.asked) } : part;
  }

  /** Resolves to false when a rule denies the web page, which is recorded then. Otherwise the user decides. */
  async mayOpen(url: string, permissions: RuleRecorder, words: QuestionWords): Promise<boolean> {
    const decision = await this.policy.decide({ kind: 'address', url });
    if (decision.effect !== 'deny') {
      return true;
    }
    const options: PermissionOption[] = [{ optionId: 'reject', name: words.reject(), kind: 'reject_once' }];
    const title = words.title(ruleReasonOf(decision.rule, 'address', url));
    permissions.record({ title, options, subject: { kind: 'fetch', rawInput: { url } } }, 'reject', answeringRuleOf(decision.rule));
    return false;
  }
}

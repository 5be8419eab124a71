/** The decision about what an agent asks the user itself: its permission requests, and the web pages that it wants to be opened. */
import type { SessionAgent } from '../../core/agents/agentIds';
import type { AnsweringRule } from '../../core/model/answeringRule';
import type { PermissionOption, PermissionSubject } from '../../core/model/content';
import type { Roots } from '../../core/model/roots';
import { agentRequestSource, partsOf } from '../../policy/agentRequests';
import type { Decision } from '../../policy/decide';
import { Policy } from '../../policy/policy';
import { ProtectedPaths } from '../../policy/protection/protectedPaths';
import type { ProtectedRules } from '../../policy/protection/protectedRules';
import { protectedPathSource } from '../../policy/protectedPathSource';
import type { RuleSource } from '../../policy/rule';
import type { QuestionWords } from './questionDependencies';
import type { PermissionQuestion } from './questions';
import { answeringRuleOf, ruleReasonOf } from './ruleAnswers';

/** Records a request that a rule has answered. */
interface RuleRecorder {
  record(question: Pick<PermissionQuestion, 'title' | 'options' | 'subject'>, optionId: string, byRule: AnsweringRule): void;
}

interface AgentPolicyDependencies {
  readonly agent: SessionAgent;
  readonly roots: Roots;
  readonly sources: readonly RuleSource[];
  /** The user's protected paths as they are now. */
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
}

export class AgentPolicy {
  private readonly policy: Policy;

  constructor({ agent: { agentId, agentName }, roots, sources, protectedRules }: AgentPolicyDependencies) {
    // A rule must not answer for a protected file, so the agent's own requests are checked for those too.
    const protectedFiles = protectedPathSource(async () => new ProtectedPaths(roots, await protectedRules()));
    this.policy = new Policy({ agent: { id: agentId, name: agentName }, roots }, [agentRequestSource, protectedFiles, ...sources]);
  }

  /** Decides about a permission request. */
  aboutRequest(subject: PermissionSubject, title: string): Promise<Decision> {
    return this.policy.decide(...partsOf(subject, title));
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

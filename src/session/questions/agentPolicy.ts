/** The decision about what an agent asks the user itself: its permission requests, and the web pages that it wants to be opened. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { readOnlyToolSource } from '../../policy/readOnlyTools';
import { ProtectedPaths } from '../../policy/protection/protectedPaths';
import type { ProtectedRules } from '../../policy/protection/protectedRules';
import { protectedPathSource } from '../../policy/protectedPathSource';
import type { ToolNames } from '../../policy/mcpTool';
import type { RequestPart, Rule, RuleSource } from '../../policy/rule';
import { realPathOf } from '../../util/realPath';
import type { QuestionWords } from './questionDependencies';
import type { PermissionQuestion } from './questions';
import { answeringRuleOf, ruleReasonOf } from './ruleAnswers';

/** Records a request that a rule has answered. */
interface RuleRecorder {
  record(question: Pick<PermissionQuestion, 'title' | 'options' | 'subject'>, optionId: string, byRule: AnsweringRule): void;
  /** Sends the rule's message to the model. */
  explain(rule: Rule, title: string): void;
}

interface AgentPolicyDependencies {
  readonly agent: SessionAgent;
  readonly roots: Roots;
  readonly sources: readonly RuleSource[];
  /** The user's protected paths as they are now. */
  protectedRules(): ProtectedRules | Promise<ProtectedRules>;
  /** Returns an id of the running turn. */
  turn(): string;
  /** The tools of the editor that only read, while the session has them. */
  readOnlyTools?(): ReadonlySet<string>;
}

export class AgentPolicy {
  /** The user's answers for always. */
  readonly answers = new GivenAnswers();
  private readonly sources: readonly RuleSource[];
  private readonly repetitions: Repetitions;

  constructor(private readonly deps: AgentPolicyDependencies) {
    const { roots, sources, protectedRules } = deps;
    // A rule must not answer for a protected file, so the agent's own requests are checked for those too.
    const protectedFiles = protectedPathSource(async () => new ProtectedPaths(roots, await protectedRules()));
    const agreed = readOnlyToolSource(() => deps.readOnlyTools?.() ?? new Set());
    this.sources = [agentRequestSource, agreed, protectedFiles, ...sources];
    this.repetitions = new Repetitions(deps.turn);
  }

  /** Decides about a permission request. @param names the fields that name its tool */
  async aboutRequest(subject: PermissionSubject, title: string, names: ToolNames): Promise<Decision> {
    const [first, ...more] = await Promise.all(partsOf(subject, title, names).map((part) => withRealPath(part, this.deps.roots.cwd)));
    const given = this.answers.rulesFor(subject, title, names);
    const decision = await this.policy({ rulesFor: () => given }).decide(first!, ...more);
    const { command, cwd, environment, content, locations, rawInput } = subject;
    return this.repetitions.check(decision, [first!, ...more], { title, command, cwd, environment, content, locations, rawInput });
  }

  private policy(...more: readonly RuleSource[]): Policy {
    const { agent, roots } = this.deps;
    return new Policy({ agent: { id: agent.agentId, name: agent.agentName }, roots }, [...this.sources, ...more]);
  }

  /** Resolves to false when a rule denies the web page, which is recorded then. Otherwise the user decides. */
  async mayOpen(url: string, permissions: RuleRecorder, words: QuestionWords): Promise<boolean> {
    const decision = await this.policy().decide({ kind: 'address', url });
    if (decision.effect !== 'deny') {
      return true;
    }
    const options: PermissionOption[] = [{ optionId: 'reject', name: words.reject(), kind: 'reject_once' }];
    const title = words.title(ruleReasonOf(decision.rule, 'address', url));
    permissions.record({ title, options, subject: { kind: 'fetch', rawInput: { url } } }, 'reject', answeringRuleOf(decision.rule));
    permissions.explain(decision.rule, url);
    return false;
  }
}

/**
 * A link must not give a file another name. A path that cannot be resolved keeps its name. A relative path and an address of a file are resolved for
 * questions and denials. No rule allows them, because the agent may be in another folder.
 */
async function withRealPath(part: RequestPart, cwd: string): Promise<RequestPart> {
  if (!isFile(part)) {
    return part;
  }
  const file = pathIn(part.path);
  // Not normalized: a `..` after a link leaves the link's target.
  const named = path.isAbsolute(file) ? file : `${cwd}${path.sep}${file}`;
  return { ...part, path: await realPathOf(named).catch(() => named) };
}

function pathIn(text: string): string {
  try {
    return /^file:/i.test(text) ? fileURLToPath(text) : text;
  } catch {
    return text;
  }
}

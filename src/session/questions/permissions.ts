/** Questions with options in one session: the agent's permission requests and the host's own questions. */
import type { Advice } from '../../core/advice/advice';
import type { AnsweringRule } from '../../core/model/answeringRule';
import { callAbout, type RequestedAct } from '../../core/approval/callAbout';
import { newsOfToolCall, titleOfToolCall, toolCallIn, wholeSubject } from '../../core/approval/permissionSubject';
import type { AskReason, FileChange, PermissionOption, PermissionSubject } from '../../core/model/content';
import { modeOf } from '../../core/modes/permissionMode';
import type { EventInput } from '../../core/model/event';
import { isCancelling } from '../../core/model/select';
import { inSubagent } from '../../core/subagents/innerEvents';
import type { Decision } from '../../policy/decide';
import type { ToolNames } from '../../policy/mcpTool';
import type { Rule } from '../../policy/rule';
import type { SessionPeer } from '../agent/agentConnection';
import type { ReplayTarget } from '../state/replayTarget';
import type { SessionStore } from '../state/store';
import type { AgentPolicy } from './agentPolicy';
import { type PermissionQuestion, type Questions, requestedEvent } from './questions';
import type { QuestionDetails, QuestionObserver } from './questionDependencies';
import { answeringRuleOf, denialMessage, optionFor } from './ruleAnswers';

type PermissionRequest = Parameters<SessionPeer['requestPermission']>[0];

export class Permissions {
  /** The changes that the user has allowed in the agent's own requests of one turn. */
  private allowed: { readonly turnId: string; readonly changes: FileChange[] } | undefined;

  constructor(
    private readonly questions: Questions,
    private readonly store: SessionStore,
    /** The buffer for the agent's updates during a replay. */
    private readonly replay: () => ReplayTarget | undefined,
    /** Returns the decision about the agent's requests. Undefined while there are no rules for them, so that the user answers each. */
    private readonly policy: () => Promise<AgentPolicy> | undefined = () => undefined,
    private readonly observer: QuestionObserver = {},
    /** Sends a text to the model, for a rule that denied a request: the protocol's answer has no room for it. */
    private readonly tellAgent: (text: string) => void = () => undefined,
    /** Loads the policy for an answer for always. */
    private readonly answered?: () => Promise<AgentPolicy>,
    /** Called when the rules could not be applied to a request. */
    private readonly onFailed: (error: unknown) => void = () => undefined,
  ) {}

  /**
   * The file changes in the agent's own requests that the user has allowed in the running turn. Undefined when none was allowed, or the user has
   * pressed Stop.
   */
  get allowedInTurn(): readonly FileChange[] | undefined {
    const { turn } = this.store.state;
    return turn && !turn.cancelling && this.allowed?.turnId === turn.turnId ? this.allowed.changes : undefined;
  }

  /** The user has allowed a request of this turn in an earlier window. Changes in it are asked about again. */
  allowIn(turnId: string): void {
    this.allowed = { turnId, changes: [] };
  }

  /** Removes an allowed change after it was made. */
  spend(change: FileChange): void {
    this.allowed = this.allowed && { ...this.allowed, changes: this.allowed.changes.filter((other) => other !== change) };
  }

  /** Handles the agent's permission request. */
  async request({ toolCall, ...request }: PermissionRequest, signal: AbortSignal): Promise<{ readonly optionId: string } | 'cancelled'> {
    const { store } = this;
    const replay = this.replay();
    const conversation = replay ?? store;
    const news = toolCall && newsOfToolCall(conversation.state, toolCall);
    if (news) {
      const event = { type: 'tool_call_update', toolCallId: toolCall.toolCallId, patch: news } as const;
      conversation.append(inSubagent(conversation.state, request.subagentId, event));
    }
    const { options, subject } = request;
    const title = request.title || titleOfToolCall(conversation.state, subject.toolCallId);
    let asked: PermissionQuestion = {
      ...request,
      kind: 'permission',
      questionId: this.questions.mint('permission', { ...request, title }),
      title,
    };
    let whole = { ...asked, subject: wholeSubject(subject, conversation.state) };
    const announce = (...resolved: readonly EventInput[]): void => {
      // During a replay the tool call is not shown, and a subagent's is in another conversation, so the card gets the complete subject.
      store.append(requestedEvent(replay || request.subagentId !== undefined ? whole : asked), ...resolved);
      replay?.mirror(requestedEvent(asked));
      this.replay()?.mirror(...resolved);
    };
    // Without rules the question is announced at once, before the agent's next update.
    const policy = this.policy();
    const call = toolCallIn(conversation.state, subject.toolCallId);
    const names: ToolNames = {
      name: call?.name ?? toolCall?.patch.name,
      callTitle: call?.title,
      meta: request.meta,
      extra: request.extra,
    };
    const decision = policy && (await this.decisionOf(policy, whole, names));
    const isEarlier = policy !== undefined && decision?.rule?.origin === 'answer';
    const earlier = isEarlier ? (await policy).answers.optionIn(options, whole.subject, title, names) : undefined;
    const decided = decision && this.answerOf(decision, asked, signal, earlier);
    if (decision?.rule?.origin === 'repetition') {
      const reason: AskReason = { type: 'repetition' };
      asked = { ...asked, subject: { ...asked.subject, reason } };
      whole = { ...whole, subject: { ...whole.subject, reason } };
    }
    if (decided) {
      const byRule = answeringRuleOf(decided.rule);
      this.questions.record(whole, decided.optionId, byRule, announce);
      this.observer.answered?.(whole, decided.optionId, byRule);
      this.explain(decided.rule, title);
      if (decided.rule.origin === 'answer' && decided.optionId !== undefined) {
        // The agent has asked before its command, as if the user had answered again.
        this.remember(options, decided.optionId, {});
      }
      return decided.optionId === undefined ? 'cancelled' : { optionId: decided.optionId };
    }
    const optionId = await this.ask(whole, signal, () => announce(), { why: decision?.rule?.reason, names });
    if (optionId === undefined) {
      return 'cancelled';
    }
    this.remember(options, optionId, subject);
    await this.rememberAlways(whole, optionId, names);
    return { optionId };
  }

  /**
   * Asks a question of the host. Resolves to the chosen option, undefined when the question ended without one.
   * @param asked receives a function that answers from elsewhere than the card
   */
  question(
    question: Pick<PermissionQuestion, 'title' | 'options' | 'subject' | 'isCardOnly'>,
    signal: AbortSignal | undefined,
    asked: (answer: (optionId: string) => void) => void = () => undefined,
  ): Promise<string | undefined> {
    const questionId = this.questions.mint('permission', question);
    const answer = this.ask({ ...question, kind: 'permission', questionId }, signal);
    asked((optionId) => void this.questions.answer(questionId, { optionId }));
    return answer;
  }

  /** Resolves to the decision of the rules. Undefined when it failed, so that the user is asked. */
  private async decisionOf(
    policy: Promise<AgentPolicy>,
    { subject, title }: PermissionQuestion,
    names: ToolNames,
  ): Promise<Decision | undefined> {
    try {
      return await (await policy).aboutRequest(subject, title, names);
    } catch (error) {
      this.onFailed(error);
      return undefined;
    }
  }

  /** Returns the answer of a rule; undefined when the user answers. @param earlier the option of the user's earlier answer */
  private answerOf(
    { rule, effect }: Decision,
    { options, defaultToNo }: PermissionQuestion,
    signal: AbortSignal,
    earlier: string | undefined,
  ): { readonly rule: Rule; readonly optionId: string | undefined } | undefined {
    // The user may have left the mode while the other rules were read.
    const isLeft = effect === 'allow' && rule?.origin === 'mode' && rule.id !== `mode/${modeOf(this.store.state)}`;
    if (!rule || effect === 'ask' || isLeft || signal.aborted || isCancelling(this.store.state)) {
      return undefined;
    }
    const optionId = optionFor(effect, options) ?? earlier;
    // The user decides where the agent recommends to refuse.
    return effect === 'allow' && (optionId === undefined || defaultToNo) ? undefined : { rule, optionId };
  }

  /** Sends the message of a rule that denied a request to the model. */
  explain(rule: Rule, title: string): void {
    const message = rule.effect === 'deny' ? denialMessage(rule, title) : undefined;
    if (message !== undefined) {
      // After the answer: while the question is open, claude-agent-acp holds a message back until the end of the turn.
      setImmediate(() => this.tellAgent(message));
    }
  }

  /**
   * Records a request that a rule has answered, so that the conversation shows it. @param act shows it on the tool call that names it, if one does
   */
  record(
    { subject, ...question }: Pick<PermissionQuestion, 'title' | 'options' | 'subject'>,
    optionId: string,
    byRule: AnsweringRule,
    act?: RequestedAct,
  ): void {
    const toolCallId = act && callAbout(this.store.state, act);
    const about = { ...subject, ...(toolCallId !== undefined && { toolCallId }) };
    const asked = { ...question, subject: about, kind: 'permission', questionId: this.questions.mint('permission') } as const;
    this.questions.record(asked, optionId, byRule);
    this.observer.answered?.(asked, optionId, byRule);
  }

  /** Remembers an answer for always. A plan is approved once: the next one is another plan. */
  private async rememberAlways({ subject, title, options }: PermissionQuestion, optionId: string, names: ToolNames): Promise<void> {
    const option = options.find((each) => each.optionId === optionId);
    const isAlways = option?.kind === 'allow_always' || option?.kind === 'reject_always';
    if (isAlways && subject.kind !== 'switch_mode' && this.answered) {
      (await this.answered()).answers.remember(subject, title, option, names);
    }
  }

  private async ask(
    question: PermissionQuestion,
    signal: AbortSignal | undefined,
    announce?: () => void,
    details: QuestionDetails = {},
  ): Promise<string | undefined> {
    const pending = this.questions.ask(question, signal, announce);
    const { questionId: permissionId } = question;
    const advise = (advice: Advice): void => {
      if (this.questions.get(permissionId)) {
        this.advised({ type: 'permission_advised', permissionId, advice });
      }
    };
    this.observer.asked?.(question, advise, details);
    const end = await pending;
    const optionId = end.type === 'answered' ? end.answer.optionId : undefined;
    this.observer.answered?.(question, optionId);
    return optionId;
  }

  /** During a replay the advice is also added to the replay, which may replace the conversation. */
  private advised(event: EventInput): void {
    this.store.append(event);
    this.replay()?.mirror(event);
  }

  /** Remembers the changes in the request itself. A tool call that it names can change while the user reads. */
  private remember(options: readonly PermissionOption[], optionId: string, subject: PermissionSubject): void {
    const turnId = this.store.state.turn?.turnId;
    const chosen = options.filter((option) => option.optionId === optionId);
    if (turnId === undefined || !chosen.every(({ kind }) => kind === 'allow_once' || kind === 'allow_always')) {
      return;
    }
    if (this.allowed?.turnId !== turnId) {
      this.allowed = { turnId, changes: [] };
    }
    this.allowed.changes.push(...(subject.content ?? []).flatMap((each) => (each.type === 'diff' ? each.changes : [])));
  }
}

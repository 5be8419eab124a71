/**
 * The turns of one conversation (protocol page "Prompt Turn"): sends and stops prompts, and settles the questions and waits of an ended turn. The
 * agent takes a prompt, and later ends its turn. A prompt that the agent did not take returns to the composer once, or stays in the conversation with
 * Retry.
 */
import type { ContentBlock } from '../../core/model/content';
import { type Failure, isAbort } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { fitPrompt, notTaken } from '../../core/model/promptContent';
import { busyId, isBusy, isCancelling, isUnresponsive, takesPrompts } from '../../core/model/select';
import { isActiveTask } from '../../core/background/activeTasks';
import { failedTurn } from '../../core/queue/retry';
import { branchOf, canStop, subagentOf } from '../../core/subagents/subagentTree';
import type { SteerOutcome } from '../../core/queue/steering';
import { AgentNotes } from './agentNotes';
import type { SignInFlow } from '../agent/signInFlow';
import type { ClientServices } from '../client/clientServices';
import type { AgentAttachment } from '../agent/agentAttachment';
import { notReady } from '../state/sessionNotices';
import type { SessionNotices } from '../state/sessionNotices';
import type { SessionStore } from '../state/store';
import type { TurnEnd } from '../../acp/dialect';

/** A report for the next prompt, such as the user's edits of the agent's changes. */
export interface PromptReport {
  /** Takes the report; undefined when it is empty. The caller calls `markUnsent` when the agent does not receive it. */
  take(): { readonly content: readonly ContentBlock[]; markUnsent(): void } | undefined;
}

export interface TurnDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  readonly services: ClientServices;
  readonly signIn: SignInFlow;
  readonly shared: { readonly clock: Clock };
  /** Undefined while there is no agent. */
  attachment(): AgentAttachment | undefined;
  /** The reports for a prompt. An element is undefined while no feature has set it. */
  reports(): readonly (PromptReport | undefined)[];
  /** Called when the agent has ended a turn or refused its prompt, and the consequences are applied. */
  turnEnded(): void;
}

interface SentPrompt {
  readonly turnId: string;
  /** The user's message, without the report. */
  readonly content: readonly ContentBlock[];
  readonly report?: ReturnType<PromptReport['take']>;
}

/** @param content the prompt, from which `text` and `others` were separated */
export type PromptListener = (text: string, others: readonly ContentBlock[], content: readonly ContentBlock[]) => void;

/** ms after Stop within which an agent should end. Afterwards a restart is offered. */
export const STOP_MS = 10_000;

export class Turns implements Disposable {
  private readonly listeners = new Set<PromptListener>();
  /** The prompt that the agent has not taken yet. */
  private untaken: SentPrompt | undefined;
  /** The prompt whose turn the agent has not ended yet, whether it was taken or not. */
  private running: SentPrompt | undefined;
  /** The prompt that is in the conversation with Retry, and not in the composer. */
  private kept: SentPrompt | undefined;
  private count = 0;
  /** Fires when the agent has not ended after Stop. */
  private stopTimer: Disposable | undefined;

  private readonly notes = new AgentNotes(
    (content, settled) => this.steer(content, settled),
    (content) => {
      const { store } = this.deps;
      store.append({ type: 'message', role: 'user', messageId: `note-${store.seq}-${++this.count}`, content });
    },
  );

  constructor(private readonly deps: TurnDependencies) {}

  /** Sends a prompt. Returns a failure when the session cannot accept one now. @param turnId the id of a queued message */
  prompt(content: readonly ContentBlock[], turnId?: string): Failure | undefined {
    const { store } = this.deps;
    const { state } = store;
    if (!takesPrompts(state) || !this.deps.attachment()?.agent || state.sessionId === undefined) {
      return notReady(state);
    }
    const refused = notTaken(content, state.promptCapabilities);
    if (refused) {
      return refused;
    }
    const id = turnId ?? `turn-${store.seq}-${++this.count}`;
    const prompt = { turnId: id, content, report: this.takeReports() };
    this.begin(prompt);
    this.send(prompt);
    return undefined;
  }

  private takeReports(): Taken {
    return this.deps
      .reports()
      .map((report) => report?.take())
      .reduce(both, this.notes.take());
  }

  /** Sends the prompt that waited for a sign-in. */
  sendAgain(): void {
    const { untaken } = this;
    if (untaken) {
      this.send(untaken);
    }
  }

  /** Sends a text to the model: into the running turn, or with the next prompt. */
  tellAgent(text: string): void {
    this.notes.tell(text);
  }

  /** Adds a message to the running turn. Returns a failure when that cannot be requested. */
  steer(content: readonly ContentBlock[], settled: (answer: SteerOutcome | Failure) => void): Failure | undefined {
    const { state } = this.deps.store;
    const { sessionId, promptCapabilities } = state;
    const attachment = this.deps.attachment();
    const agent = attachment?.agent;
    const refused = notTaken(content, promptCapabilities);
    if (!attachment || !agent?.dialect.steer || sessionId === undefined || refused) {
      return refused ?? { code: 'queue.not_steered' };
    }
    attachment.request<SteerOutcome>(
      agent,
      (dialect, answered) => dialect.steer!(sessionId, fitPrompt(content, promptCapabilities).content, answered),
      (outcome) => settled(outcome.ok ? outcome.value : outcome.failure),
    );
    return undefined;
  }

  /**
   * Stops the running turn, or the work between turns. Open tool calls and questions end at once; the agent confirms later. A second Stop before
   * that offers to restart the agent.
   * @param interrupting a message follows, so that queued messages do not wait for the user
   */
  cancel(interrupting = false): void {
    const { store, services, signIn, attachment } = this.deps;
    const { turn, sessionId } = store.state;
    if (!isBusy(store.state) || sessionId === undefined) {
      return;
    }
    if (isCancelling(store.state)) {
      this.offerRestart();
      return;
    }
    store.append({ type: 'turn_cancelling', ...(interrupting && { interrupting }) });
    if (turn && signIn.giveUpTurn()) {
      return; // The agent has not received the prompt.
    }
    attachment()?.agent?.dialect.cancel(sessionId);
    services.stop();
    const stopped = busyId(store.state);
    this.stopTimer?.dispose();
    this.stopTimer = this.deps.shared.clock.after(STOP_MS, () => busyId(store.state) === stopped && this.offerRestart());
  }

  /** Stops the work of a subagent and its descendants, if the agent can do that now. Their open tool calls and questions end at once. */
  cancelSubagent(subagentId: string): void {
    const { store, services, attachment } = this.deps;
    const child = subagentOf(store.state, subagentId);
    const dialect = attachment()?.agent?.dialect;
    if (!child || !canStop(child) || !dialect) {
      return;
    }
    const branch = branchOf(store.state, subagentId);
    store.append({ type: 'subagent_cancelling', subagentId });
    dialect.cancel(subagentId);
    services.stopSubagents(branch);
  }

  /** Stops a background task, if the agent can do that. The task ends with the agent's report. */
  stopTask(taskId: string): void {
    const { store, notices } = this.deps;
    const { sessionId, backgroundTasks } = store.state;
    const attachment = this.deps.attachment();
    const agent = attachment?.agent;
    const task = backgroundTasks?.find((each) => each.taskId === taskId);
    if (!attachment || !agent?.dialect.stopTask || sessionId === undefined || !task?.canStop || task.isStopping || !isActiveTask(task)) {
      return;
    }
    store.append({ type: 'background_task_stopping', taskId, stopping: true });
    attachment.request<boolean>(
      agent,
      (dialect, settled) => dialect.stopTask!(sessionId, taskId, settled),
      (outcome) => {
        if (outcome.ok && outcome.value) {
          return;
        }
        store.append({ type: 'background_task_stopping', taskId, stopping: false });
        // A task that has ended meanwhile cannot be stopped.
        if (store.state.backgroundTasks?.some((each) => each.taskId === taskId && isActiveTask(each))) {
          notices.warn('', outcome.ok ? { code: 'request.failed', params: { method: 'stop' } } : outcome.failure);
        }
      },
    );
  }

  /** Ends a turn that the user has stopped, without the agent's response, because its process is about to be left. */
  endStopped(): void {
    const { turn } = this.deps.store.state;
    if (turn?.cancelling) {
      this.take();
      this.end(turn.turnId, 'cancelled');
    }
  }

  private offerRestart(): void {
    const { store } = this.deps;
    if (!isUnresponsive(store.state)) {
      store.append({ type: 'stop_unanswered' });
    }
  }

  /** Ends the turn whose prompt waits for a sign-in that the user has declined. */
  giveUp(failure: Failure): void {
    const { turn } = this.deps.store.state;
    const untaken = this.take();
    if (turn && turn.turnId === untaken?.turnId) {
      this.end(turn.turnId, turn.cancelling ? 'cancelled' : 'error', turn.cancelling ? undefined : failure);
    }
    this.returnPrompt(untaken);
  }

  /** Takes the prompt that the agent has not taken yet. The caller must return it. */
  take(): SentPrompt | undefined {
    const { untaken } = this;
    this.untaken = undefined;
    return untaken;
  }

  /**
   * Continues the turn that an agent of an earlier window runs.
   * @param requestId undefined when the agent has not received the prompt: the turn then ends with Retry
   */
  adopt(prompt: SentPrompt, requestId: number | undefined): void {
    const { store, signIn } = this.deps;
    const { sessionId, turn } = store.state;
    const attachment = this.deps.attachment();
    const { turnId } = prompt;
    if (requestId === undefined || sessionId === undefined || !attachment?.agent?.dialect.adoptPrompt) {
      this.end(turnId, 'error', { code: 'session.interrupted' });
      return;
    }
    this.running = prompt;
    attachment.request<void>(
      attachment.agent,
      (dialect, settled) => dialect.adoptPrompt!(sessionId, requestId, settled),
      (outcome) => (outcome.ok ? this.taken(turnId) : this.refused(turnId, signIn.withMethods(outcome.failure))),
    );
    if (turn?.cancelling) {
      attachment.agent.dialect.cancel(sessionId);
    }
  }

  /** The agent has begun a turn of its own, which no message of the user precedes. Ignored for a session that the user has ended. */
  began(): void {
    const { store } = this.deps;
    if (!store.state.turn && store.state.status === 'ready') {
      const turnId = `agent-turn-${store.seq}-${++this.count}`;
      store.append({ type: 'turn_started', turnId });
      this.running = { turnId, content: [] };
    }
  }

  /** The agent has ended the turn. Without a turn, only the other data of the report is kept. */
  ended({ events, stopReason, failure }: TurnEnd): void {
    const { store, services, signIn } = this.deps;
    const { running } = this;
    this.running = undefined;
    if (!running) {
      store.append(...events);
      return;
    }
    const { turnId } = running;
    this.untaken = undefined;
    if (failure) {
      store.append(...events);
      this.endFailed(turnId, signIn.withMethods(failure));
    } else {
      store.append(...events, { type: 'turn_ended', turnId, stopReason });
      if (stopReason !== 'cancelled') {
        signIn.accepted();
      }
      if (stopReason === 'refusal') {
        this.returnPrompt(running);
      } else if (stopReason === 'cancelled') {
        services.turnStopped(turnId);
      }
    }
    this.stopTimer?.dispose();
    this.deps.turnEnded();
  }

  /** The session leaves its agent, which ends no turn of it from now on. */
  detach(): void {
    this.running = undefined;
  }

  /**
   * Returns an untaken prompt to the composer, unless the conversation keeps it with Retry: the same text must not be in both places. Without an
   * argument it checks the kept prompt, because Retry may no longer be shown.
   */
  returnPrompt(prompt: SentPrompt | undefined = this.kept): void {
    if (!prompt) {
      return;
    }
    const { content, report, turnId } = prompt;
    report?.markUnsent();
    this.kept = failedTurn(this.deps.store.state)?.turnId === turnId ? { turnId, content } : undefined;
    if (this.kept) {
      return;
    }
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    const others = content.filter(({ type }) => type !== 'text');
    if (text || others.length > 0) {
      this.listeners.forEach((listener) => listener(text, others, content));
    }
  }

  /** Reports a prompt that the agent did not take, for the composer: its text, which may be empty, and its attachments. */
  onPromptReturned(listener: PromptListener): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  dispose(): void {
    this.stopTimer?.dispose();
    this.listeners.clear();
  }

  /** Drops the kept prompt, which is about to be sent again. */
  forgetKept(): void {
    this.kept = undefined;
  }

  private begin(prompt: SentPrompt): void {
    const { turnId } = prompt;
    this.kept = undefined;
    this.deps.store.append({ type: 'turn_started', turnId }, { type: 'message', role: 'user', messageId: turnId, content: whole(prompt) });
  }

  private send(prompt: SentPrompt): void {
    const { turnId } = prompt;
    const attachment = this.deps.attachment();
    const agent = attachment?.agent;
    const { sessionId, promptCapabilities, turn } = this.deps.store.state;
    if (!attachment || !agent || sessionId === undefined) {
      return;
    }
    if (turn?.turnId !== turnId) {
      // A replay has replaced the conversation meanwhile, without this prompt, which the agent never received.
      this.begin(prompt);
    }
    this.untaken = prompt;
    this.running = prompt;
    attachment.request<void>(
      agent,
      (dialect, settled) => dialect.prompt(sessionId, fitPrompt(whole(prompt), promptCapabilities).content, settled, turnId),
      (outcome) => (outcome.ok ? this.taken(turnId) : this.refused(turnId, this.deps.signIn.withMethods(outcome.failure))),
    );
  }

  private taken(turnId: string): void {
    if (this.untaken?.turnId === turnId) {
      this.untaken = undefined;
    }
  }

  private refused(turnId: string, failure: Failure): void {
    if (this.running?.turnId === turnId) {
      this.running = undefined;
    }
    const { store, signIn } = this.deps;
    const { turn } = store.state;
    if (turn?.turnId === turnId && !turn.cancelling && signIn.helps(failure)) {
      signIn.want(failure, { what: 'turn' });
    } else if (turn?.turnId === turnId) {
      const prompt = this.take();
      this.endFailed(turnId, failure);
      if (!turn.cancelling || !isAbort(failure)) {
        this.returnPrompt(prompt); // The agent has taken no part of it.
      }
    }
    this.stopTimer?.dispose();
    this.deps.turnEnded();
  }

  private endFailed(turnId: string, failure: Failure): void {
    // Agents must answer `cancelled` (page "Prompt Turn"), but some return the error that their stopping raised.
    const { turn } = this.deps.store.state;
    const isStopped = turn?.turnId === turnId && turn.cancelling && (isAbort(failure) || failure.code === 'auth.required');
    this.end(turnId, isStopped ? 'cancelled' : 'error', isStopped ? undefined : failure);
  }

  private end(turnId: string, stopReason: string, failure?: Failure): void {
    const { store, services } = this.deps;
    store.append({ type: 'turn_ended', turnId, stopReason, ...(failure && { failure }) });
    services.turnStopped(turnId);
  }
}

/** The content for the agent: the message and the report. */
function whole({ content, report }: SentPrompt): readonly ContentBlock[] {
  return report ? [...content, ...report.content] : content;
}

type Taken = ReturnType<PromptReport['take']>;

function both(notes: Taken, report: Taken): Taken {
  return notes && report
    ? {
        content: [...notes.content, ...report.content],
        markUnsent: () => {
          notes.markUnsent();
          report.markUnsent();
        },
      }
    : (notes ?? report);
}

/**
 * What waits for the user in one session: an agent's requests for permission, its elicitations, and what ACP Host asks itself. All of them are
 * questions with one life: asked → answered | cancelled | withdrawn | lost. Each is an event of the conversation first, where the page shows it
 * as a card; what ends first wins.
 */
import type { ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { PermissionOption, PermissionSubject } from '../../core/model/content';
import type { UnstampedEvent } from '../../core/model/event';
import { failureOf } from '../../core/model/failure';
import type { Disposable } from '../../core/model/ports';
import { isCancelling } from '../../core/model/select';
import type { SessionStore } from '../store';

/** A question with one of its options for an answer. */
export interface PermissionQuestion {
  readonly kind: 'permission';
  readonly questionId: string;
  readonly title: string;
  readonly description?: string;
  /** The name of the sub-session that asks. */
  readonly askedBy?: string;
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** It is shown elsewhere as well, so no quick pick opens for it. */
  readonly isCardOnly?: boolean;
  /** What the agent's request said beyond that: for the journal. */
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A form, or a web page to open. */
export interface ElicitationQuestion extends ElicitationParams {
  readonly kind: 'elicitation';
  readonly questionId: string;
}

export type Question = PermissionQuestion | ElicitationQuestion;

export interface PermissionAnswer {
  readonly optionId: string;
}

export type AnswerTo<Q extends Question> = Q extends PermissionQuestion ? PermissionAnswer : ElicitationAnswer;

/** cancelled: the turn, or the work between turns, was stopped; withdrawn: the agent took it back; lost: the agent or the window went. */
export type Unanswered = 'cancelled' | 'withdrawn' | 'lost';

export type QuestionEnd<Q extends Question> = { readonly type: 'answered'; readonly answer: AnswerTo<Q> } | { readonly type: Unanswered };

/** Where questions belong: the conversation, and what is told aside while an earlier one is brought back, which may take its place. */
export type Conversation = Pick<SessionStore, 'append' | 'seq' | 'state'>;

/** Shows a question beside its card until it is disposed; undefined when the card is all. */
export type Present = (question: Question, answer: (answer: AnswerTo<Question>) => void) => Disposable | undefined;

/** Questions that wait in one session. Beyond them an agent floods the conversation, and its next question is cancelled at once. */
export const MAX_WAITING = 200;

interface Waiting {
  readonly question: Question;
  end(how: QuestionEnd<Question>): void;
}

export class Questions {
  /** Oldest first. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly counts = { permission: 0, elicitation: 0 };

  constructor(
    private readonly conversation: Conversation,
    private readonly present: Present = () => undefined,
  ) {}

  /** An id for the next question, unique in the conversation over all windows. */
  mint(kind: Question['kind']): string {
    return `${kind}-${this.conversation.seq}-${++this.counts[kind]}`;
  }

  /**
   * Asks; never rejects. `signal` aborts when the agent takes the question back or is gone. `announce` says in the conversation that it was
   * asked, where that is more than one event for all who listen.
   */
  ask<Q extends Question>(
    question: Q,
    signal: AbortSignal | undefined,
    announce: () => void = () => this.conversation.append(requestedEvent(question)),
  ): Promise<QuestionEnd<Q>> {
    const { questionId } = question;
    if (this.waiting.size >= MAX_WAITING) {
      return Promise.resolve({ type: 'cancelled' });
    }
    announce();
    return new Promise((resolve) => {
      const withdraw = (): void => this.end(questionId, signal ? abortOutcome(signal) : 'withdrawn');
      let presented: Disposable | undefined = undefined;
      this.waiting.set(questionId, {
        question,
        end: (how) => {
          this.waiting.delete(questionId);
          signal?.removeEventListener('abort', withdraw);
          presented?.dispose();
          this.conversation.append(resolvedEvent(question, how));
          resolve(how as QuestionEnd<Q>);
        },
      });
      const { state } = this.conversation;
      if (signal?.aborted) {
        withdraw();
      } else if (isCancelling(state) || state.status === 'ended') {
        this.end(questionId, 'cancelled');
      } else {
        signal?.addEventListener('abort', withdraw, { once: true });
        presented = this.present(question, (answer) => void this.answer(questionId, answer));
      }
    });
  }

  /** The question, as long as it waits. */
  get(questionId: string): Question | undefined {
    return this.waiting.get(questionId)?.question;
  }

  /** The user's answer, from wherever it was given. False when it comes too late, or is none to this question. */
  answer(questionId: string, answer: AnswerTo<Question>): boolean {
    const waiting = this.waiting.get(questionId);
    if (!waiting || !isAnswerTo(waiting.question, answer)) {
      return false;
    }
    waiting.end({ type: 'answered', answer });
    return true;
  }

  /** Ends one without an answer of the user's; nothing when it has ended. */
  end(questionId: string, type: Unanswered): void {
    this.waiting.get(questionId)?.end({ type });
  }

  endAll(type: Unanswered): void {
    [...this.waiting.values()].forEach((waiting) => waiting.end({ type }));
  }
}

function isAnswerTo(question: Question, answer: AnswerTo<Question>): boolean {
  return question.kind === 'permission'
    ? 'optionId' in answer && question.options.some(({ optionId }) => optionId === answer.optionId)
    : 'action' in answer;
}

/** The event that says it was asked. */
export function requestedEvent(question: Question): UnstampedEvent {
  const { questionId, meta, extra } = question;
  const more = { ...(meta !== undefined && { meta }), ...(extra && { extra }) };
  if (question.kind === 'permission') {
    const { title, description, askedBy, options, subject } = question;
    return {
      type: 'permission_requested',
      permissionId: questionId,
      title,
      ...(description !== undefined && { description }),
      ...(askedBy !== undefined && { askedBy }),
      options,
      subject,
      ...more,
    };
  }
  const { message, body, toolCallId, askedBy } = question;
  return {
    type: 'elicitation_requested',
    requestKey: questionId,
    message,
    body,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(askedBy !== undefined && { askedBy }),
    ...more,
  };
}

const ACTIONS = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;

/** The event that says how it ended. */
function resolvedEvent({ kind, questionId }: Question, end: QuestionEnd<Question>): UnstampedEvent {
  if (kind === 'permission') {
    const optionId = end.type === 'answered' && 'optionId' in end.answer ? end.answer.optionId : undefined;
    const outcome = end.type === 'answered' ? 'selected' : end.type;
    return { type: 'permission_resolved', permissionId: questionId, outcome, ...(optionId !== undefined && { optionId }) };
  }
  const answer = end.type === 'answered' && 'action' in end.answer ? end.answer : undefined;
  const outcome = answer ? ACTIONS[answer.action] : end.type === 'answered' ? 'cancelled' : end.type;
  const content = answer?.action === 'accept' ? answer.content : undefined;
  return { type: 'elicitation_resolved', requestKey: questionId, outcome, ...(content && { content }) };
}

/** How a question ended whose request was aborted: the agent took it back, or it is gone and nobody waits for the answer. */
function abortOutcome(signal: AbortSignal): 'withdrawn' | 'lost' {
  return failureOf(signal.reason).code === 'connection.closed' ? 'lost' : 'withdrawn';
}

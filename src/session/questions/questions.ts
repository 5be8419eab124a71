/**
 * The questions of one session that wait for the user: an agent's permission requests, its elicitations, and the host's own questions. Each
 * question has the states asked → answered | cancelled | withdrawn | lost. It is recorded as an event of the conversation first, which the page
 * shows as a card. The first outcome counts.
 */
import type { ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { AnsweringRule } from '../../core/model/answeringRule';
import type { PermissionOption, PermissionSubject } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { failureOf } from '../../core/model/failure';
import type { Disposable } from '../../core/platform/disposable';
import { isCancelling } from '../../core/model/select';
import { entryIdOf } from '../../core/model/state';
import { AnsweredElsewhere } from '../../core/share/shareMeta';
import { outlivesStop, subagentOf } from '../../core/subagents/subagentTree';
import type { SessionStore } from '../state/store';

/** A question that is answered by one of its options. */
export interface PermissionQuestion {
  readonly kind: 'permission';
  readonly questionId: string;
  readonly title: string;
  readonly description?: string;
  /** The name of the subagent that asks. */
  readonly askedBy?: string;
  readonly subagentId?: string;
  readonly options: readonly PermissionOption[];
  /** The agent recommends to refuse. */
  readonly defaultToNo?: boolean;
  readonly subject: PermissionSubject;
  /** True when the question is shown elsewhere too, so that no quick pick opens for it. */
  readonly isCardOnly?: boolean;
  /** Other members of the agent's request, kept in the journal. */
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

/**
 * `cancelled`: the turn, or the work between turns, was stopped. `withdrawn`: the agent withdrew the question. `lost`: the agent or the window has
 * ended.
 */
export type Unanswered = 'cancelled' | 'withdrawn' | 'lost';

export type QuestionEnd<Q extends Question> = { readonly type: 'answered'; readonly answer: AnswerTo<Q> } | { readonly type: Unanswered };

/** The conversation that records the questions: the store, and during a replay also its buffer, which may replace the conversation. */
export type QuestionStore = Pick<SessionStore, 'append' | 'seq' | 'state'>;

/** Shows a question beside its card until disposed; undefined when only the card shows it. */
export type Present = (question: Question, answer: (answer: AnswerTo<Question>) => void) => Disposable | undefined;

/** Waiting questions per session. Above this number an agent floods the user, and its next question is cancelled at once. */
export const MAX_WAITING = 200;

interface Waiting {
  readonly question: Question;
  end(how: QuestionEnd<Question>): void;
}

export class Questions {
  /** Oldest first. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly counts = { permission: 0, elicitation: 0 };
  /** The questions of an earlier window; see `adoptedQuestions.ts`. */
  adopted: EarlierQuestions | undefined;

  constructor(
    private readonly conversation: QuestionStore,
    private readonly present: Present = () => undefined,
  ) {}

  /**
   * Returns an id for a question, unique in the conversation over all windows.
   * @param about the question; one of an earlier window that asks the same has its id
   */
  mint(kind: Question['kind'], about?: Asked): string {
    return (about && this.adopted?.idOf(about)) ?? `${kind}-${this.conversation.seq}-${++this.counts[kind]}`;
  }

  /**
   * Asks a question; never rejects. `signal` aborts when the agent withdraws the question or has ended. `announce` records the question, where that
   * needs more than one event.
   */
  ask<Q extends Question>(
    question: Q,
    signal: AbortSignal | undefined,
    announce: () => void = () => this.conversation.append(requestedEvent(question)),
  ): Promise<QuestionEnd<Q>> {
    const { questionId } = question;
    const earlier = this.adopted?.taken(questionId);
    if (earlier?.end) {
      return Promise.resolve(earlier.end as QuestionEnd<Q>);
    }
    if (!earlier) {
      announce();
    }
    if (this.waiting.size >= MAX_WAITING) {
      // The conversation and the audit contain it like any other.
      this.conversation.append(resolvedEvent(question, { type: 'cancelled' }));
      return Promise.resolve({ type: 'cancelled' });
    }
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.end(questionId, signal ? abortOutcome(signal) : 'withdrawn');
        if (signal?.reason instanceof AnsweredElsewhere) {
          this.conversation.append({ type: 'entry_origin', entryId: entryIdOf[question.kind](questionId), client: signal.reason.client });
        }
      };
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
      } else if (isStopped(state, question)) {
        this.end(questionId, 'cancelled');
      } else {
        signal?.addEventListener('abort', withdraw, { once: true });
        presented = this.present(question, (answer) => void this.answer(questionId, answer));
      }
    });
  }

  /**
   * Records a question that a rule has answered. It never waits. Question and answer are one step for the listeners.
   * @param optionId undefined when no option fits, which cancels the question
   * @param append adds both, where the conversation needs another event for the question
   */
  record(
    question: PermissionQuestion,
    optionId: string | undefined,
    byRule: AnsweringRule,
    append: (resolved: EventInput) => void = (resolved) => this.conversation.append(requestedEvent(question), resolved),
  ): void {
    const permissionId = question.questionId;
    const earlier = this.adopted?.taken(permissionId);
    if (earlier?.end) {
      return; // The conversation has question and answer.
    }
    const add = earlier ? (resolved: EventInput) => this.conversation.append(resolved) : append;
    add(
      optionId === undefined
        ? { type: 'permission_resolved', permissionId, outcome: 'cancelled', byRule }
        : { type: 'permission_resolved', permissionId, outcome: 'selected', optionId, byRule },
    );
  }

  /** The question, while it waits. */
  get(questionId: string): Question | undefined {
    return this.waiting.get(questionId)?.question;
  }

  /** Answers a question for the user. False when the question has ended or the answer does not fit it. */
  answer(questionId: string, answer: AnswerTo<Question>): boolean {
    const waiting = this.waiting.get(questionId);
    if (!waiting || !isAnswerTo(waiting.question, answer)) {
      return false;
    }
    waiting.end({ type: 'answered', answer });
    return true;
  }

  /** Ends a question without an answer, unless it has ended. */
  end(questionId: string, type: Unanswered): void {
    this.waiting.get(questionId)?.end({ type });
  }

  /** @param isMeant which questions; all of them when absent */
  endAll(type: Unanswered, isMeant: (question: Question) => boolean = () => true): void {
    [...this.waiting.values()].filter(({ question }) => isMeant(question)).forEach((waiting) => waiting.end({ type }));
  }
}

/** The parts of a question by which it is recognized when it is repeated. */
export type Asked =
  | Pick<PermissionQuestion, 'title' | 'options' | 'subject' | 'subagentId'>
  | Pick<ElicitationQuestion, 'message' | 'body' | 'toolCallId' | 'subagentId'>;

/** The questions that the conversation has from an earlier window. */
export interface EarlierQuestions {
  /** Takes the id of an earlier question that asks the same. */
  idOf(asked: Asked): string | undefined;
  /** Undefined for a question that is not an earlier one. `end`: its recorded outcome. */
  taken(questionId: string): { readonly end?: QuestionEnd<Question> | undefined } | undefined;
}

/** True when the user has stopped the work that the question belongs to. */
function isStopped(state: SessionStore['state'], { subagentId }: Question): boolean {
  const child = subagentId === undefined ? undefined : subagentOf(state, subagentId);
  return state.status === 'ended' || child?.isStopping === true || (isCancelling(state) && !(child && outlivesStop(state, child)));
}

function isAnswerTo(question: Question, answer: AnswerTo<Question>): boolean {
  return question.kind === 'permission'
    ? 'optionId' in answer && question.options.some(({ optionId }) => optionId === answer.optionId)
    : 'action' in answer;
}

/** The event that records the question. */
export function requestedEvent(question: Question): EventInput {
  const { questionId, meta, extra } = question;
  const more = { ...(meta !== undefined && { meta }), ...(extra && { extra }) };
  if (question.kind === 'permission') {
    const { title, description, askedBy, subagentId, options, defaultToNo, subject } = question;
    return {
      type: 'permission_requested',
      permissionId: questionId,
      title,
      ...(description !== undefined && { description }),
      ...(askedBy !== undefined && { askedBy }),
      ...(subagentId !== undefined && { subagentId }),
      options,
      ...(defaultToNo && { defaultToNo }),
      subject,
      ...more,
    };
  }
  const { message, body, toolCallId, askedBy, subagentId } = question;
  return {
    type: 'elicitation_requested',
    requestKey: questionId,
    message,
    body,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(askedBy !== undefined && { askedBy }),
    ...(subagentId !== undefined && { subagentId }),
    ...more,
  };
}

const ACTIONS = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;

/** The event that records the outcome. */
function resolvedEvent({ kind, questionId }: Question, end: QuestionEnd<Question>): EventInput {
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

/** The outcome for an aborted request: `lost` when the connection has closed, otherwise `withdrawn`. */
function abortOutcome(signal: AbortSignal): 'withdrawn' | 'lost' {
  return failureOf(signal.reason).code === 'connection.closed' ? 'lost' : 'withdrawn';
}

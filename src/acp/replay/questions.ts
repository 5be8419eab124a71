/** Requests in a log whose answers may still come, each way, by the ids' texts. */
import type { Fields } from '../json/fields';
import type { Direction } from './logLines';
import type { Recording } from './recording';

export interface Question {
  readonly method: string;
  readonly params: Fields;
  readonly session?: Recording | undefined;
  /** The turn, permission request or elicitation that it began. */
  readonly subject?: string | undefined;
  /** What the session was before it was asked for again. */
  readonly before?: Recording | undefined;
  /** Who asked has taken it back. */
  withdrawn?: boolean;
}

/** Each way; a log that has only one side answers none. */
const MAX_OPEN = 1000;

export class ReplayQuestions {
  private readonly open: Readonly<Record<Direction, Map<string, Question>>> = { c2a: new Map(), a2c: new Map() };
  /** Ids of our requests, answered or not. */
  private readonly ours = new Set<string>();

  /** Whether this side waits for the answer of that id. */
  has(side: Direction, idLiteral: string): boolean {
    return this.open[side].has(idLiteral);
  }

  get(side: Direction, idLiteral: string): Question | undefined {
    return this.open[side].get(idLiteral);
  }

  add(side: Direction, idLiteral: string, question: Question): void {
    const open = this.open[side];
    open.delete(idLiteral);
    if (open.size >= MAX_OPEN) {
      open.delete(open.keys().next().value!);
    }
    open.set(idLiteral, question);
    if (side === 'c2a') {
      this.ours.add(idLiteral);
    }
  }

  /** The question of this answer, which is open no more. */
  take(side: Direction, idLiteral: string): Question | undefined {
    const question = this.open[side].get(idLiteral);
    this.open[side].delete(idLiteral);
    return question;
  }

  /** Whether the log has a request of ours with this id, or with any. */
  isOurs(idLiteral?: string): boolean {
    return idLiteral === undefined ? this.ours.size > 0 : this.ours.has(idLiteral);
  }

  /** The agent takes a request back. */
  withdraw(idLiteral: string): void {
    const question = this.open.a2c.get(idLiteral);
    if (question) {
      question.withdrawn = true;
    }
  }

  /** What was asked because of a request of ours was taken back when that had its answer. */
  withdrawBecauseOf(idLiteral: string): void {
    for (const question of this.open.a2c.values()) {
      if (question.method === 'elicitation/create' && String(question.params.requestId) === idLiteral) {
        question.withdrawn = true;
      }
    }
  }

  /** Another connection begins. */
  clear(): void {
    this.open.c2a.clear();
    this.open.a2c.clear();
    this.ours.clear();
  }
}

/** Requests in a log without a response yet, in both directions, by the text of their ids. */
import type { Fields } from '../json/fields';
import type { Direction } from './logLines';
import type { Recording } from './recording';

export interface OpenRequest {
  readonly method: string;
  readonly params: Fields;
  readonly session?: Recording | undefined;
  /** The turn, permission request or elicitation that the request began. */
  readonly subject?: string | undefined;
  /** The session's recording before it was loaded or resumed again. */
  readonly before?: Recording | undefined;
  /** True when the sender has cancelled the request. */
  withdrawn?: boolean;
}

/** The limit for each direction, because a log with only one side has no responses. */
const MAX_OPEN = 1000;

export class ReplayQuestions {
  private readonly open: Readonly<Record<Direction, Map<string, OpenRequest>>> = { c2a: new Map(), a2c: new Map() };
  /** Ids of the client's requests, answered or not. */
  private readonly ours = new Set<string>();

  /** True when this side waits for the response with that id. */
  has(side: Direction, idLiteral: string): boolean {
    return this.open[side].has(idLiteral);
  }

  get(side: Direction, idLiteral: string): OpenRequest | undefined {
    return this.open[side].get(idLiteral);
  }

  add(side: Direction, idLiteral: string, question: OpenRequest): void {
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

  /** Removes and returns the open request of this response. */
  take(side: Direction, idLiteral: string): OpenRequest | undefined {
    const question = this.open[side].get(idLiteral);
    this.open[side].delete(idLiteral);
    return question;
  }

  /** True when the log contains a client's request with this id, or with any id. */
  isOurs(idLiteral?: string): boolean {
    return idLiteral === undefined ? this.ours.size > 0 : this.ours.has(idLiteral);
  }

  /** The agent cancels a request. */
  withdraw(idLiteral: string): void {
    const question = this.open.a2c.get(idLiteral);
    if (question) {
      question.withdrawn = true;
    }
  }

  /** Marks elicitations that name this request as cancelled, because the response to the request cancels them. */
  withdrawBecauseOf(idLiteral: string): void {
    for (const question of this.open.a2c.values()) {
      if (question.method === 'elicitation/create' && String(question.params.requestId) === idLiteral) {
        question.withdrawn = true;
      }
    }
  }

  /** Resets the state for another connection. */
  clear(): void {
    this.open.c2a.clear();
    this.open.a2c.clear();
    this.ours.clear();
  }
}

/**
 * What the agent asks of the user in one session beyond permissions. Answered on the card only: a form is nothing for a quick pick. The first
 * answer wins, whoever gives it.
 */
import type { ElicitationAnswer, ElicitationAsk } from '../acp/dialect';
import type { ElicitationContent, ElicitationOutcome } from '../core/elicitation';
import { entryIdOf, isAbsent, type ElicitationEntry } from '../core/state';
import type { SessionStore } from './store';

export class Elicitations {
  private readonly waiting = new Map<string, (outcome: ElicitationOutcome, content?: ElicitationContent) => void>();
  private asked = 0;

  constructor(private readonly store: SessionStore) {}

  /** Asks; never rejects. `signal` aborts when the agent takes it back. */
  ask({ message, body, toolCallId, meta, extra }: ElicitationAsk, signal: AbortSignal): Promise<ElicitationAnswer> {
    const requestKey = `elicitation-${this.store.seq}-${++this.asked}`;
    this.store.append({
      type: 'elicitation_requested',
      requestKey,
      message,
      body,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(meta !== undefined && { meta }),
      ...(extra && { extra }),
    });
    return new Promise((resolve) => {
      const withdraw = (): void => this.settle(requestKey, 'withdrawn');
      this.waiting.set(requestKey, (outcome, content) => {
        this.waiting.delete(requestKey);
        signal.removeEventListener('abort', withdraw);
        this.store.append({ type: 'elicitation_resolved', requestKey, outcome, ...(content && { content }) });
        resolve(answerOf(outcome, content));
      });
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) {
        withdraw();
      } else if (this.store.state.turn?.cancelling) {
        this.settle(requestKey, 'cancelled');
      }
    });
  }

  /** What waits under this key; undefined when it was answered. */
  find(requestKey: string): ElicitationEntry | undefined {
    const slot = this.waiting.has(requestKey) ? this.store.state.entries.get(entryIdOf.elicitation(requestKey)) : undefined;
    return slot?.kind === 'elicitation' && !isAbsent(slot) ? slot : undefined;
  }

  /** Nothing when it was answered before. */
  settle(requestKey: string, outcome: ElicitationOutcome, content?: ElicitationContent): void {
    this.waiting.get(requestKey)?.(outcome, content);
  }

  settleAll(outcome: 'cancelled' | 'lost'): void {
    [...this.waiting.keys()].forEach((requestKey) => this.settle(requestKey, outcome));
  }

  /** The agent's own id of a web page: unknown and finished ones are nobody's concern. */
  complete(elicitationId: string): void {
    for (const slot of this.store.state.entries) {
      if (slot.kind === 'elicitation' && !isAbsent(slot) && slot.body.mode === 'url' && slot.body.elicitationId === elicitationId && !slot.completed) {
        this.store.append({ type: 'elicitation_completed', requestKey: slot.requestKey });
        this.settle(slot.requestKey, 'accepted');
      }
    }
  }
}

function answerOf(outcome: ElicitationOutcome, content: ElicitationContent | undefined): ElicitationAnswer {
  if (outcome === 'accepted') {
    return { action: 'accept', ...(content && { content }) };
  }
  return { action: outcome === 'declined' ? 'decline' : 'cancel' };
}

/**
 * What the agent asks of the user in one session beyond permissions. Answered on the card only: a form is nothing for a quick pick. The first
 * answer wins, whoever gives it. A form's answer is checked before it is sent (RFD "Elicitation").
 */
import type { ElicitationAnswer, ElicitationAsk } from '../../acp/dialect';
import type { ElicitationContent, ElicitationOutcome } from '../../core/elicitation/answer';
import type { ElicitationProblem } from '../../core/elicitation/elicitation';
import { checkContent, type PatternTask } from '../../core/elicitation/rules';
import { entryIdOf, isAbsent, type ElicitationEntry } from '../../core/model/state';
import type { PatternCheck, PatternVerdict } from '../../util/patternCheck';
import { abortOutcome } from '../lifecycle/abortOutcome';
import type { SessionStore } from '../store';

interface Waiting {
  settle(outcome: ElicitationOutcome, content?: ElicitationContent): void;
  /** Values whose pattern could not be tried, by field: the user has been told, and may send them all the same. */
  readonly untried: Map<string, string>;
}

export type CheckPatterns = (checks: readonly PatternCheck[]) => Promise<PatternVerdict[]>;

const OUTCOMES = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;

export class Elicitations {
  private readonly waiting = new Map<string, Waiting>();
  private asked = 0;

  constructor(
    private readonly store: Pick<SessionStore, 'append' | 'seq' | 'state'>,
    private readonly checkPatterns: CheckPatterns = async (checks) => (await import('../../util/patternCheck')).checkPatterns(checks),
  ) {}

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
      const withdraw = (): void => this.settle(requestKey, abortOutcome(signal));
      const settle = (outcome: ElicitationOutcome, content?: ElicitationContent): void => {
        this.waiting.delete(requestKey);
        signal.removeEventListener('abort', withdraw);
        this.store.append({ type: 'elicitation_resolved', requestKey, outcome, ...(content && { content }) });
        resolve(answerOf(outcome, content));
      };
      this.waiting.set(requestKey, { settle, untried: new Map() });
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) {
        withdraw();
      } else if (this.store.state.turn?.cancelling || this.store.state.status === 'ended') {
        this.settle(requestKey, 'cancelled');
      }
    });
  }

  /**
   * The user's answer. Resolves with what is wrong with a form's values, and then nothing was sent; with nothing when it was sent, or came too
   * late. A web page's `accept` is the user's consent to open it.
   */
  async answer(requestKey: string, action: keyof typeof OUTCOMES, given: ElicitationContent = {}): Promise<readonly ElicitationProblem[]> {
    const waiting = this.waiting.get(requestKey);
    const body = this.entryOf(requestKey)?.body;
    if (!waiting || action !== 'accept' || body?.mode !== 'form') {
      waiting?.settle(OUTCOMES[action]);
      return [];
    }
    const { content, problems, patterns } = checkContent(body.fields, given);
    const wrong = problems.length > 0 ? problems : await this.tryPatterns(patterns, waiting);
    if (wrong.length === 0) {
      this.settle(requestKey, 'accepted', content);
    }
    return wrong;
  }

  /** The address of a web page that the user may open: asked for, or agreed to and not finished. */
  pageOf(requestKey: string): string | undefined {
    const entry = this.entryOf(requestKey);
    const isOpen = this.waiting.has(requestKey) || (entry?.outcome?.type === 'accepted' && !entry.completed);
    return isOpen && entry?.body.mode === 'url' ? entry.body.url : undefined;
  }

  /** Nothing when it was answered before. */
  settle(requestKey: string, outcome: ElicitationOutcome, content?: ElicitationContent): void {
    this.waiting.get(requestKey)?.settle(outcome, content);
  }

  settleAll(outcome: 'cancelled' | 'lost'): void {
    [...this.waiting.keys()].forEach((requestKey) => this.settle(requestKey, outcome));
  }

  /** The agent's own id of a web page: unknown, refused and finished ones are nobody's concern. */
  complete(elicitationId: string): void {
    for (const slot of this.store.state.entries) {
      if (slot.kind !== 'elicitation' || isAbsent(slot) || slot.body.mode !== 'url' || slot.body.elicitationId !== elicitationId) {
        continue;
      }
      if (this.pageOf(slot.requestKey) !== undefined) {
        this.store.append({ type: 'elicitation_completed', requestKey: slot.requestKey });
        this.settle(slot.requestKey, 'accepted');
      }
    }
  }

  /** The agent's own broken pattern must not lock the user in: what could not be tried is said once, and passes unchanged. */
  private async tryPatterns(tasks: readonly PatternTask[], { untried }: Waiting): Promise<ElicitationProblem[]> {
    const open = tasks.filter(({ name, value }) => untried.get(name) !== value);
    const verdicts = open.length > 0 ? await this.checkPatterns(open) : [];
    return open.flatMap(({ name, value }, index): ElicitationProblem[] => {
      if (verdicts[index] === 'undecided') {
        untried.set(name, value);
        return [{ name, code: 'pattern_unknown' }];
      }
      return verdicts[index] === 'no_match' ? [{ name, code: 'pattern' }] : [];
    });
  }

  private entryOf(requestKey: string): ElicitationEntry | undefined {
    const slot = this.store.state.entries.get(entryIdOf.elicitation(requestKey));
    return slot?.kind === 'elicitation' && !isAbsent(slot) ? slot : undefined;
  }
}

function answerOf(outcome: ElicitationOutcome, content: ElicitationContent | undefined): ElicitationAnswer {
  if (outcome === 'accepted') {
    return { action: 'accept', ...(content && { content }) };
  }
  return { action: outcome === 'declined' ? 'decline' : 'cancel' };
}

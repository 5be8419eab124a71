/**
 * The cards of waiting requests, by how much of them the pages report as in sight. Pure over {@link Clock}. A page draws a card some time after the
 * request. A request that its page has not reported yet is `awaited` for a while, because a quick pick would open over the card otherwise.
 */
import type { CardSight } from '../../core/approval/askingSurface';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';

/** ms that a page gets to report a card. A page that is busy with a long conversation takes a second or more. */
export const REPORT_MS = 2_000;

interface Card {
  sight: CardSight | 'awaited';
  /** Ends the wait for the first report; absent once there is one. */
  wait?: Disposable;
}

export class CardSights implements Disposable {
  private readonly sessions = new Map<string, Map<string, Card>>();

  /** @param changed called when a wait has ended without a report */
  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  report(sessionKey: string, permissionId: string, sight: CardSight): void {
    const cards = this.cardsOf(sessionKey);
    cards.get(permissionId)?.wait?.dispose();
    cards.set(permissionId, { sight });
  }

  /** The page of this session is gone: the next one draws its cards again. */
  forget(sessionKey: string): void {
    this.sessions.get(sessionKey)?.forEach(({ wait }) => wait?.dispose());
    this.sessions.delete(sessionKey);
  }

  /** The page of this session gets the focus, and may have been made only now: what it has not reported yet is awaited again. */
  awaitAgain(sessionKey: string): void {
    const cards = this.sessions.get(sessionKey);
    cards?.forEach(({ wait }, permissionId) => {
      if (wait) {
        wait.dispose();
        cards.delete(permissionId);
      }
    });
  }

  /** Returns the last report. The first call for a request begins the wait for one; a page that reports nothing in time counts as `hidden`. */
  sightOf(sessionKey: string, permissionId: string): CardSight | 'awaited' {
    const cards = this.cardsOf(sessionKey);
    let card = cards.get(permissionId);
    if (!card) {
      const awaited: Card = { sight: 'awaited' };
      awaited.wait = this.clock.after(REPORT_MS, () => {
        awaited.sight = 'hidden';
        this.changed();
      });
      cards.set(permissionId, (card = awaited));
    }
    return card.sight;
  }

  dispose(): void {
    [...this.sessions.keys()].forEach((sessionKey) => this.forget(sessionKey));
  }

  private cardsOf(sessionKey: string): Map<string, Card> {
    const cards = this.sessions.get(sessionKey) ?? new Map<string, Card>();
    this.sessions.set(sessionKey, cards);
    return cards;
  }
}

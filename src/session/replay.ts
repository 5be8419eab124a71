/** The conversation as an agent tells it again (`session/load`), collected aside until it is whole: nobody sees it grow, and nothing is shown twice. */
import type { SessionEvent, SessionHappening } from '../core/event';
import type { Clock } from '../core/ports';

export class Replay {
  readonly events: SessionEvent[] = [];

  /** `prologue`: what the conversation begins with, known before it is told. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    prologue: readonly SessionHappening[],
  ) {
    this.append(...prologue);
  }

  get seq(): number {
    return this.events.length;
  }

  append(...happenings: readonly SessionHappening[]): void {
    const at = this.clock.now();
    for (const happening of happenings) {
      this.events.push({ ...happening, at } as SessionEvent);
    }
  }
}

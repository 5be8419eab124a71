/** Plays a journal: its events at the pace they were recorded at, faster, or all at once. */
import type { SessionEvent } from '../../src/core/event';
import type { Stage } from './stage';

/** ms; nobody wants to watch an agent think for longer */
const LONGEST_PAUSE = 1500;

/** The events of a journal's text: a line each, `{seq, event}`, those that hold none left out; or of a conversation that was exported as JSON. */
export function parseJournal(text: string): SessionEvent[] {
  if (text.startsWith('{"header":')) return (JSON.parse(text) as { events: SessionEvent[] }).events;
  return text.split('\n').flatMap((line) => {
    try {
      const record = JSON.parse(line) as { event?: SessionEvent } | null;
      return record?.event ? [record.event] : [];
    } catch {
      return [];
    }
  });
}

export class Player {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly stage: Stage) {}

  /** `speed` 1 is as recorded, Infinity at once. Ends what played before. */
  play(events: readonly SessionEvent[], speed: number): void {
    this.stop();
    this.stage.restart();
    if (!Number.isFinite(speed)) return this.stage.events(events);
    let index = 0;
    // Recorded times would make everything seem to have happened long ago.
    const shift = Date.now() - (events[0]?.at ?? 0);
    const next = () => {
      const event = events[index++];
      if (!event) return;
      this.stage.events([{ ...event, at: event.at + shift }]);
      const pause = Math.min(LONGEST_PAUSE, (events[index]?.at ?? event.at) - event.at);
      this.timer = setTimeout(next, pause / speed);
    };
    next();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

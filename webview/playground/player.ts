/** Plays a journal: its events at the pace they were recorded at, slower, faster, all at once, or one by one; from any place. */
import type { SessionEvent } from '../../src/core/model/event';
import type { Stage } from './stage';

/** ms; nobody wants to watch an agent think for longer */
const LONGEST_PAUSE = 1500;

/** The events of a journal's text: a line each, `{seq, event}`, those that hold none left out; or of a conversation that was exported as JSON. */
export function parseJournal(text: string): SessionEvent[] {
  if (text.startsWith('{"header":')) {
    return (JSON.parse(text) as { events: SessionEvent[] }).events;
  }
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
  private events: readonly SessionEvent[] = [];
  /** Of the next event. */
  private index = 0;
  private speed = 1;
  /** Hears of every change of the place, and of playing and pausing. */
  onChange: () => void = () => {};

  constructor(private readonly stage: Stage) {}

  get playing(): boolean {
    return this.timer !== undefined;
  }

  /** How many events have happened. */
  get place(): number {
    return this.index;
  }

  get length(): number {
    return this.events.length;
  }

  /** `speed` 1 is as recorded, Infinity at once. Ends what played before. */
  play(events: readonly SessionEvent[], speed: number): void {
    this.pause();
    this.events = events;
    this.speed = speed;
    this.seek(0);
    this.resume();
  }

  /** Goes on from where it is; from the beginning when it is at the end. */
  resume(): void {
    this.stop();
    if (this.index >= this.events.length) {
      this.seek(0);
    }
    this.next();
    this.onChange();
  }

  pause(): void {
    this.stop();
    this.onChange();
  }

  /** One event more. */
  step(): void {
    this.stop();
    if (this.index < this.events.length) {
      this.happen(this.index + 1);
    }
    this.onChange();
  }

  /** To the place after the first `count` events, in one go. Goes on when it was playing. */
  seek(count: number): void {
    const wasPlaying = this.playing;
    this.stop();
    if (count < this.index || count === 0) {
      this.index = 0;
      this.stage.restart();
    }
    if (count > this.index) {
      this.happen(Math.min(count, this.events.length));
    }
    if (wasPlaying) {
      this.next();
    }
    this.onChange();
  }

  /** Also of what plays. */
  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.playing) {
      this.resume();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Those up to the `count`th happen; they seem to happen now, not when they were recorded. */
  private happen(count: number): void {
    const shift = Date.now() - this.events[count - 1]!.at;
    this.stage.events(this.events.slice(this.index, count).map((event) => ({ ...event, at: event.at + shift })));
    this.index = count;
  }

  private next(): void {
    this.timer = undefined;
    if (this.index >= this.events.length) {
      return this.onChange();
    }
    if (!Number.isFinite(this.speed)) {
      this.happen(this.events.length);
      return this.onChange();
    }
    this.happen(this.index + 1);
    const now = this.events[this.index - 1]!.at;
    const pause = Math.min(LONGEST_PAUSE, (this.events[this.index]?.at ?? now) - now);
    this.timer = setTimeout(() => this.next(), pause / this.speed);
    this.onChange();
  }
}

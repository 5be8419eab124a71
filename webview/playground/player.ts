/** Plays a journal from any position: at its recorded pace, slower, faster, all at once, or event by event. */
import type { SessionEvent } from '../../src/core/model/event';
import type { Stage } from './stage';

/** ms; the longest pause, because an agent may think for minutes */
const LONGEST_PAUSE = 1500;

/** Parses the events of a journal, whose lines are `{seq, event}` and lines without an event are skipped, or of a conversation exported as JSON. */
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
  /** The index of the next event. */
  private index = 0;
  private speed = 1;
  /** Called when the position changes, and when playing starts or pauses. */
  onChange: () => void = () => {};

  constructor(private readonly stage: Stage) {}

  get playing(): boolean {
    return this.timer !== undefined;
  }

  /** The number of events that have been played. */
  get place(): number {
    return this.index;
  }

  get length(): number {
    return this.events.length;
  }

  /** Plays the events: `speed` 1 is the recorded pace, Infinity is at once. Stops the previous journal. */
  play(events: readonly SessionEvent[], speed: number): void {
    this.pause();
    this.events = events;
    this.speed = speed;
    this.seek(0);
    this.resume();
  }

  /** Continues at the current position, or at the beginning when the end was reached. */
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

  /** Plays one event. */
  step(): void {
    this.stop();
    if (this.index < this.events.length) {
      this.happen(this.index + 1);
    }
    this.onChange();
  }

  /** Moves to the position after the first `count` events at once. Continues to play if it was playing. */
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

  /** Sets the speed, also while playing. */
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

  /** Emits the events up to the `count`th, with times shifted so that they seem to happen now. */
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

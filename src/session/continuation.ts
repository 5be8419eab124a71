/**
 * The wait for a limit's reset: at that time the conversation continues by itself. The wait is part of the state and stored with the queue, so it
 * survives a reload.
 */
import type { Failure } from '../core/model/failure';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { possibleContinuation } from '../core/queue/limits';
import type { SessionNotices } from './state/sessionNotices';
import type { SessionStore } from './state/store';

export interface ContinuationDependencies {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly notices: SessionNotices;
  /** False when another extension host owns the session. */
  isOurs(): boolean;
  /** Sends the prompt of a failed turn again. Returns the reason why it cannot. */
  retry(turnId: string): Failure | undefined;
  /** Sends the queued messages. */
  resumeQueue(): void;
}

/** ms; timers of Node.js fire at once when they are longer than 24 days. */
const MAX_TIMER = 24 * 60 * 60 * 1000;

export class Continuation implements Disposable {
  private at: number | undefined;
  private timer: Disposable | undefined;
  private readonly subscription: Disposable;

  constructor(private readonly deps: ContinuationDependencies) {
    this.subscription = deps.store.onEvents(() => this.update());
  }

  /** Waits until the limit at which this turn failed has reset. Ignored when the time is unknown. */
  schedule(turnId: string): void {
    const { store } = this.deps;
    const possible = possibleContinuation(store.state);
    if (possible?.turnId === turnId) {
      store.append({ type: 'continue_scheduled', continuesAt: possible.at, turnId });
    }
  }

  /** Gives up the wait. The queue waits for the user. */
  cancel(): void {
    const { store } = this.deps;
    if (store.state.continuation) {
      store.append({ type: 'continue_scheduled' });
    }
  }

  /** Starts or stops the timer. Runs for each event, and when the state was changed without one. */
  update(): void {
    const at = this.deps.store.state.continuation?.at;
    if (at !== this.at) {
      this.at = at;
      this.start();
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.timer?.dispose();
  }

  private start(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { at } = this;
    if (at === undefined) {
      return;
    }
    const { clock } = this.deps;
    // The time may have passed while no window was open.
    const left = Math.max(0, at - clock.now());
    this.timer = clock.after(Math.min(left, MAX_TIMER), () => (left > MAX_TIMER ? this.start() : this.continueNow()));
  }

  /** Sends the prompt that met the limit, and then the queue. */
  private continueNow(): void {
    const { store, notices, isOurs, retry, resumeQueue } = this.deps;
    const { continuation } = store.state;
    this.cancel();
    if (!continuation || !isOurs()) {
      return;
    }
    const { length } = store.state.queue;
    const problem = continuation.turnId === undefined ? undefined : retry(continuation.turnId);
    const { queue } = store.state;
    if (queue.length > length) {
      // The agent must be started first, so the prompt is queued. It comes before messages that were queued after it failed.
      store.append({ type: 'queued_message_first', queueId: queue.at(-1)!.queueId });
    }
    if (problem) {
      notices.warn('', problem);
    } else {
      resumeQueue();
    }
  }
}

/**
 * The wait for a limit's reset: at that time the conversation continues by itself. The wait is part of the state and stored with the queue, so it
 * survives a reload. Loaded when a session begins to wait.
 */
import { canResume } from '../core/model/select';
import type { SessionState } from '../core/model/state';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { possibleContinuation } from '../core/queue/limits';
import type { Session } from './session';
import { SessionNotices } from './state/sessionNotices';
import type { SessionStore } from './state/store';

export interface ContinuationDependencies {
  readonly session: Pick<Session, 'key' | 'store' | 'queue' | 'retryPrompt' | 'resumeQueue'>;
  readonly clock: Clock;
  /** False when another extension host owns the session. */
  isOurs(): boolean;
  readonly waiting: WaitingStore | undefined;
}

/** Stores the keys of the sessions that wait, so that a later window restores them. */
export interface WaitingStore {
  get(key: string): unknown;
  update(key: string, value: readonly string[]): unknown;
}

/** The name under which they are stored. */
export const WAITING = 'waiting';

export function waitingKeys(waiting: Pick<WaitingStore, 'get'>): readonly string[] {
  const keys = waiting.get(WAITING);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

export function storeWaiting(waiting: WaitingStore, key: string, isWaiting: boolean): void {
  const others = waitingKeys(waiting).filter((each) => each !== key);
  waiting.update(WAITING, isWaiting ? [...others, key] : others);
}

/** ms between two readings of the clock. A timer does not count the time in which the computer sleeps, and does not follow a change of the clock. */
const MAX_TIMER = 60 * 1000;

/** Waits until the limit at which this turn failed has reset. Ignored when the time is unknown. */
export function waitForReset(store: SessionStore, turnId: string): void {
  const possible = possibleContinuation(store.state);
  if (possible?.turnId === turnId) {
    store.append({ type: 'continue_scheduled', continuesAt: possible.at, turnId });
  }
}

/** True when the agent is gone and cannot open the session again, so that nothing can be sent. */
function isLost(state: SessionState): boolean {
  return state.status === 'disconnected' && !canResume(state);
}

export class Continuation implements Disposable {
  private at: number | undefined;
  private timer: Disposable | undefined;
  private readonly subscription: Disposable;

  constructor(private readonly deps: ContinuationDependencies) {
    this.subscription = deps.session.store.onEvents(() => this.update());
    this.update();
  }

  dispose(): void {
    this.subscription.dispose();
    this.timer?.dispose();
  }

  /** Starts or stops the timer. Runs for each event. */
  private update(): void {
    const { session, waiting } = this.deps;
    const at = session.store.state.continuation?.at;
    if (at !== this.at) {
      this.at = at;
      if (waiting) {
        storeWaiting(waiting, session.key, at !== undefined);
      }
      this.start();
    }
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
    this.timer = clock.after(Math.min(left, MAX_TIMER), () => (clock.now() < at ? this.start() : this.continueNow()));
  }

  /** Sends the prompt that met the limit, and then the queue. */
  private continueNow(): void {
    const { session, isOurs } = this.deps;
    const { store, queue } = session;
    const { continuation, status } = store.state;
    if (status === 'starting') {
      // The agent may be waiting for a sign-in. The prompt can be sent when it is ready.
      this.timer = this.deps.clock.after(MAX_TIMER, () => this.continueNow());
      return;
    }
    queue.stopWaiting();
    if (!continuation || !isOurs()) {
      return;
    }
    const { length } = store.state.queue;
    const problem = continuation.turnId === undefined ? undefined : session.retryPrompt(continuation.turnId);
    const last = store.state.queue.at(-1);
    if (last && store.state.queue.length > length) {
      // The agent must be started first, so the prompt is queued. It comes before messages that were queued after it failed.
      store.append({ type: 'queued_message_first', queueId: last.queueId });
    }
    if (problem) {
      new SessionNotices(store).warn('', problem);
    } else if (isLost(store.state)) {
      new SessionNotices(store).warn('', { code: 'session.not_loaded' });
    } else {
      session.resumeQueue(false);
    }
  }
}

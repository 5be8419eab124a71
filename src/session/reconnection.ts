/**
 * Makes the connection to a remote agent again after it broke, with growing pauses. The wait is part of the state, so the page counts it down. Sends
 * nothing itself: the session is resumed as by the user, and messages that the user sent meanwhile are in the queue. Loaded with the first break.
 */
import { isRemote } from '../core/agents/endpoint';
import { canResume, isBusy } from '../core/model/select';
import type { SessionState } from '../core/model/state';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { isTemporary, MAX_ATTEMPTS, pauseBefore } from '../core/reconnect/reconnect';
import type { Session } from './session';

export interface ReconnectionDependencies {
  readonly session: Pick<Session, 'store' | 'resume' | 'launch'>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** False when another extension host owns the session. */
  isOurs(): boolean;
}

/** ms between two readings of the clock, because a timer does not count the time in which the computer sleeps. */
const MAX_TIMER = 10_000;
/** ms that a connection must last before its break counts as the first one again. A server may take each connection and drop it at once. */
const STEADY_MS = 60_000;

export class Reconnection implements Disposable {
  /** The state whose status was handled last. */
  private known: Pick<SessionState, 'status' | 'failure'> | undefined;
  private timer: Disposable | undefined;
  /** The number of the last attempt, and when its connection was ready. */
  private last: { attempt: number; readyAt: number } | undefined;
  private readonly subscription: Disposable;

  /** @param wasBusy true when a turn ran when the connection broke, before this object existed */
  constructor(
    private readonly deps: ReconnectionDependencies,
    private wasBusy: boolean,
  ) {
    this.subscription = deps.session.store.onEvents(() => this.update());
    this.update();
  }

  dispose(): void {
    this.subscription.dispose();
    this.timer?.dispose();
  }

  /** Runs for each event. */
  private update(): void {
    const { state } = this.deps.session.store;
    const { status, failure } = state;
    if (status === this.known?.status && failure === this.known.failure) {
      this.wasBusy = status === 'ready' ? isBusy(state) : this.wasBusy;
      return;
    }
    this.known = { status, failure };
    this.timer?.dispose();
    this.timer = undefined;
    if (status === 'ready' && this.last) {
      this.last.readyAt = this.deps.clock.now();
    }
    if (status === 'disconnected' || status === 'failed') {
      this.schedule(state);
    }
  }

  /** After the break, and after an attempt that failed. */
  private schedule(state: SessionState): void {
    const { session, clock, random, isOurs } = this.deps;
    const { store, launch } = session;
    const { failure, reconnect, status } = state;
    if (!reconnect && status === 'failed') {
      return; // The agent has not started for this window. The user sees the failure and decides.
    }
    const isSteady = this.last !== undefined && clock.now() - this.last.readyAt >= STEADY_MS;
    const attempt = (reconnect?.attempt ?? (isSteady ? undefined : this.last?.attempt) ?? 0) + 1;
    const canOpen = canResume({ ...state, status: 'disconnected' });
    if (!launch || !isRemote(launch) || !isTemporary(failure, !!reconnect) || !canOpen || !isOurs() || attempt > MAX_ATTEMPTS) {
      this.last = undefined;
      if (reconnect) {
        store.append({ type: 'reconnect_scheduled' });
      }
      return;
    }
    this.last = { attempt, readyAt: clock.now() };
    const at = clock.now() + pauseBefore(attempt, failure, random());
    const wasBusy = reconnect?.wasBusy ?? this.wasBusy;
    store.append({ type: 'reconnect_scheduled', reconnect: { attempt, at, host: new URL(launch.url).host, wasBusy } });
    this.wait(at);
  }

  private wait(at: number): void {
    const { clock } = this.deps;
    const left = Math.max(0, at - clock.now());
    this.timer = clock.after(Math.min(left, MAX_TIMER), () => (clock.now() < at ? this.wait(at) : this.attempt()));
  }

  private attempt(): void {
    const { session, isOurs } = this.deps;
    if (isOurs()) {
      session.resume();
    } else {
      session.store.append({ type: 'reconnect_scheduled' });
    }
  }
}

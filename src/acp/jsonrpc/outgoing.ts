/**
 * The requests to the agent and their time limits. A limit is paused while the agent waits for an answer from us, because its own answer may depend
 * on it.
 */
import type { Failure } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { type Outcome, type Settled, failed } from './rpc';

interface Pending {
  readonly requestId: number;
  readonly method: string;
  readonly settled: Settled<unknown>;
  readonly limitMs?: number;
  /** The remaining ms; counted down when the clock stops. */
  leftMs: number;
  startedAt: number;
  timer?: Disposable;
}

export class Outgoing {
  private readonly pending = new Map<number, Pending>();
  /** Requests that timed out. A late response is logged and ignored. */
  private readonly expired = new Set<number>();
  private paused = false;

  constructor(
    private readonly clock: Clock,
    private readonly timedOut: (requestId: number) => void,
    private nextId = 1,
  ) {}

  get size(): number {
    return this.pending.size;
  }

  add(method: string, limitMs: number | undefined, settled: Settled<unknown>): number {
    const requestId = this.nextId++;
    const pending: Pending = { requestId, method, settled, ...(limitMs !== undefined && { limitMs }), leftMs: limitMs ?? 0, startedAt: 0 };
    this.pending.set(requestId, pending);
    if (!this.paused) {
      this.start(pending);
    }
    return requestId;
  }

  /** Adds a request that was sent before; it has no time limit. */
  adopt(requestId: number, method: string, settled: Settled<unknown>): void {
    this.nextId = Math.max(this.nextId, requestId + 1);
    this.pending.set(requestId, { requestId, method, settled, leftMs: 0, startedAt: 0 });
  }

  methodOf(requestId: number): string | undefined {
    return this.pending.get(requestId)?.method;
  }

  /** Agents return our numeric ids, some of them as strings. */
  find(id: unknown): number | undefined {
    const requestId = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
    return typeof requestId === 'number' && this.pending.has(requestId) ? requestId : undefined;
  }

  /** Returns true once for a request that timed out before its answer came. */
  takeExpired(id: unknown): boolean {
    return this.expired.delete(Number(id));
  }

  settle(requestId: number, outcome: Outcome<unknown>): void {
    const pending = this.pending.get(requestId);
    if (pending) {
      this.pending.delete(requestId);
      pending.timer?.dispose();
      pending.settled(outcome);
    }
  }

  settleAll(failure: Failure, settleOne: (requestId: number, outcome: Outcome<unknown>) => void): void {
    for (const requestId of [...this.pending.keys()]) {
      settleOne(requestId, failed(failure));
    }
  }

  /** Pauses or resumes all limits. */
  pause(paused: boolean): void {
    if (paused === this.paused) {
      return;
    }
    this.paused = paused;
    for (const pending of this.pending.values()) {
      if (paused) {
        this.stop(pending);
      } else {
        this.start(pending);
      }
    }
  }

  private start(pending: Pending): void {
    if (pending.limitMs !== undefined) {
      pending.startedAt = this.clock.now();
      pending.timer = this.clock.after(pending.leftMs, () => this.expire(pending));
    }
  }

  private stop(pending: Pending): void {
    if (pending.timer) {
      pending.timer.dispose();
      delete pending.timer;
      pending.leftMs = Math.max(0, pending.leftMs - (this.clock.now() - pending.startedAt));
    }
  }

  private expire(pending: Pending): void {
    const { requestId, method, limitMs } = pending;
    this.expired.add(requestId);
    this.timedOut(requestId);
    this.settle(requestId, failed({ code: 'request.timeout', params: { method, ms: limitMs ?? 0 } }));
  }
}

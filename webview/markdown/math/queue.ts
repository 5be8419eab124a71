/** The queue of formulas for the worker, which handles one after the other. A formula that takes too long stays as its source. */
import { type WorkerDependencies, WorkerSupervisor } from '../../workers/supervisor';
import type { MathResult, ToMathWorker } from './messages';

/** ms for one formula; usual ones take some ms. */
export const TIMEOUT_MS = 2000;
/** ms for one formula after several timeouts, which suggest that the formulas are malicious. */
export const SHORT_TIMEOUT_MS = 200;
/** ms for a worker to start. */
export const START_MS = 30_000;
const STRIKES = 3;
/** UTF-16 units of a formula; a longer one stays as its source. */
export const MAX_TEX = 10_000;

interface Job extends ToMathWorker {
  /** True while the caller still needs the result. */
  isWanted(): boolean;
  done(result: MathResult): void;
}

export class MathQueue {
  private readonly jobs: Job[] = [];
  private busy: Job | undefined;
  private strikes = 0;
  private readonly supervisor: WorkerSupervisor<ToMathWorker, MathResult>;

  constructor(deps: WorkerDependencies<ToMathWorker, MathResult>) {
    const options = { startMs: START_MS, maxFailedStarts: 1 };
    this.supervisor = new WorkerSupervisor(deps, options, {
      onReady: () => this.next(),
      onReply: (result) => this.finish(result),
      onFailure: () => this.giveUp(),
    });
  }

  /** Calls `done` at most once, and not if `isWanted` returns false before. */
  add(tex: string, display: boolean, isWanted: () => boolean, done: (result: MathResult) => void): void {
    if (tex.length > MAX_TEX) {
      return done({ reason: 'size' });
    }
    if (!this.supervisor.isAvailable) {
      return done({ reason: 'time' });
    }
    this.jobs.push({ tex, display, isWanted, done });
    this.next();
  }

  private next(): void {
    if (this.busy) {
      return;
    }
    while (this.jobs[0]?.isWanted() === false) {
      this.jobs.shift();
    }
    if (this.jobs.length === 0) {
      return;
    }
    if (!this.supervisor.isIdle) {
      return this.supervisor.start();
    }
    const { tex, display } = (this.busy = this.jobs.shift()!);
    this.supervisor.ask({ tex, display }, this.strikes < STRIKES ? TIMEOUT_MS : SHORT_TIMEOUT_MS);
  }

  private finish(result: MathResult): void {
    const { busy } = this;
    this.busy = undefined;
    busy?.done(result);
    this.next();
  }

  private giveUp(): void {
    if (this.busy) {
      this.strikes++;
      this.finish({ reason: 'time' });
    } else if (!this.supervisor.isAvailable) {
      for (const { done } of this.jobs.splice(0)) {
        done({ reason: 'time' });
      }
    }
  }
}

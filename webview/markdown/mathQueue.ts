/** Formulas on their way through the worker, one after the other. A worker that says nothing for too long is ended; its formula stays as its source. */
import type { FromMathWorker, MathResult, ToMathWorker } from './mathMessages';

/** ms for one formula, after which the worker is ended; what people write takes some ms. */
export const PATIENCE = 2000;
/** ms for one, once that was too little several times: somebody is playing. */
export const LITTLE_PATIENCE = 200;
/** ms more, for an answer that has come but was not heard because the page itself was busy. */
export const GRACE = 200;
/** ms for a worker to begin. */
export const START = 30_000;
const STRIKES = 3;
/** UTF-16 units of a formula; a longer one stays as it is. */
export const MAX_TEX = 10_000;

/** A worker as the page has it. */
export interface MathWorkerPort {
  postMessage(message: ToMathWorker): void;
  terminate(): void;
}

export interface MathPorts {
  /** A new worker, whose messages go to `hear`. Rejects when there can be none. */
  spawn(hear: (message: FromMathWorker) => void): Promise<MathWorkerPort>;
  /** Calls back in `ms`; returns the way to prevent it. */
  after(ms: number, callback: () => void): () => void;
}

interface Job extends ToMathWorker {
  /** Somebody still waits for it. */
  isWanted(): boolean;
  done(result: MathResult): void;
}

export class MathQueue {
  private readonly jobs: Job[] = [];
  private busy: Job | undefined;
  private worker: MathWorkerPort | undefined;
  private spawning = false;
  /** A worker that has not yet said that it is there. */
  private coming: MathWorkerPort | undefined;
  private stopWaiting = () => {};
  private strikes = 0;
  private numbers = 0;

  constructor(private readonly ports: MathPorts) {}

  /** `done` is called at most once, and not when `isWanted` says no in time. */
  add(tex: string, display: boolean, isWanted: () => boolean, done: (result: MathResult) => void): void {
    if (tex.length > MAX_TEX) return done({ reason: 'size' });
    this.jobs.push({ job: ++this.numbers, tex, display, isWanted, done });
    this.next();
  }

  private next(): void {
    if (this.busy) return;
    while (this.jobs[0]?.isWanted() === false) this.jobs.shift();
    if (this.jobs.length === 0) return;
    if (!this.worker) return this.spawn();
    const job = (this.busy = this.jobs.shift()!);
    this.wait(this.strikes < STRIKES ? PATIENCE : LITTLE_PATIENCE, () => this.giveUp());
    this.worker.postMessage({ job: job.job, tex: job.tex, display: job.display });
  }

  private wait(ms: number, callback: () => void): void {
    this.stopWaiting = this.ports.after(ms, () => {
      this.stopWaiting = this.ports.after(GRACE, callback);
    });
  }

  private spawn(): void {
    if (this.spawning) return;
    this.spawning = true;
    let spawned: MathWorkerPort | undefined;
    const hear = ({ job, result }: FromMathWorker) => {
      if (spawned && spawned === this.coming) this.begin(spawned);
      else if (this.worker === spawned && result && this.busy?.job === job) this.finish(result);
    };
    this.ports.spawn(hear).then(
      (worker) => {
        spawned = this.coming = worker;
        this.wait(START, () => {
          worker.terminate();
          this.refuse();
        });
      },
      () => this.refuse(),
    );
  }

  private begin(worker: MathWorkerPort): void {
    this.stopWaiting();
    this.spawning = false;
    this.coming = undefined;
    this.worker = worker;
    this.next();
  }

  /** There is no worker, and there will be none: nothing more is asked of it. */
  private refuse(): void {
    for (const { done } of this.jobs.splice(0)) done({ reason: 'time' });
  }

  private finish(result: MathResult): void {
    this.stopWaiting();
    const { busy } = this;
    this.busy = undefined;
    busy?.done(result);
    this.next();
  }

  private giveUp(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.strikes++;
    this.finish({ reason: 'time' });
  }
}

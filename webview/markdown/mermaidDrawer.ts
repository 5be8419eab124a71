/**
 * Has diagrams drawn by a worker, one at a time. Mermaid's layouts have no bound in time, so a worker that takes too long is ended; its diagram stays
 * text. What was drawn is kept for a while: scrolled back to, it is there at once.
 */
import type { DiagramTheme, FromDrawer, Picture, Refusal, ToDrawer } from './mermaidMessages';

/** ms until a new worker says that it is there: it reads some megabytes of script. */
export const START_PATIENCE = 20_000;
/** ms for one diagram. */
export const PATIENCE = 6000;
/** ms more, for an answer that has come but was not heard because the page itself was busy. */
export const GRACE = 200;
/** ms without work after which the worker's memory is given back. */
export const REST = 60_000;
/** UTF-16 units of all that is kept, and drawings. */
const MAX_KEPT = 4_000_000;
const MAX_COUNT = 100;

/** A worker as the page has it. */
export interface DrawerPort {
  postMessage(message: ToDrawer): void;
  terminate(): void;
}

export interface DrawerPorts {
  /** A new worker, whose answers go to `hear`, and what goes wrong in it to `fail`. Rejects when there can be none. */
  spawn(hear: (answer: FromDrawer) => void, fail: () => void): Promise<DrawerPort>;
  /** Calls back in `ms`; returns the way to prevent it. */
  after(ms: number, callback: () => void): () => void;
}

/** What became of a diagram. */
export type Drawn = { readonly picture: Picture } | { readonly picture: undefined; readonly refusal: Refusal };

interface Job {
  readonly key: string;
  readonly order: ToDrawer;
  readonly waiting: Set<(drawn: Drawn) => void>;
}

export class Drawer {
  private readonly kept = new Map<string, Drawn>();
  private size = 0;
  private readonly jobs = new Map<string, Job>();
  private busy: Job | undefined;
  private worker: { readonly port?: DrawerPort; readonly ready: boolean; readonly number: number } | undefined;
  private workers = 0;
  private stopWaiting = () => {};

  constructor(private readonly ports: DrawerPorts) {}

  /** What is known of it already. */
  recall(text: string, theme: DiagramTheme): Drawn | undefined {
    const key = keyOf(text, theme);
    const found = this.kept.get(key);
    if (found) {
      // The one looked at last is forgotten last.
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  /** Calls back once; returns the way out. */
  draw(text: string, theme: DiagramTheme, onDrawn: (drawn: Drawn) => void): () => void {
    const known = this.recall(text, theme);
    if (known) {
      onDrawn(known);
      return () => {};
    }
    const key = keyOf(text, theme);
    const job = this.jobs.get(key) ?? { key, order: { text, theme }, waiting: new Set() };
    this.jobs.set(key, job);
    job.waiting.add(onDrawn);
    this.next();
    return () => {
      job.waiting.delete(onDrawn);
      if (job.waiting.size === 0 && job !== this.busy) this.jobs.delete(key);
    };
  }

  private next(): void {
    if (this.busy) return;
    const [job] = this.jobs.values();
    if (!job) {
      if (this.worker) this.wait(REST, () => this.end());
      return;
    }
    if (!this.worker) return this.spawn();
    if (!this.worker.ready || !this.worker.port) return;
    this.busy = job;
    this.wait(PATIENCE, () => this.wait(GRACE, () => this.giveUp()));
    this.worker.port.postMessage(job.order);
  }

  private spawn(): void {
    const number = ++this.workers;
    this.worker = { ready: false, number };
    const isThis = () => this.worker?.number === number;
    const fail = () => isThis() && this.giveUp();
    this.wait(START_PATIENCE, fail);
    this.ports.spawn((answer) => isThis() && this.hear(answer), fail).then(
      (port) => {
        if (!isThis()) return port.terminate();
        this.worker = { ...this.worker!, port };
        this.next();
      },
      fail,
    );
  }

  private hear(answer: FromDrawer): void {
    this.stopWaiting();
    if (answer.type === 'ready') this.worker = { ...this.worker!, ready: true };
    else this.finish(answer);
    this.next();
  }

  private finish(answer: Exclude<FromDrawer, { type: 'ready' }>): void {
    if (answer.type === 'refused' || answer.spent) this.end();
    if (this.busy) this.settle(this.busy, answer.type === 'picture' ? { picture: answer.picture } : { picture: undefined, refusal: answer.refusal });
  }

  /** The worker is of no more use, and neither is what it was at. Without a worker nothing is drawn. */
  private giveUp(): void {
    const jobs = this.busy ? [this.busy] : [...this.jobs.values()];
    this.end();
    for (const job of jobs) this.settle(job, { picture: undefined, refusal: { code: 'slow' } });
    this.next();
  }

  private settle(job: Job, drawn: Drawn): void {
    this.busy = undefined;
    this.jobs.delete(job.key);
    this.keep(job.key, drawn);
    for (const tell of job.waiting) tell(drawn);
  }

  private end(): void {
    this.stopWaiting();
    this.worker?.port?.terminate();
    this.worker = undefined;
  }

  private wait(ms: number, callback: () => void): void {
    this.stopWaiting();
    this.stopWaiting = this.ports.after(ms, callback);
  }

  private keep(key: string, drawn: Drawn): void {
    this.kept.set(key, drawn);
    this.size += sizeOf(key, drawn);
    for (const [oldest, old] of this.kept) {
      if (this.size <= MAX_KEPT && this.kept.size <= MAX_COUNT) break;
      this.kept.delete(oldest);
      this.size -= sizeOf(oldest, old);
    }
  }
}

function keyOf(text: string, theme: DiagramTheme): string {
  return `${JSON.stringify(theme)}\n${text}`;
}

function sizeOf(key: string, drawn: Drawn): number {
  return key.length + (drawn.picture?.svg.length ?? 0);
}

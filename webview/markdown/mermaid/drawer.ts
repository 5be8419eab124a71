/**
 * Has diagrams drawn by a worker, one at a time. Mermaid's layouts have no bound in time, so a worker that takes too long is ended; its diagram stays
 * text. What was drawn is kept for a while: scrolled back to, it is there at once.
 */
import { type WorkerDependencies, WorkerSupervisor } from '../../workers/supervisor';
import type { DiagramTheme, FromDrawer, DiagramImage, Refusal, ToDrawer } from './messages';

/** ms until a new worker says that it is there: it reads some megabytes of script. */
export const START_MS = 20_000;
/** ms for one diagram. */
export const TIMEOUT_MS = 6000;
/** ms without work after which the worker's memory is given back. */
export const REST_MS = 60_000;
/** UTF-16 units of all that is kept, and drawings. */
const MAX_KEPT = 4_000_000;
const MAX_COUNT = 100;

/** What became of a diagram. */
export type Drawn = { readonly picture: DiagramImage } | { readonly picture: undefined; readonly refusal: Refusal };

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
  private readonly supervisor: WorkerSupervisor<ToDrawer, FromDrawer>;

  constructor(ports: WorkerDependencies<ToDrawer, FromDrawer>) {
    // Without a worker the diagrams that wait stay text; the next one tries again.
    const options = { startMs: START_MS, restMs: REST_MS, maxFailedStarts: Infinity };
    this.supervisor = new WorkerSupervisor(ports, options, {
      onReady: () => this.next(),
      onReply: (reply) => this.finish(reply),
      onFailure: () => this.giveUp(),
    });
  }

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
      if (job.waiting.size === 0 && job !== this.busy) {
        this.jobs.delete(key);
      }
    };
  }

  private next(): void {
    if (this.busy) {
      return;
    }
    const [job] = this.jobs.values();
    if (!job) {
      return;
    }
    if (!this.supervisor.isIdle) {
      return this.supervisor.start();
    }
    this.busy = job;
    this.supervisor.ask(job.order, TIMEOUT_MS);
  }

  private finish(answer: FromDrawer): void {
    if (answer.type === 'refused' || answer.spent) {
      this.supervisor.end();
    }
    if (this.busy) {
      this.settle(this.busy, answer.type === 'picture' ? { picture: answer.picture } : { picture: undefined, refusal: answer.refusal });
    }
    this.next();
  }

  /** What the worker was at, or all that waits for one that does not start, stays text. */
  private giveUp(): void {
    const jobs = this.busy ? [this.busy] : [...this.jobs.values()];
    for (const job of jobs) {
      this.settle(job, { picture: undefined, refusal: { code: 'slow' } });
    }
    this.next();
  }

  private settle(job: Job, drawn: Drawn): void {
    this.busy = undefined;
    this.jobs.delete(job.key);
    this.keep(job.key, drawn);
    for (const tell of job.waiting) {
      tell(drawn);
    }
  }

  private keep(key: string, drawn: Drawn): void {
    this.kept.set(key, drawn);
    this.size += sizeOf(key, drawn);
    for (const [oldest, old] of this.kept) {
      if (this.size <= MAX_KEPT && this.kept.size <= MAX_COUNT) {
        break;
      }
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

/**
 * Draws diagrams in a worker, one at a time. Mermaid's layouts have no time limit, so a worker that takes too long is terminated and its diagram
 * stays text. Drawings are cached, so that they appear at once when the user scrolls back.
 */
import { type WorkerDependencies, WorkerSupervisor } from '../../workers/supervisor';
import type { DiagramTheme, FromDrawer, DiagramImage, Refusal, ToDrawer } from './messages';

/** ms until a new worker must report that it is ready: it parses some megabytes of script. */
export const START_MS = 20_000;
/** ms for one diagram. */
export const TIMEOUT_MS = 6000;
/** ms without work after which the worker is terminated to free its memory. */
export const REST_MS = 60_000;
/** The most UTF-16 units of cached sources and drawings. */
const MAX_KEPT = 4_000_000;
const MAX_COUNT = 100;

/** The result for a diagram. */
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

  constructor(deps: WorkerDependencies<ToDrawer, FromDrawer>) {
    // Without a worker the waiting diagrams stay text; the next diagram tries to start one again.
    const options = { startMs: START_MS, restMs: REST_MS, maxFailedStarts: Infinity };
    this.supervisor = new WorkerSupervisor(deps, options, {
      onReady: () => this.next(),
      onReply: (reply) => this.finish(reply),
      onFailure: () => this.giveUp(),
    });
  }

  /** Returns the cached result, if there is one. */
  recall(text: string, theme: DiagramTheme): Drawn | undefined {
    const key = keyOf(text, theme);
    const found = this.kept.get(key);
    if (found) {
      // Moves the entry to the end, because the least recently used one is evicted first.
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  /** Calls `onDrawn` once. Returns a function that cancels it. */
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

  /** The diagram in progress stays text. If the worker does not start, all waiting diagrams do. */
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

/**
 * Supervises one web worker: starts it when there is work, sends one request at a time, and terminates it when it does not answer in time. A request
 * may come from an agent and never end (a regular expression, a layout). The page then loses that request, and a new worker handles the next one.
 */

/** A worker's first message: its script has run. */
export const READY = 'ready';

/** Additional ms for an answer that has arrived but is not handled because the page itself was busy. */
export const GRACE_MS = 200;

/** The page's handle of a worker. */
export interface WorkerHandle<Request> {
  postMessage(message: Request): void;
  terminate(): void;
}

export interface WorkerDependencies<Request, Reply> {
  /** Creates a worker whose messages are passed to `hear` and whose errors call `fail`. Rejects when no worker can be created. */
  spawn(onMessage: (message: Reply | typeof READY) => void, fail: () => void): Promise<WorkerHandle<Request>>;
  /** Calls back in `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export interface SupervisorOptions {
  /** ms for a new worker to report that it is ready. */
  readonly startMs: number;
  /** ms without a request after which the worker is terminated to free its memory; absent: never. */
  readonly restMs?: number;
  /** The number of workers in a row that failed before their first request, after which no other is started. */
  readonly maxFailedStarts: number;
}

export interface WorkerListener<Reply> {
  /** A new worker is ready for its first request. */
  onReady(): void;
  /** The worker has answered and is ready for the next request. */
  onReply(reply: Reply): void;
  /** The worker did not start, did not answer in time, or failed. It was terminated, and its request is lost. */
  onFailure(): void;
}

interface Started<Request> {
  port?: WorkerHandle<Request>;
  saidReady: boolean;
}

export class WorkerSupervisor<Request, Reply> {
  private worker: Started<Request> | undefined;
  private busy = false;
  private failedStarts = 0;
  private cancelTimer = () => {};

  constructor(
    private readonly deps: WorkerDependencies<Request, Reply>,
    private readonly options: SupervisorOptions,
    private readonly listener: WorkerListener<Reply>,
  ) {}

  /** True while a worker exists, whether busy or idle. */
  get isReady(): boolean {
    return this.worker?.port !== undefined && this.worker.saidReady;
  }

  /** True when a worker waits for a request. */
  get isIdle(): boolean {
    return this.isReady && !this.busy;
  }

  /** False once no worker can be started. */
  get isAvailable(): boolean {
    return this.failedStarts < this.options.maxFailedStarts;
  }

  /** Starts a worker if there is none. `onReady` or `onFailure` follows. */
  start(): void {
    if (this.worker || !this.isAvailable) {
      return;
    }
    const worker: Started<Request> = { saidReady: false };
    this.worker = worker;
    const isCurrent = () => this.worker === worker;
    const fail = () => {
      if (isCurrent()) {
        this.fail();
      }
    };
    const onMessage = (message: Reply | typeof READY) => {
      if (isCurrent()) {
        this.receive(worker, message);
      }
    };
    this.wait(this.options.startMs, fail);
    this.deps.spawn(onMessage, fail).then((port) => {
      if (!isCurrent()) {
        return port.terminate();
      }
      worker.port = port;
      if (worker.saidReady) {
        this.greet();
      }
    }, fail);
  }

  /** Sends the worker a message without an answer. Does nothing without a worker. */
  post(message: Request): void {
    if (this.isReady) {
      this.worker?.port?.postMessage(message);
    }
  }

  /** Sends an idle worker a request that must be answered within `ms`. `onReply` or `onFailure` follows. */
  ask(request: Request, ms: number): void {
    if (!this.isIdle) {
      throw new Error('the worker is not idle');
    }
    this.busy = true;
    this.wait(ms, () => this.wait(GRACE_MS, () => this.fail()));
    this.worker?.port?.postMessage(request);
  }

  /** Terminates the worker. No callback follows. */
  end(): void {
    this.cancelTimer();
    const port = this.worker?.port;
    this.worker = undefined;
    this.busy = false;
    port?.terminate();
  }

  private receive(worker: Started<Request>, message: Reply | typeof READY): void {
    if (message === READY) {
      if (worker.saidReady) {
        return;
      }
      worker.saidReady = true;
      if (worker.port) {
        this.greet();
      }
    } else if (this.busy) {
      this.cancelTimer();
      this.busy = false;
      this.failedStarts = 0;
      this.listener.onReply(message as Reply);
      this.rest();
    }
  }

  private greet(): void {
    this.cancelTimer();
    this.listener.onReady();
    this.rest();
  }

  private rest(): void {
    if (this.options.restMs !== undefined && this.isIdle) {
      this.wait(this.options.restMs, () => this.end());
    }
  }

  private fail(): void {
    if (!this.busy) {
      this.failedStarts++;
    }
    this.end();
    this.listener.onFailure();
  }

  private wait(ms: number, callback: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.deps.after(ms, callback);
  }
}

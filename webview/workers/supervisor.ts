/**
 * One web worker under supervision: started when there is work, given one request at a time, and ended when it says nothing for too long. What it is
 * asked may come from an agent and never end (a regular expression, a layout): the page loses that request, and its next one has a new worker.
 */

/** A worker's first message: its script has run. */
export const READY = 'ready';

/** ms more than a request may take, for an answer that has come but was not heard because the page itself was busy. */
export const GRACE_MS = 200;

/** A worker as the page has it. */
export interface WorkerPort<Request> {
  postMessage(message: Request): void;
  terminate(): void;
}

export interface WorkerDependencies<Request, Reply> {
  /** A new worker, whose messages go to `hear`, and what goes wrong in it to `fail`. Rejects when there can be none. */
  spawn(hear: (message: Reply | typeof READY) => void, fail: () => void): Promise<WorkerPort<Request>>;
  /** Calls back in `ms`; returns the way to prevent it. */
  after(ms: number, callback: () => void): () => void;
}

export interface SupervisorOptions {
  /** ms for a new worker to say that it is there. */
  readonly startMs: number;
  /** ms without a request after which a worker's memory is given back; absent: never. */
  readonly restMs?: number;
  /** Workers in a row that did not start, or broke before they were asked anything, after which no other is tried. */
  readonly maxFailedStarts: number;
}

export interface WorkerListener<Reply> {
  /** A new worker waits for its first request. */
  onReady(): void;
  /** The answer to what was asked; the worker waits for the next request. */
  onReply(reply: Reply): void;
  /** The worker did not start, did not answer in time, or broke: it was ended, and what it was asked is lost. */
  onFailure(): void;
}

interface Started<Request> {
  port?: WorkerPort<Request>;
  saidReady: boolean;
}

export class WorkerSupervisor<Request, Reply> {
  private worker: Started<Request> | undefined;
  private busy = false;
  private failedStarts = 0;
  private cancelTimer = () => {};

  constructor(
    private readonly ports: WorkerDependencies<Request, Reply>,
    private readonly options: SupervisorOptions,
    private readonly listener: WorkerListener<Reply>,
  ) {}

  /** A worker is there, at work or not. */
  get isReady(): boolean {
    return this.worker?.port !== undefined && this.worker.saidReady;
  }

  /** A worker waits for a request. */
  get isIdle(): boolean {
    return this.isReady && !this.busy;
  }

  /** False once there can be no worker. */
  get isAvailable(): boolean {
    return this.failedStarts < this.options.maxFailedStarts;
  }

  /** Starts a worker when there is none; `onReady` or `onFailure` follows. */
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
    const hear = (message: Reply | typeof READY) => {
      if (isCurrent()) {
        this.receive(worker, message);
      }
    };
    this.wait(this.options.startMs, fail);
    this.ports.spawn(hear, fail).then((port) => {
      if (!isCurrent()) {
        return port.terminate();
      }
      worker.port = port;
      if (worker.saidReady) {
        this.greet();
      }
    }, fail);
  }

  /** A message that is not answered, for a worker that is there; dropped when there is none. */
  tell(message: Request): void {
    if (this.isReady) {
      this.worker?.port?.postMessage(message);
    }
  }

  /** A request to an idle worker, to be answered within `ms`; `onReply` or `onFailure` follows. */
  ask(request: Request, ms: number): void {
    if (!this.isIdle) {
      throw new Error('the worker is not idle');
    }
    this.busy = true;
    this.wait(ms, () => this.wait(GRACE_MS, () => this.fail()));
    this.worker?.port?.postMessage(request);
  }

  /** Ends the worker; nothing is heard of it any more. */
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
    this.cancelTimer = this.ports.after(ms, callback);
  }
}

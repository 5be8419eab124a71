/** Reports changes of the index, in this window and in others, while there are listeners. */
import { mkdirSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import type { Disposable } from '../../core/platform/disposable';
import { Listeners } from '../../core/platform/listeners';

/** ms within which changes are reported together. */
const COALESCE_MS = 150;
/** ms between two polls when the file system does not report changes. */
const POLL_MS = 3000;

export class IndexWatch implements Disposable {
  private readonly listeners = new Listeners<[]>();
  private count = 0;
  private watcher: FSWatcher | undefined;
  private poll: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private seen = '';

  constructor(private readonly directory: string) {}

  add(listener: () => void): Disposable {
    const entry = this.listeners.add(listener);
    if (++this.count === 1) {
      this.start();
    }
    let isOver = false;
    return {
      dispose: () => {
        entry.dispose();
        if (!isOver && --this.count === 0) {
          this.stop();
        }
        isOver = true;
      },
    };
  }

  dispose(): void {
    this.listeners.clear();
    this.stop();
  }

  private start(): void {
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      this.watcher = watch(this.directory, { persistent: false }, () => this.changed());
      this.watcher.on('error', () => this.pollInstead());
    } catch {
      this.pollInstead();
    }
  }

  private stop(): void {
    this.watcher?.close();
    clearInterval(this.poll);
    clearTimeout(this.timer);
    this.watcher = this.poll = this.timer = undefined;
  }

  private pollInstead(): void {
    this.watcher?.close();
    this.watcher = undefined;
    this.seen = this.names();
    this.poll ??= setInterval(() => {
      const names = this.names();
      if (names !== this.seen) {
        this.seen = names;
        this.changed();
      }
    }, POLL_MS);
    this.poll.unref();
  }

  private names(): string {
    try {
      return readdirSync(this.directory).join('/');
    } catch {
      return '';
    }
  }

  private changed(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.listeners.call();
    }, COALESCE_MS);
    this.timer.unref();
  }
}

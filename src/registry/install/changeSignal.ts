/** Reports changes of the installed agents, also of other windows. */
import { mkdirSync, watch, type FSWatcher, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = '.changed';
/** ms within which several changes are one. */
const SETTLE_MS = 100;

export class ChangeSignal {
  private readonly listeners = new Set<() => void>();
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly folder: string) {}

  /** Reports a change of this window to all windows. */
  changed(): void {
    try {
      writeFileSync(path.join(this.folder, FILE), String(Date.now()));
    } catch {
      // For example a full disk: other windows read the list at their next start.
    }
    this.listeners.forEach((listener) => listener());
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    this.watch();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) {
        clearTimeout(this.timer);
        this.watcher?.close();
        this.watcher = undefined;
      }
    };
  }

  private watch(): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      this.watcher ??= watch(this.folder, { persistent: false }, (_event, name) => {
        if (name === FILE) {
          this.timer ??= setTimeout(() => {
            this.timer = undefined;
            this.listeners.forEach((each) => each());
          }, SETTLE_MS).unref();
        }
      });
      this.watcher.on('error', () => undefined);
    } catch {
      // A system without watchers: only changes of this window are reported.
    }
  }
}

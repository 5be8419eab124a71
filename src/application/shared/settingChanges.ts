/**
 * Changes of settings that several windows may make within a second. VS Code writes the whole value that a window computes, and a window learns of
 * another window's write only when the file's watcher reports it. Without this class, the later write would drop the earlier one.
 */
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { withFileLock } from '../../util/fileLock';

/** A setting with a list, as this window sees it. */
export interface ListSetting {
  /** The key under which all windows record their writes. */
  readonly name: string;
  read(): unknown;
  /** Resolves when this window sees the value. */
  write(value: readonly unknown[]): Promise<void>;
}

export interface SettingChangesDependencies {
  /** The folder that all windows with these settings share. */
  readonly folder: string;
  readonly clock: Clock;
  /** Reports each change of the settings that this window sees. */
  onDidChange(listener: () => void): Disposable;
}

/** A write of any window. Values are JSON texts. */
interface Write {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** ms since the epoch, before the write. */
  readonly at: number;
}

/** ms after which every window has seen a write. */
const RECENT_MS = 10_000;
const RETRY_MS = 300;
const MAX_ATTEMPTS = 3;
/** VS Code may ask the user about an unsaved settings file meanwhile. */
const STALE_LOCK_MS = 30_000;

export class SettingChanges implements Disposable {
  /** The times at which this window saw the values of the settings that it has changed, by name and value. */
  private readonly seen = new Map<string, Map<string, number>>();
  private readonly known = new Map<string, ListSetting>();
  private readonly subscription: Disposable;

  constructor(private readonly deps: SettingChangesDependencies) {
    this.subscription = deps.onDidChange(() => this.known.forEach((setting) => this.look(setting)));
  }

  /**
   * Calls the listener with a value that another window has just written and that this window does not see yet. VS Code's own event may take seconds.
   */
  onDidWrite(setting: ListSetting, listener: (value: unknown) => void): Disposable {
    this.watch(setting);
    let watcher: FSWatcher | undefined;
    let isDisposed = false;
    const look = async (): Promise<void> => {
      const value = this.newest(setting, await this.recent(this.deps.clock.now()));
      void (!isDisposed && textOf(value) !== textOf(setting.read()) && listener(value));
    };
    const start = async (): Promise<void> => {
      await mkdir(this.deps.folder, { recursive: true });
      if (!isDisposed) {
        watcher = watch(this.deps.folder, { persistent: false }, () => void look());
        watcher.on('error', () => watcher?.close());
      }
    };
    // Without the folder, VS Code's event is the only one.
    start().catch(() => undefined);
    return {
      dispose: () => {
        isDisposed = true;
        watcher?.close();
      },
    };
  }

  /** Records which values of the setting this window sees from now on. */
  watch(setting: ListSetting): void {
    this.known.set(setting.name, setting);
    this.look(setting);
  }

  /**
   * Changes the setting, one window after another.
   * @param next receives the newest value, which this window may not have seen yet. Returns the new value, or undefined to write nothing. It may be
   *   called again after a failed write.
   */
  async change(setting: ListSetting, next: (value: unknown) => readonly unknown[] | undefined): Promise<void> {
    const { folder, clock } = this.deps;
    this.watch(setting);
    let isLocked = false;
    const write = (): Promise<void> => {
      isLocked = true;
      return this.write(setting, next, clock.now());
    };
    try {
      await mkdir(folder, { recursive: true });
      await withFileLock(path.join(folder, 'settings.lock'), write, STALE_LOCK_MS);
    } catch (error) {
      if (isLocked) {
        throw error;
      }
      await write(); // A full or read-only disk must not keep the user from revoking a rule.
    }
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async write(setting: ListSetting, next: (value: unknown) => readonly unknown[] | undefined, now: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const writes = await this.recent(now);
      const from = this.newest(setting, writes);
      const changed = next(from);
      if (changed === undefined) {
        return;
      }
      const own: Write = { name: setting.name, from: textOf(from), to: textOf(changed), at: this.deps.clock.now() };
      try {
        await setting.write(changed);
        this.look(setting);
        await writeFile(this.file, JSON.stringify([...writes, own]), { mode: 0o600 }).catch(() => undefined);
        return;
      } catch (error) {
        // VS Code refuses to write a file that has changed since it was read.
        if (attempt === MAX_ATTEMPTS) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Returns the value after the last write, unless this window has seen that write or the user has written another value since. */
  private newest({ name, read }: ListSetting, writes: readonly Write[]): unknown {
    const own = writes.filter((write) => write.name === name);
    const lastSeen = own.findLastIndex(({ to, at }) => (this.seen.get(name)?.get(to) ?? 0) >= at);
    const unseen = own.slice(lastSeen + 1);
    const value = read();
    const text = textOf(value);
    const last = unseen.at(-1);
    const isStale = last !== undefined && last.to !== text && unseen.some(({ from, to }) => from === text || to === text);
    return isStale ? JSON.parse(last.to) : value;
  }

  private look({ name, read }: ListSetting): void {
    const now = this.deps.clock.now();
    const times = this.seen.get(name) ?? new Map<string, number>();
    times.forEach((at, text) => void (now - at > RECENT_MS && times.delete(text)));
    this.seen.set(name, times.set(textOf(read()), now));
  }

  /** The writes of all windows in the last seconds, oldest first. */
  private async recent(now: number): Promise<readonly Write[]> {
    try {
      const all = JSON.parse(await readFile(this.file, 'utf8')) as readonly Write[];
      return all.filter(({ at }) => Math.abs(now - at) < RECENT_MS);
    } catch {
      return []; // There is no file yet, or a crash left half of it.
    }
  }

  private get file(): string {
    return path.join(this.deps.folder, 'settings.json');
  }
}

/** An empty list is no value. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? []);
}

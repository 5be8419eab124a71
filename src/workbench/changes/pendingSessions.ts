/** Remembers the sessions with pending changes, and reads them back after a reload of the window, so that no chat must be opened for a review. */
import type * as vscode from 'vscode';
import type { Log } from '../../core/platform/log';
import { PENDING_SESSIONS, storedKeys } from './storedChanges';

export interface PendingSessionsDependencies {
  /** `ExtensionContext.workspaceState`. */
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly log: Pick<Log, 'warn'>;
  /** True for a session whose changes this window shows. */
  isOpen(key: string): boolean;
  isLiveElsewhere(key: string): Promise<boolean>;
  /** Bytes; undefined for a deleted session. */
  journalSize(key: string): Promise<number | undefined>;
  /** Reads a session back and waits for its review. */
  load(key: string): Promise<void>;
}

/** Sessions that are remembered. */
const MAX_REMEMBERED = 50;
/** Sessions that are read back without a command of the user, and the bytes of their journals. */
const MAX_SESSIONS = 8;
const MAX_BYTES = 32 * 1024 * 1024;

export class PendingSessions {
  private loading: Promise<void> = Promise.resolve();

  constructor(private readonly deps: PendingSessionsDependencies) {}

  /** @param reviews the sessions whose review is loaded */
  remember(reviews: readonly { readonly key: string; readonly isPending: boolean }[]): void {
    const before = storedKeys(this.deps.state);
    const pending = new Map(reviews.map(({ key, isPending }) => [key, isPending]));
    const kept = before.filter((key) => pending.get(key) !== false);
    const added = [...pending].flatMap(([key, isPending]) => (isPending && !before.includes(key) ? [key] : []));
    if (kept.length < before.length || added.length > 0) {
      this.store([...kept, ...added].slice(-MAX_REMEMBERED));
    }
  }

  /** Reads the newest sessions back, one after the other, as long as they are small. */
  showNewest(): Promise<void> {
    return this.show(MAX_SESSIONS, MAX_BYTES);
  }

  /** Reads back each session that is left. */
  showAll(): Promise<void> {
    return this.show(MAX_REMEMBERED, Number.POSITIVE_INFINITY);
  }

  private show(maxSessions: number, maxBytes: number): Promise<void> {
    return (this.loading = this.loading.then(() => this.read(maxSessions, maxBytes)));
  }

  private async read(maxSessions: number, maxBytes: number): Promise<void> {
    const { deps } = this;
    let [sessions, bytes] = [0, 0];
    for (const key of storedKeys(deps.state).toReversed()) {
      if (deps.isOpen(key)) {
        continue;
      }
      try {
        const size = await deps.journalSize(key);
        if (size === undefined) {
          this.store(storedKeys(deps.state).filter((other) => other !== key));
        } else if (sessions < maxSessions && bytes + size <= maxBytes && !(await deps.isLiveElsewhere(key))) {
          [sessions, bytes] = [sessions + 1, bytes + size];
          await deps.load(key);
        }
      } catch (error) {
        deps.log.warn(`The pending changes of session ${key} cannot be read: ${String(error)}`);
      }
    }
  }

  private store(keys: readonly string[]): void {
    void this.deps.state.update(PENDING_SESSIONS, keys.length > 0 ? keys : undefined);
  }
}

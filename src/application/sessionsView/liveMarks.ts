/**
 * The user's marks (name, pin, archive) of the sessions that are open in this window. Changes apply at once and are saved to the disk. Changes
 * from other windows are read.
 */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { SessionCatalog } from '../../session/journal/sessionCatalog';
import { type MarksPatch, NO_MARKS, patchedMarks, type SessionMarks } from '../../session/journal/sessionMarks';
import type { SessionStore } from '../../session/state/store';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';

export interface MarkedSession {
  readonly key: string;
  readonly store: SessionStore;
}

export interface LiveMarksDependencies {
  readonly clock: Clock;
  readonly sessions: {
    readonly all: readonly MarkedSession[];
    get(key: string): MarkedSession | undefined;
    onChange(listener: () => void): Disposable;
  };
  readonly kept: Pick<SessionCatalog, 'mark' | 'onDidChange'>;
  readMarks(key: string): Promise<SessionMarks>;
}

/** The delay in ms before changes from other windows are read, so that several are read together. */
const READ_MS = 1000;

export class LiveMarks implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly listeners = new Listeners<[]>();
  private readonly known = new Map<string, SessionMarks>();
  private readonly requested = new Set<string>();
  private reading: Disposable | undefined;
  /** The pending writes of this window, in order. */
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: LiveMarksDependencies) {
    const { sessions, kept, clock } = deps;
    this.owned.add(sessions.onChange(() => this.readNew()));
    this.owned.add(
      kept.onDidChange(() => {
        this.reading ??= clock.after(READ_MS, () => {
          this.reading = undefined;
          this.requested.forEach((key) => void this.read(key));
        });
      }),
    );
    this.owned.add(
      toDisposable(() => {
        this.reading?.dispose();
        this.listeners.clear();
      }),
    );
    this.readNew();
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Returns undefined until the marks are loaded. */
  of(key: string): SessionMarks | undefined {
    return this.known.get(key);
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  /** Changes the marks of a session, whether it is open here or not. */
  async mark(key: string, patch: MarksPatch): Promise<void> {
    const known = this.known.get(key);
    if (known) {
      this.set(key, patchedMarks(known, patch));
    }
    this.writing = this.writing.then(() => this.deps.kept.mark(key, patch)).catch(() => undefined);
    await this.writing;
  }

  /** Runs for every event of every session. */
  private readNew(): void {
    const { all } = this.deps.sessions;
    for (const { key, store } of all) {
      // A recording is not stored on the disk.
      if (!this.requested.has(key) && store.state.failure?.code !== 'session.replayed') {
        this.requested.add(key);
        void this.read(key);
      }
    }
    if (this.requested.size > all.length) {
      const live = new Set(all.map(({ key }) => key));
      for (const key of this.requested) {
        if (!live.has(key)) {
          this.requested.delete(key);
          this.known.delete(key);
        }
      }
    }
  }

  private async read(key: string): Promise<void> {
    const { writing } = this;
    await writing;
    const marks = await this.deps.readMarks(key).catch(() => NO_MARKS);
    if (this.writing !== writing) {
      // The user has changed marks meanwhile, which this reading may not have.
      return this.read(key);
    }
    if (!this.owned.disposed && this.requested.has(key)) {
      this.set(key, marks);
    }
  }

  private set(key: string, marks: SessionMarks): void {
    const isNew = JSON.stringify(this.known.get(key)) !== JSON.stringify(marks);
    this.known.set(key, marks);
    const store = this.deps.sessions.get(key)?.store;
    if (store && (store.state.name ?? '') !== (marks.name ?? '')) {
      store.append({ type: 'session_renamed', name: marks.name ?? null });
    }
    const { pinned = false, archived = false } = marks;
    const shown = store?.state.marks;
    if (store && (pinned !== (shown?.pinned ?? false) || archived !== (shown?.archived ?? false))) {
      store.append({ type: 'session_marked', pinned, archived });
    }
    if (isNew) {
      this.listeners.call();
    }
  }
}

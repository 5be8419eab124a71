import type { EventInput } from '../../../../src/core/model/event';
import type { JournalSummary } from '../../../../src/session/journal/journalSummary';
import type { SessionCatalog, KeptSessionsQuery } from '../../../../src/session/journal/sessionCatalog';
import { type MarksPatch, patchedMarks, type SessionMarks } from '../../../../src/session/journal/sessionMarks';
import { SessionStore } from '../../../../src/session/state/store';
import type { SessionFacts } from '../../../../src/application/sessionsView/sessionFacts';
import type { FakeClock } from '../../session/permission/fakes';

export const facts = (id: string, over: Partial<SessionFacts> = {}): SessionFacts => ({
  id,
  key: id,
  title: `Title ${id}`,
  agentId: over.agentName ?? 'Codex',
  agentName: 'Codex',
  cwd: '/w',
  status: 'resting',
  at: 1000,
  unread: false,
  pinned: false,
  archived: false,
  live: false,
  running: false,
  busy: false,
  elsewhere: false,
  ...over,
});

export const summary = (key: string, over: Partial<JournalSummary> = {}): JournalSummary => ({
  key,
  agentName: 'Codex',
  cwd: '/w',
  createdAt: 1,
  title: `Title ${key}`,
  marks: {},
  ...over,
});

/** Stored sessions in memory, newest first. */
export class FakeKept implements SessionCatalog {
  readonly queries: KeptSessionsQuery[] = [];
  readonly listeners = new Set<() => void>();
  readonly elsewhere = new Set<string>();
  /** The number of summaries that were returned. */
  read = 0;

  constructor(public all: JournalSummary[]) {}

  list(query: KeptSessionsQuery) {
    const { folders, elsewhere = false, archived, limit, after = '0' } = query;
    this.queries.push(query);
    const all = this.all.filter(
      ({ cwd, marks }) =>
        (folders === undefined || folders.includes(cwd) !== elsewhere) &&
        (archived === undefined || archived === (marks.archived ?? false)),
    );
    const end = Number(after) + limit;
    const summaries = all.slice(Number(after), end);
    this.read += summaries.length;
    return Promise.resolve({ summaries, total: all.length, ...(end < all.length && { next: String(end) }) });
  }

  mark(key: string, patch: MarksPatch): Promise<void> {
    this.all = this.all.map((each) => (each.key === key ? { ...each, marks: patchedMarks(each.marks, patch) } : each));
    this.tell();
    return Promise.resolve();
  }

  readMarks(key: string): Promise<SessionMarks> {
    return Promise.resolve(this.all.find((each) => each.key === key)?.marks ?? {});
  }

  async *search(): AsyncIterable<never> {
    await Promise.resolve();
  }

  isLiveElsewhere(key: string): Promise<boolean> {
    return Promise.resolve(this.elsewhere.has(key));
  }

  onDidChange(listener: () => void) {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  tell(): void {
    this.listeners.forEach((listener) => listener());
  }
}

/** Sessions of a window. */
export class FakeSessions {
  private readonly times = new Map<string, number>();
  all: { key: string; agentId: string; agentName: string; roots: { cwd: string }; store: SessionStore }[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(private readonly clock: FakeClock) {}

  createdAt(key: string): number | undefined {
    return this.times.get(key);
  }

  get(key: string) {
    return this.all.find((session) => session.key === key);
  }

  add(key: string, agentName = 'Codex', cwd = '/w') {
    const session = { key, agentId: agentName, agentName, roots: { cwd }, store: new SessionStore(this.clock) };
    session.store.append({ type: 'session_opened', agentName, cwd }, { type: 'session_ready', sessionId: `id ${key}` });
    session.store.onEvents(() => this.tell());
    this.all.push(session);
    this.times.set(key, this.clock.now());
    this.tell();
    return session;
  }

  happen(key: string, ...events: EventInput[]): void {
    this.get(key)!.store.append(...events);
  }

  turn(key: string, stopReason = 'end_turn'): void {
    this.happen(key, { type: 'turn_started', turnId: 't' }, { type: 'turn_ended', turnId: 't', stopReason });
  }

  onChange(listener: () => void) {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private tell(): void {
    this.listeners.forEach((listener) => listener());
  }
}

/** Waits until all pending work has finished. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

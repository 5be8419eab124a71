/**
 * The permission audit of a window: follows the events of its sessions, outside the decision's path. Entries are collected and written a moment
 * later.
 */
import { redactText } from '../../../acp/redaction/secrets';
import type { EntryOrigin, SessionEvent } from '../../../core/model/event';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { Log } from '../../../core/platform/log';
import type { EventsListener } from '../../../session/state/store';
import type { SessionState } from '../../../core/model/state';
import { type AuditEntry, storedEntry } from './auditEntry';
import { answeredEntryId, auditEntryOf } from './auditEvents';
import type { AuditFiles } from './auditFiles';

/** The delay in ms before collected entries are written. */
const WRITE_MS = 500;
/** The entries that may wait for a disk that does not take them. The oldest are dropped. */
const MAX_WAITING = 10_000;

/** The part of a session that the audit follows. */
export interface AuditedSession {
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string;
  /** A replayed log asks nothing. */
  readonly isRecorded: boolean;
  readonly store: { readonly state: SessionState; onEvents(listener: EventsListener): Disposable };
}

export interface AuditDependencies {
  readonly files: AuditFiles;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** The secret values that this agent was given. */
  secretsOf(agentId: string): readonly string[];
}

export class Audit implements Disposable {
  private readonly followed = new Map<string, { readonly session: AuditedSession; readonly subscription: Disposable }>();
  private waiting: AuditEntry[] = [];
  /** The entries of answers among them, by session and the question's entry. */
  private readonly answers = new Map<string, AuditEntry>();
  private timer: Disposable | undefined;
  private writing: Promise<void> = Promise.resolve();
  private hasWarned = false;

  constructor(private readonly deps: AuditDependencies) {}

  /** Follows these sessions, and no others from now on. Questions that wait already are recorded. */
  follow(sessions: readonly AuditedSession[]): void {
    for (const [key, { session, subscription }] of this.followed) {
      if (!sessions.includes(session)) {
        subscription.dispose();
        this.followed.delete(key);
      }
    }
    for (const session of sessions) {
      if (!session.isRecorded && !this.followed.has(session.key)) {
        const subscription = session.store.onEvents((_, events, whole) => !whole && this.onEvents(session, events));
        this.followed.set(session.key, { session, subscription });
        this.recordWaiting(session);
      }
    }
  }

  /** Records an entry that is no event of a session, such as a rule that the user has made. @param agentId whose secrets it must not contain */
  record(entry: AuditEntry, agentId = ''): void {
    this.add(this.cleaned(entry, agentId));
  }

  private add(stored: AuditEntry): void {
    this.waiting.push(stored);
    this.waiting = this.waiting.slice(-MAX_WAITING);
    this.timer ??= this.deps.clock.after(WRITE_MS, () => void this.flush());
  }

  private cleaned(entry: AuditEntry, agentId: string): AuditEntry {
    return storedEntry(entry, (text) => redactText(text, this.deps.secretsOf(agentId)));
  }

  /** Writes the collected entries. Never rejects. */
  flush(): Promise<void> {
    this.timer?.dispose();
    this.timer = undefined;
    const { files, clock, log } = this.deps;
    return (this.writing = this.writing.then(async () => {
      const entries = this.waiting;
      this.waiting = [];
      this.answers.clear();
      try {
        await files.append(entries, clock.now());
      } catch (error) {
        this.waiting = [...entries, ...this.waiting].slice(-MAX_WAITING);
        if (!this.hasWarned) {
          this.hasWarned = true;
          log.warn(`permission audit: ${String(error)}`);
        }
      }
    }));
  }

  /** Reads the entries, oldest first. @param sessionId whose entries; all of them when absent */
  async read(sessionId?: string): Promise<readonly AuditEntry[]> {
    await this.flush();
    const entries: AuditEntry[] = [];
    for await (const entry of this.deps.files.read(this.deps.clock.now())) {
      if (sessionId === undefined || entry.sessionId === sessionId) {
        entries.push(entry);
      }
    }
    // Windows write at different moments, and a file of another window may be longer.
    return entries.sort((one, other) => one.at - other.at);
  }

  dispose(): void {
    this.follow([]);
    this.timer?.dispose();
    this.deps.files.appendNow(this.waiting, this.deps.clock.now());
    this.waiting = [];
  }

  private onEvents(session: AuditedSession, events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type === 'permission_requested') {
        // The answer of a rule follows in the same task.
        queueMicrotask(() => this.recordEvent(session, event));
      } else if (event.type === 'entry_origin') {
        this.nameClient(session, event);
      } else {
        this.recordEvent(session, event);
      }
    }
  }

  private recordEvent({ key, agentId, agentName, store }: AuditedSession, event: SessionEvent): void {
    const entry = auditEntryOf(event, store.state, key, agentName);
    if (entry) {
      const stored = this.cleaned(entry, agentId);
      this.add(stored);
      const answered = answeredEntryId(event);
      if (answered !== undefined) {
        this.answers.set(`${key} ${answered}`, stored);
      }
    }
  }

  /** The origin follows its answer at once, before the answer is written. */
  private nameClient({ key, agentId }: AuditedSession, { entryId, client }: EntryOrigin): void {
    const answer = this.answers.get(`${key} ${entryId}`);
    const index = answer ? this.waiting.indexOf(answer) : -1;
    if (answer && index >= 0) {
      this.waiting[index] = this.cleaned({ ...answer, client }, agentId);
    }
  }

  private recordWaiting(session: AuditedSession): void {
    const { pendingPermissions, pendingElicitations, entries } = session.store.state;
    for (const permissionId of pendingPermissions) {
      const at = entries.get(`permission:${permissionId}`);
      if (at && 'at' in at) {
        this.recordEvent(session, { type: 'permission_requested', permissionId, at: at.at, title: '', options: [], subject: {} });
      }
    }
    for (const requestKey of pendingElicitations) {
      const at = entries.get(`elicitation:${requestKey}`);
      if (at?.kind === 'elicitation' && 'at' in at) {
        this.recordEvent(session, { type: 'elicitation_requested', requestKey, at: at.at, message: at.message, body: at.body });
      }
    }
  }
}

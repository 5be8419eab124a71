/** Loads {@link StoredSessions} at the first use, because opening VS Code must not read the disk for this extension. */
import type { AgentKey, StoredAgent } from '../../core/agents/agentIds';
import type { Disposable } from '../../core/platform/disposable';
import { lazy } from '../../util/lazy';
import type { DraftFiles } from '../journal/drafts';
import type { JournalFile } from '../journal/journal';
import type { JournalHeader } from '../journal/journalHeader';
import type { JournalSummary } from '../journal/journalSummary';
import type { KeptSessionHit, SessionCatalog, KeptSessionsPage, KeptSessionsQuery } from '../journal/sessionCatalog';
import type { MarksPatch, SessionMarks } from '../journal/sessionMarks';
import type { Journals } from '../journal/journals';
import type { StoredSessions, StoredSessionsOptions } from './storedSessions';
import { foldersIn } from './storePaths';

export class SessionStorage implements Journals, DraftFiles, SessionCatalog, Disposable {
  private loaded: StoredSessions | undefined;
  private giving: (key: string, force: boolean) => Promise<boolean> = () => Promise.resolve(true);

  private readonly load = lazy(async () => {
    const { StoredSessions } = await import('./storedSessions');
    return (this.loaded = new StoredSessions({ ...this.options, releaseSession: (key, force) => this.giving(key, force) }));
  });

  constructor(private readonly options: Omit<StoredSessionsOptions, 'releaseSession'>) {}

  /** The absolute path of the directory that has a subdirectory for each working folder, with the files of its sessions. */
  get folders(): string {
    return foldersIn(this.options.root);
  }

  onRequested(releaseSession: (key: string, force: boolean) => Promise<boolean>): void {
    this.giving = releaseSession;
  }

  file(header: JournalHeader): JournalFile {
    const load = lazy(async () => (await this.load()).file(header));
    return {
      append: async (text) => (await load()).append(text),
      replace: async (text) => (await load()).replace(text),
      describe: async (summary) => (await load()).describe(summary),
    };
  }

  async *portions(key: string): AsyncIterable<readonly string[]> {
    yield* (await this.load()).files.portions(key);
  }

  async *lines(key: string): AsyncIterable<string> {
    yield* (await this.load()).files.lines(key);
  }

  async acquire(key: string, force = false): Promise<boolean> {
    return (await this.load()).acquire(key, force);
  }

  async release(key: string): Promise<void> {
    await this.loaded?.release(key);
  }

  isTaken(key: string): boolean {
    return this.loaded?.owners.isTaken(key) ?? false;
  }

  async remove(key: string): Promise<void> {
    return (await this.load()).remove(key);
  }

  async readDraft(key: string): Promise<string | undefined> {
    return (await this.load()).files.readDraft(key);
  }

  async writeDraft(key: string, text: string | undefined): Promise<void> {
    return (await this.load()).files.writeDraft(key, text);
  }

  async readQueue(key: string): Promise<string | undefined> {
    return (await this.load()).files.readQueue(key);
  }

  async writeQueue(key: string, text: string | undefined): Promise<void> {
    return (await this.load()).files.writeQueue(key, text);
  }

  async readComments(key: string): Promise<string | undefined> {
    return (await this.load()).files.readComments(key);
  }

  async writeComments(key: string, text: string | undefined): Promise<void> {
    return (await this.load()).files.writeComments(key, text);
  }

  /** See `JournalFiles`. */
  async changesFolder(key: string): Promise<string | undefined> {
    return (await this.load()).files.changesFolder(key);
  }

  /** See `JournalFiles`. */
  async journalSize(key: string): Promise<number | undefined> {
    return (await this.load()).files.journalSize(key);
  }

  async list(query: KeptSessionsQuery): Promise<KeptSessionsPage> {
    return (await this.load()).list(query);
  }

  /** The stored sessions with this session id of this agent, newest first. */
  async find(agent: AgentKey, sessionId: string): Promise<readonly JournalSummary[]> {
    return (await this.load()).find(agent, sessionId);
  }

  async noteUnprompted(agent: StoredAgent, sessionId: string): Promise<void> {
    await (await this.load()).unprompted.add(agent, sessionId);
  }

  /** True for an agent's session that was created here and never got a message. @param updatedAt of the agent's list, ISO 8601 */
  async isUnprompted(agent: AgentKey, sessionId: string, updatedAt?: string): Promise<boolean> {
    return (await this.load()).unprompted.has(agent, sessionId, updatedAt);
  }

  async readMarks(key: string): Promise<SessionMarks> {
    return (await this.load()).files.readMarks(key);
  }

  async mark(key: string, patch: MarksPatch): Promise<void> {
    return (await this.load()).mark(key, patch);
  }

  async *search(text: string, signal: AbortSignal): AsyncIterable<KeptSessionHit> {
    yield* (await this.load()).search(text, signal);
  }

  async isLiveElsewhere(key: string): Promise<boolean> {
    return (await this.load()).isLiveElsewhere(key);
  }

  onDidChange(listener: () => void): Disposable {
    let subscription: Disposable | undefined;
    let isOver = false;
    void this.load().then((stored) => {
      subscription = isOver ? undefined : stored.onDidChange(listener);
    });
    return {
      dispose: () => {
        isOver = true;
        subscription?.dispose();
      },
    };
  }

  /** Releases this window's sessions for others. */
  dispose(): void {
    this.loaded?.dispose();
  }
}

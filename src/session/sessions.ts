/** The sessions of the window and the agents that they share. */
import { type Failure, type FailureCode, fault } from '../core/model/failure';
import type { StoredAgent } from '../core/agents/agentIds';
import type { AgentLaunch } from '../core/model/agentLaunch';
import type { AdoptedAgent, KeptAgent } from '../core/keeper/keptAgent';
import type { McpServer } from '../core/mcp/mcpServer';
import type { Disposable } from '../core/platform/disposable';
import { NO_ROOTS, type Roots } from '../core/model/roots';
import { type SessionSetup, setupIn } from '../core/model/sessionSetup';
import type { SessionState } from '../core/model/state';
import { isActiveTask } from '../core/background/activeTasks';
import { isBusy } from '../core/model/select';
import { batched } from '../util/batched';
import { DisposableStore } from '../util/disposable';
import type { RootPins } from '../util/rootPins';
import type { RemoteSessionsDependencies } from './agent/remoteSessions';
import { Journal, type JournalFrames, type JournalListener } from './journal/journal';
import type { JournalHeader } from './journal/journalHeader';
import type { ReducedJournal } from './journal/journalReader';
import type { Journals } from './journal/journals';
import type { ReadText } from './diffLocator';
import { watchDiffs } from './diffWatch';
import { watchLength } from './swap/swapWatch';
import { NO_QUEUE } from './journal/storedQueue';
import type { QueueFile } from './journal/queueFile';
import type { Continuation, WaitingStore } from './continuation';
import { watchConnection } from './connectionWatch';
import { restoredQueue } from './messageQueue';
import { type TurnChangesWatch, watchTurnChanges } from './turnChangesWatch';
import { headerFor, journaledAgent } from './sessionAgent';
import type { AgentConnection, Connect } from './agent/agentConnection';
import type { KeptSession } from './agent/keptFrames';
import { AgentConnections } from './agent/agentConnections';
import type { FolderTrust } from './agent/folderTrust';
import { type SessionReference, Session, type SessionDependencies } from './session';

export interface SessionsDependencies
  extends Omit<
    SessionDependencies,
    'start' | 'isCurrent' | 'markStale' | 'retire' | 'leftUnprompted' | 'signedIn' | 'signedOut' | 'isQueueOurs'
  > {
  /** A new key, unique over all windows and time: `[a-z0-9-]+`. */
  mintKey(): string;
  connect(launch: AgentLaunch, cwd: string, adopted?: AdoptedAgent): Connect;
  /** The agents that outlive the window. Absent: there are none. */
  readonly keeping?: Keeping;
  /** Checked before each start of an agent. */
  readonly trust: FolderTrust;
  readonly journals: Journals;
  /** Creates a function that reads files of these folders, from the window's editors or from disk. */
  fileReader?(roots: Roots): ReadText;
  /** Tracks the file changes of a session's turns; disposed with the session. Undefined: changes are not tracked. */
  changes?(session: Session): ChangesFollower;
  /** Values of this agent's environment that must not be stored; see `secretValues`. Called for each event, so it must be fast. */
  secretsOf?(agentId: string): readonly string[];
  readonly waiting?: WaitingStore | undefined;
  /** False when the window was reloaded and its extension host is still running, so that no user sees it. Resolves soon. */
  isWindowThere?(): Promise<boolean>;
  /** The folder for old entries of long conversations; see `swap/entrySwap.ts`. Undefined: they stay in memory. */
  readonly swapFolder?: string;
}

/** Finds the agents of earlier windows, and remembers those of this one. */
export interface Keeping {
  /** Connects to the agent of an earlier window. Undefined when it has ended, or another window has it. */
  adopt(id: string, key: string): Promise<AdoptedAgent | undefined>;
  /** The sessions that a later window must restore, because their agents outlive this one. */
  remember(keys: readonly string[]): void;
}

interface Live {
  readonly session: Session;
  /** Undefined for a recording. */
  readonly journal?: Journal;
  /** Loaded with the first queued message, or when the session begins to wait for a limit's reset. */
  queueFile?: QueueFile;
  queueFileLoading?: Promise<void>;
  /** Loaded with the queue's file. */
  continuation?: Continuation;
  readonly turnChanges?: TurnChangesWatch;
  readonly changes?: ChangesFollower | undefined;
  /** Disposed with the session. */
  readonly owned: DisposableStore;
  /** The part of `owned` that another window takes over with the session. */
  readonly writers?: readonly (Disposable | undefined)[];
  /** True when another window owns the session, or a newer version wrote its journal. */
  readonly isReadOnly?: boolean;
}

/** Tracks the file changes of a session's turns. */
export interface ChangesFollower extends Disposable {
  /** Resolves when the changes are on disk. After `dispose`, nothing is written once it has resolved. */
  flush(): Promise<void>;
}

function readOnlyReason(isNewer: boolean, isRestricted: boolean): FailureCode {
  return isNewer ? 'session.newer_version' : isRestricted ? 'session.restricted_mode' : 'session.live_elsewhere';
}

/** Returns a store that disposes these in this order. */
function owning(...items: readonly (Disposable | undefined)[]): DisposableStore {
  const store = new DisposableStore();
  items.toReversed().forEach((item) => item && store.add(item));
  return store;
}

/** Resolves when the session's events and queue are on disk. */
async function flushed(live: Live): Promise<void> {
  await Promise.all([live.journal?.flush(), live.queueFileLoading, live.changes?.flush()]);
  await live.queueFile?.flush();
}

export class Sessions implements Disposable {
  private readonly live = new Map<string, Live>();
  /** The agents of the window that start or run. */
  readonly agents: AgentConnections;
  private readonly listeners = new Set<() => void>();
  /** Batches the notifications, because one change can be many events. */
  private readonly changedSoon = batched(() => this.changed());
  private disposed = false;
  /** The sessions that are being restored. */
  private readonly restoring = new Map<string, Promise<Session | undefined>>();
  private readonly followers = new WeakMap<AgentConnection, { changed(): void }>();

  constructor(private readonly deps: SessionsDependencies) {
    this.agents = new AgentConnections({
      ...deps,
      secretsOf: this.secretsOf,
      onKept: (connection, kept) => void this.followFrames(connection, kept),
    });
    deps.journals.onRequested((key, force) => this.releaseSession(key, force));
  }

  /** Oldest first. Ended sessions stay until `forget`. */
  get all(): readonly Session[] {
    return [...this.live.values()].map(({ session }) => session);
  }

  get(key: string): Session | undefined {
    return this.live.get(key)?.session;
  }

  /** ms since the epoch; undefined without a journal of this window. */
  readonly createdAt = (key: string): number | undefined => this.live.get(key)?.journal?.header.createdAt;

  /** The newest live session that has this id at this agent, or has requested it. Replayed logs are excluded, because they may claim any id. */
  find(agentId: string, sessionId: string): Session | undefined {
    return this.all.findLast(
      (session) => !session.isRecorded && session.agentId === agentId && session.store.state.sessionId === sessionId,
    );
  }

  /**
   * The dependencies for an agent's `RemoteSessions`, which are loaded by its commands.
   * @param byUser false for automatic requests, which show no question
   */
  remoteSessionsDependencies(chooseMethod: RemoteSessionsDependencies['chooseMethod'], byUser = true): RemoteSessionsDependencies {
    const { account, start, markStale } = this.sessionDependencies();
    const signedIn: RemoteSessionsDependencies['signedIn'] = (agentId, method, by) =>
      this.all.forEach((session) => session.agentId === agentId && session.onSignedInElsewhere(method, by));
    return { account, start, markStale, signedIn, chooseMethod, byUser };
  }

  /** Creates a conversation and opens it: a new session, or with `from` the agent's existing one. `pins`: the folders that the user has agreed to. */
  create(launch: AgentLaunch, setup: SessionSetup, from?: SessionReference, pins?: RootPins): Session {
    const session = this.prepare(launch, setup, from, pins);
    session.open();
    return session;
  }

  /**
   * Makes a session that the caller opens, so that it is shown before its agent starts. See {@link create}.
   * @throws Fault `session.restricted_mode`
   */
  prepare(launch: AgentLaunch, setup: SessionSetup, from?: SessionReference, pins?: RootPins): Session {
    if (this.deps.trust.isRestricted()) {
      throw fault('session.restricted_mode');
    }
    const key = this.deps.mintKey();
    const session = new Session(key, launch, setup, this.sessionDependencies(), launch, from, pins);
    const { agentId, agentName } = launch;
    this.adopt(session, { acpHostJournal: 1, key, agentId, agentName, cwd: setup.cwd, createdAt: this.deps.clock.now() }, false);
    this.changed();
    return session;
  }

  /**
   * Restores the conversation of this journal for reading and, when `launchOf` returns its agent, for resuming. Work that was running counts as
   * interrupted. A live session is returned unchanged; undefined when there is no journal. A session of another window is read-only until that
   * window releases it.
   * @param launchOf finds the agent that the journal names; see `agentOf`
   * @param force takes the session over from the other window
   */
  restore(
    key: string,
    launchOf: (agent: StoredAgent) => AgentLaunch | undefined = () => undefined,
    force = false,
  ): Promise<Session | undefined> {
    const restored = this.restoreNow(key, launchOf, force).finally(() => {
      if (this.restoring.get(key) === restored) {
        this.restoring.delete(key);
      }
    });
    this.restoring.set(key, restored);
    return restored;
  }

  private async restoreNow(
    key: string,
    launchOf: (agent: StoredAgent) => AgentLaunch | undefined,
    force: boolean,
  ): Promise<Session | undefined> {
    const { journals, log } = this.deps;
    const before = this.live.get(key);
    if (before && !before.isReadOnly) {
      return before.session;
    }
    const isRestricted = this.deps.trust.isRestricted();
    // No other window writes the session while this one reads it.
    const isOurs = !isRestricted && (await journals.acquire(key, force));
    const isKept = before !== undefined && !isOurs;
    const [journal, queued] = isKept ? [undefined, NO_QUEUE] : await (await import('./journal/readBack')).readBack(journals, key, log);
    const launch = journal && launchOf(journal.header);
    const adopted = isOurs && launch ? await this.adoptable(key, journal) : undefined;
    // Another call may have restored the session meanwhile.
    const live = this.live.get(key);
    if (live !== before || !journal || this.disposed) {
      return live?.session;
    }
    if (before) {
      this.forget(key);
    }
    const { header, at, opened, wasReady, next, skipped, isNewer, kept } = journal;
    const state = adopted && kept ? kept.state : journal.state;
    if (skipped > 0) {
      log.warn(`${skipped} lines of journal ${key} could not be read.`);
    }
    if (isRestricted && !this.deps.trust.isRestricted()) {
      return this.restoreNow(key, launchOf, force); // Trust was granted in the meantime.
    }
    if (!isOurs || isNewer) {
      await (isNewer && isOurs && journals.release(key));
      return this.addReadOnly(journal, launch, { code: readOnlyReason(isNewer === true, isRestricted) });
    }
    const setup = setupIn({ cwd: header.cwd, additionalDirectories: opened?.additionalDirectories ?? [] });
    // The conversation requested this session and never got it, so no other one may replace it.
    const from = opened?.sessionId !== undefined && !wasReady ? { sessionId: opened.sessionId } : undefined;
    const session = new Session(key, journaledAgent(header, launch), setup, this.sessionDependencies(), launch, from);
    const { agentName } = launch ?? state;
    session.restore({ ...state, agentName, ...restoredQueue(queued, state.entries, adopted !== undefined) }, next);
    session.adoptedTurn = adopted && kept ? kept.state.turn : undefined;
    const first = adopted && kept ? ({ id: kept.id, frame: kept.frame, isCut: true } as const) : kept && 'none';
    this.adopt(session, headerFor(header, launch), true, first);
    if (adopted && kept) {
      session.adopt((await import('./lifecycle/adoption')).adoptionOf(adopted, kept.frame, kept.state.hasEndedMode));
      this.changed();
      return session;
    }
    // The end of the agent in another window is recorded again, with this window's reason.
    const { status, failure } = session.store.state;
    const why: Failure = launch ? { code: 'session.interrupted' } : { code: 'session.agent_removed', params: { agent: header.agentName } };
    if (status !== 'ended' && failure?.code !== why.code) {
      const end = { type: 'disconnected', failure: why } as const;
      // The agent stopped working at its last event, so the time since then must not count.
      if (at === undefined) {
        session.store.append(end);
      } else {
        session.store.restore([{ ...end, at }]);
      }
    }
    this.changed();
    return session;
  }

  /** Resolves to the agent of an earlier window that has this session open. */
  private async adoptable(key: string, { kept, isNewer }: ReducedJournal): Promise<AdoptedAgent | undefined> {
    if (kept?.state.status !== 'ready' || kept.state.sessionId === undefined || isNewer || this.disposed) {
      return undefined;
    }
    const agent = await this.deps.keeping?.adopt(kept.id, key);
    const { capabilities } = kept.state;
    const isIdle = !isBusy(kept.state) && !kept.state.backgroundTasks?.some(isActiveTask);
    if (agent && isIdle && (capabilities.load || capabilities.resume)) {
      // The user's next message opens the session again, which also gives the agent the servers of this window.
      agent.settled(key, false);
      return undefined;
    }
    return agent;
  }

  /**
   * Leaves the agents that keepers hold, so that a later window continues their sessions. Call it after {@link flush}: nothing more is written for
   * these sessions.
   */
  leaveKept(): void {
    for (const { session, writers } of this.live.values()) {
      if (session.connection?.kept && session.store.state.status === 'ready') {
        // The window's end is not the end of the session's questions and commands.
        writers?.forEach((writer) => writer?.dispose());
      }
    }
    this.agents.running.forEach((_, { kept }) => kept?.leave());
  }

  private async followFrames(connection: AgentConnection, kept: KeptAgent): Promise<void> {
    const { followFrames } = await import('./agent/keptFrames');
    const all = (): readonly KeptSession[] => [...this.live.values()].map(({ session, journal }) => ({ session, journal }));
    const remember = (keys: readonly string[]): void => this.deps.keeping?.remember(keys);
    const secrets = (): readonly string[] => {
      const launch = this.agents.running.get(connection)?.launch;
      return launch ? this.secretsOf(launch.agentId) : [];
    };
    const serverOf = (of: string): McpServer | undefined => this.deps.servers?.addressOf?.(of);
    this.followers.set(connection, followFrames(connection, kept, this.deps.clock, all, remember, secrets, serverOf));
  }

  /**
   * Adds a recorded conversation for reading: without an agent, folders or a journal. It ends with the window. No content of the log is sent, not
   * even its queued messages. `state`: the result of `count` events.
   */
  addRecorded(agentName: string, state: SessionState, count: number): Session {
    const key = this.deps.mintKey();
    const agent = { agentId: agentName, agentName };
    const session = new Session(key, agent, setupIn(NO_ROOTS), this.sessionDependencies(), undefined, undefined, undefined, true);
    session.restore({ ...state, queue: [] }, count);
    if (!this.disposed) {
      this.live.set(session.key, { session, owned: this.watching(session) });
      this.changed();
    }
    return session;
  }

  /** Owns the session without any writer of its files. */
  private watching(session: Session): DisposableStore {
    const subscription = session.store.onEvents(() => this.changedSoon());
    return owning(session, subscription);
  }

  /** Adds a conversation that this window must not write. */
  private addReadOnly({ header, state, opened, next }: ReducedJournal, launch: AgentLaunch | undefined, failure: Failure): Session {
    const { key, cwd } = header;
    const setup = setupIn({ cwd, additionalDirectories: opened?.additionalDirectories ?? [] });
    const session = new Session(key, journaledAgent(header, launch), setup, this.sessionDependencies());
    session.restore({ ...state, queue: [] }, next);
    session.store.append({ type: 'disconnected', failure });
    this.live.set(key, { session, isReadOnly: true, owned: this.watching(session) });
    this.changed();
    return session;
  }

  /** Releases the session to another window. Refuses while its agent runs and this window is still open, unless `force` is set. */
  private async releaseSession(key: string, force: boolean): Promise<boolean> {
    // A session that is being restored may get an agent that it must leave with its keeper.
    await this.restoring.get(key)?.catch(() => undefined);
    const live = this.live.get(key);
    if (!live || live.isReadOnly) {
      return true;
    }
    const { status } = live.session.store.state;
    const isRunning = status === 'ready' || status === 'starting';
    if (isRunning && !force && (await (this.deps.isWindowThere?.() ?? true))) {
      return false;
    }
    // The other window continues with the agent itself, and with its other sessions when this window is gone.
    const { connection } = live.session;
    const others = [...this.live.values()].filter((other) => other !== live && other.session.connection === connection);
    const isLeft = connection?.kept !== undefined && (others.length === 0 || !force);
    const released = [live, ...(isLeft ? others : [])];
    await Promise.all(released.map((each) => each.turnChanges?.flush()));
    await Promise.all(released.map(flushed));
    if (isLeft) {
      connection?.kept?.leave();
    }
    released.forEach((each) => this.leave(each));
    return true;
  }

  /** Stops writing the session's files and leaves its agent. */
  private leave(live: Live): void {
    const { session, owned, writers } = live;
    if (this.live.get(session.key) === live) {
      writers?.forEach((writer) => writer && owned.delete(writer));
      this.live.set(session.key, { session, owned, isReadOnly: true });
      session.leave();
      this.changed();
    }
  }

  /** Called when any session has changed. Listeners read the new state themselves. */
  onChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Stops further joins of this agent's processes. Sessions that have joined them continue. */
  markStale(agentId: string): void {
    this.agents.markStale(agentId);
  }

  /** Removes an ended session from the list. */
  forget(key: string): void {
    const entry = this.live.get(key);
    if (entry) {
      this.live.delete(key);
      entry.owned.dispose();
      if (entry.journal) {
        void entry.journal.written().then(() => (this.live.has(key) ? undefined : this.deps.journals.release(key)));
      }
      this.changed();
    }
  }

  /** Deletes a conversation, live or stored. The caller ends a running session first. */
  async remove(key: string): Promise<void> {
    const live = this.live.get(key);
    this.forget(key);
    await (live && flushed(live));
    await this.deps.journals.remove(key);
  }

  /** Resolves when all journals are on disk. */
  async flush(): Promise<void> {
    await Promise.all([...this.live.values()].map(({ turnChanges }) => turnChanges?.flush()));
    await Promise.all([...this.live.values()].map(flushed));
  }

  /** Stops all agents. The journals stay. */
  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
    this.live.forEach(({ owned }) => owned.dispose());
    this.live.clear();
  }

  private sessionDependencies(): SessionDependencies {
    return {
      ...this.deps,
      account: this.agents.trusted(this.deps.account),
      start: (wanted, settled) => this.agents.start(wanted, settled),
      isCurrent: (connection) => this.agents.isCurrent(connection),
      retire: (connection) => this.agents.retire(connection),
      markStale: (agentId) => this.markStale(agentId),
      leftUnprompted: (agent, sessionId) => {
        const noted = this.deps.journals.noteUnprompted?.(agent, sessionId);
        noted?.catch((error: unknown) => this.deps.log.warn(`The unused session ${sessionId} cannot be noted: ${String(error)}`));
      },
      signedIn: (session, method, connection) => {
        const others = this.all.filter((other) => other !== session && other.agentId === session.agentId);
        others.forEach((other) => other.onSignedInElsewhere(method, connection));
      },
      isQueueOurs: ({ key }) => !this.live.get(key)?.isReadOnly && !this.deps.journals.isTaken(key),
      signedOut: (session, connection) => this.all.forEach((other) => other !== session && other.onSignedOutElsewhere(connection)),
    };
  }

  /** Adds the session and writes its events to the journal from now on. */
  private adopt(session: Session, header: JournalHeader, goesOn: boolean, first?: JournalFrames['first']): void {
    const { clock, log, journals, fileReader, swapFolder } = this.deps;
    const listener: JournalListener = {
      lost: () => this.leave(live),
      unsaved: (error) => session.warnUnsaved(error),
      saved: () => live.queueFile?.retry(),
      written: () => void (session.connection && this.followers.get(session.connection)?.changed()),
    };
    const frames: JournalFrames = { position: () => session.connection?.kept?.position, ...(first && { first }) };
    const secrets = (): readonly string[] => this.secretsOf(session.agentId);
    const journal = new Journal(journals.file(header), session.store, clock, log, header, secrets, goesOn, listener, frames);
    const turnChanges = watchTurnChanges(session.store, clock);
    const diffs = fileReader && watchDiffs(session.store, clock, () => fileReader(session.roots));
    const swap = swapFolder === undefined ? undefined : watchLength(session.store, clock, swapFolder, log);
    const keepQueue = (): void => {
      const { queue, continuation } = session.store.state;
      if (queue.length > 0 || continuation) {
        live.queueFileLoading ??= this.loadQueueFile(live, journal);
      }
    };
    const subscription = session.store.onEvents(() => {
      keepQueue();
      this.changedSoon();
    });
    const changes = this.deps.changes?.(session);
    // These are created later, but must be disposed before the journal.
    const queue: Disposable = { dispose: () => [live.queueFile, live.continuation].forEach((each) => each?.dispose()) };
    const connection = watchConnection({ session, clock, random: Math.random, isOurs: () => !journals.isTaken(session.key) });
    const owned = owning(session, subscription, connection, turnChanges, diffs, swap, changes, queue, journal);
    const live: Live = { session, journal, turnChanges, changes, owned, writers: [turnChanges, diffs, changes, queue, journal] };
    this.live.set(session.key, live);
    keepQueue();
  }

  private async loadQueueFile(live: Live, journal: Journal): Promise<void> {
    const { session } = live;
    const { key, store } = session;
    const { journals, clock, log, waiting } = this.deps;
    const [{ QueueFile }, { Continuation }] = await Promise.all([import('./journal/queueFile'), import('./continuation')]);
    if (this.live.get(key) === live) {
      const isOurs = (): boolean => !journals.isTaken(key);
      live.queueFile = new QueueFile(journals, key, store, () => journal.written(), isOurs, log);
      live.continuation = new Continuation({ session, clock, isOurs, waiting });
    }
  }

  private readonly secretsOf = (agentId: string): readonly string[] => this.deps.secretsOf?.(agentId) ?? [];

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }
}

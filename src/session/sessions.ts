/** All sessions of the window, and the agents they share. */
import { type Failure, type FailureCode, fault } from '../core/model/failure';
import { type AgentLaunch, type Disposable, NO_ROOTS, type Roots } from '../core/model/ports';
import { type SessionSetup, setupIn } from '../core/model/sessionSetup';
import type { SessionState } from '../core/model/state';
import { batched } from '../util/batched';
import type { RootPins } from '../util/rootPins';
import type { RemoteSessionsDependencies } from './agent/remoteSessions';
import { Journal, type JournalFile } from './journal/journal';
import type { JournalHeader } from './journal/journalHeader';
import type { FoldedJournal } from './journal/journalReader';
import type { ReadText } from './diffLocator';
import { watchDiffs } from './diffWatch';
import type { QueueFile, QueueFiles } from './journal/queueFile';
import { restoredQueue } from './messageQueue';
import { type TurnChangesWatch, watchTurnChanges } from './turnChangesWatch';
import type { Connect } from './agent/agentConnection';
import { AgentConnections } from './agent/agentConnections';
import type { FolderTrust } from './agent/folderTrust';
import { type SessionReference, Session, type SessionDependencies } from './session';

/** Where journals are kept. */
export interface Journals extends QueueFiles {
  /** The journal of this session, for appending; made on the first write. */
  file(header: JournalHeader): JournalFile;
  /** Its lines, some at a time; none when there is no such journal. */
  portions(key: string): AsyncIterable<readonly string[]>;
  /** Does away with it and what lies beside it; nothing to do where there is none. */
  remove(key: string): Promise<void>;
  /**
   * True when this window may write the session's files from here on: never two do. @param force the user wants it here, whatever another window does
   * with it
   */
  acquire(key: string, force: boolean): Promise<boolean>;
  /** Any window may have it; nothing of it is written here any more. */
  release(key: string): Promise<void>;
  /** Another window has taken it from this one. At once. */
  isTaken(key: string): boolean;
  /** Another window wants a session that this one has: true when it may, and nothing is written of it here by then. */
  onRequested(give: (key: string, force: boolean) => Promise<boolean>): void;
}

export interface SessionsDependencies
  extends Omit<SessionDependencies, 'start' | 'isCurrent' | 'outdate' | 'retire' | 'signedIn' | 'signedOut' | 'isQueueOurs'> {
  /** A new key, unique over all windows and time: `[a-z0-9-]+`. */
  mintKey(): string;
  connect(launch: AgentLaunch, cwd: string): Connect;
  /** Asked before each start of an agent. */
  readonly trust: FolderTrust;
  readonly journals: Journals;
  /** What reads the texts that files of these folders have in the window, or on disk. */
  fileReader?(roots: Roots): ReadText;
  /** Follows what the turns of a session do to files; disposed with the session. Absent: nobody does. */
  changes?(session: Session): ChangesFollower;
  /** Values of this agent's environment that must not be written down; see `secretValues`. Asked with every event: it should be at hand. */
  secretsOf?(agentName: string): readonly string[];
  /** False when nobody can be before this window any more: it was reloaded, and the extension host lives on. Resolves soon. */
  isWindowThere?(): Promise<boolean>;
}

interface Live {
  readonly session: Session;
  /** Absent for what was recorded elsewhere. */
  readonly journal?: Journal;
  /** Its code is loaded with the first message that is queued. */
  queueFile?: QueueFile;
  queueFileLoading?: Promise<void>;
  readonly turnChanges?: TurnChangesWatch;
  readonly diffs?: Disposable | undefined;
  readonly changes?: ChangesFollower | undefined;
  readonly subscription: Disposable;
  /** It can be read here: another window has it, or its journal is of a newer version. */
  readonly isReadOnly?: boolean;
}

/** Follows what the turns of a session do to files. */
export interface ChangesFollower extends Disposable {
  /** What it keeps is on disk when this resolves; once it is disposed nothing more is written after that. */
  flush(): Promise<void>;
}

function readOnlyReason(isNewer: boolean, isRestricted: boolean): FailureCode {
  return isNewer ? 'session.newer_version' : isRestricted ? 'session.restricted_mode' : 'session.live_elsewhere';
}

/** What happened to it is on disk when this resolves. */
async function flushed(live: Live): Promise<void> {
  await Promise.all([live.journal?.flush(), live.queueFileLoading, live.changes?.flush()]);
  await live.queueFile?.flush();
}

export class Sessions implements Disposable {
  private readonly live = new Map<string, Live>();
  private readonly connections: AgentConnections;
  private readonly listeners = new Set<() => void>();
  /** What happens to a session may be many events at a time. */
  private readonly changedSoon = batched(() => this.changed());
  private disposed = false;

  constructor(private readonly ports: SessionsDependencies) {
    this.connections = new AgentConnections({ ...ports, secretsOf: (agentName) => this.secretsOf(agentName) });
    ports.journals.onRequested((key, force) => this.give(key, force));
  }

  /** Oldest first; ended ones stay until they are forgotten. */
  get all(): readonly Session[] {
    return [...this.live.values()].map(({ session }) => session);
  }

  get(key: string): Session | undefined {
    return this.live.get(key)?.session;
  }

  /** The live session with this id at this agent, or about to have it; the newest of several. A replayed log, which may claim any id, is none. */
  find(agentName: string, sessionId: string): Session | undefined {
    return this.all.findLast(
      (session) => !session.isRecorded && session.agentName === agentName && session.store.state.sessionId === sessionId,
    );
  }

  /** For the `RemoteSessions` of an agent, whose code only its commands need. @param byUser false for automatic requests, which show no question */
  remoteSessionsDependencies(chooseMethod: RemoteSessionsDependencies['chooseMethod'], byUser = true): RemoteSessionsDependencies {
    const { account, start, outdate } = this.sessionDependencies();
    const signedIn: RemoteSessionsDependencies['signedIn'] = (agentName, method, by) =>
      this.all.forEach((session) => session.agentName === agentName && session.onSignedInElsewhere(method, by));
    return { account, start, outdate, signedIn, chooseMethod, byUser };
  }

  /**
   * A new conversation with this agent, starting; with `from`, the one that the agent keeps under that id. `pins`: what the folders were when the
   * user was asked about them.
   */
  create(launch: AgentLaunch, setup: SessionSetup, from?: SessionReference, pins?: RootPins): Session {
    const session = this.prepare(launch, setup, from, pins);
    session.open();
    return session;
  }

  /** Makes a session that the caller opens, so that it is shown before its agent starts. See {@link create}. @throws Fault `session.restricted_mode` */
  prepare(launch: AgentLaunch, setup: SessionSetup, from?: SessionReference, pins?: RootPins): Session {
    if (this.ports.trust.isRestricted()) {
      throw fault('session.restricted_mode');
    }
    const key = this.ports.mintKey();
    const session = new Session(key, launch.agentName, setup, this.sessionDependencies(), launch, from, pins);
    const header = { acpHostJournal: 1, key, agentName: launch.agentName, cwd: setup.cwd, createdAt: this.ports.clock.now() } as const;
    this.adopt(session, header, false);
    this.changed();
    return session;
  }

  /**
   * The conversation of this journal, to be read, and with `launchOf` its agent to be resumed: what was running when it was last written counts as interrupted. A live session is
   * returned as it is; undefined when there is no such journal. One that another window has can only be read, until that lets it go. @param force it is taken
   * from the other window
   */
  async restore(
    key: string,
    launchOf: (agentName: string) => AgentLaunch | undefined = () => undefined,
    force = false,
  ): Promise<Session | undefined> {
    const { journals, log } = this.ports;
    const before = this.live.get(key);
    if (before && !before.isReadOnly) {
      return before.session;
    }
    const isRestricted = this.ports.trust.isRestricted();
    // No other window writes the session while this one reads it.
    const isOurs = !isRestricted && (await journals.acquire(key, force));
    const isKept = before !== undefined && !isOurs;
    const [journal, queued] = isKept ? [undefined, []] : await (await import('./journal/readBack')).readBack(journals, key, log);
    // Somebody else may have restored it meanwhile.
    const live = this.live.get(key);
    if (live !== before || !journal || this.disposed) {
      return live?.session;
    }
    if (before) {
      this.forget(key);
    }
    const { header, state, at, opened, wasReady, next, skipped, isNewer } = journal;
    if (skipped > 0) {
      log.warn(`${skipped} lines of journal ${key} could not be read.`);
    }
    if (isRestricted && !this.ports.trust.isRestricted()) {
      return this.restore(key, launchOf, force); // Trust was granted in the meantime.
    }
    if (!isOurs || isNewer) {
      await (isNewer && isOurs && journals.release(key));
      return this.addReadOnly(journal, { code: readOnlyReason(isNewer === true, isRestricted) });
    }
    const setup = setupIn({ cwd: header.cwd, additionalDirectories: opened?.additionalDirectories ?? [] });
    const launch = launchOf(header.agentName);
    // Asked for at the agent, and never had: nothing else will do.
    const from = opened?.sessionId !== undefined && !wasReady ? { sessionId: opened.sessionId } : undefined;
    const session = new Session(key, header.agentName, setup, this.sessionDependencies(), launch, from);
    session.restore({ ...state, queue: restoredQueue(queued, state.entries) }, next);
    this.adopt(session, header, true);
    // Also where the agent had gone or never came: that was in another window.
    const { status, failure } = session.store.state;
    const why: Failure = launch ? { code: 'session.interrupted' } : { code: 'session.agent_removed', params: { agent: header.agentName } };
    if (status !== 'ended' && failure?.code !== why.code) {
      const end = { type: 'disconnected', failure: why } as const;
      // The agent worked no longer than its last event: the time until now is nobody's.
      if (at === undefined) {
        session.store.append(end);
      } else {
        session.store.restore([{ ...end, at }]);
      }
    }
    this.changed();
    return session;
  }

  /**
   * A conversation that was recorded elsewhere, to be read: no agent, no folders, no journal, gone with the window. Nothing that the log claims is sent
   * anywhere, not even its queued messages. `state`: the result of `count` events.
   */
  addRecorded(agentName: string, state: SessionState, count: number): Session {
    const key = this.ports.mintKey();
    const session = new Session(key, agentName, setupIn(NO_ROOTS), this.sessionDependencies(), undefined, undefined, undefined, true);
    session.restore({ ...state, queue: [] }, count);
    if (!this.disposed) {
      this.live.set(session.key, { session, subscription: session.store.onEvents(() => this.changedSoon()) });
      this.changed();
    }
    return session;
  }

  /** A conversation that this window must not write. */
  private addReadOnly({ header, state, opened, next }: FoldedJournal, failure: Failure): Session {
    const { key, agentName, cwd } = header;
    const setup = setupIn({ cwd, additionalDirectories: opened?.additionalDirectories ?? [] });
    const session = new Session(key, agentName, setup, this.sessionDependencies());
    session.restore({ ...state, queue: [] }, next);
    session.store.append({ type: 'disconnected', failure });
    this.live.set(key, { session, isReadOnly: true, subscription: session.store.onEvents(() => this.changedSoon()) });
    this.changed();
    return session;
  }

  /** Another window wants it. It has it unless somebody is before this one, with an agent that runs. */
  private async give(key: string, force: boolean): Promise<boolean> {
    const live = this.live.get(key);
    if (!live || live.isReadOnly) {
      return true;
    }
    const { status } = live.session.store.state;
    const isRunning = status === 'ready' || status === 'starting';
    if (isRunning && !force && (await (this.ports.isWindowThere?.() ?? true))) {
      return false;
    }
    await live.turnChanges?.flush();
    await flushed(live);
    this.leave(live);
    return true;
  }

  /** From here on nothing is written of it, and its agent, if it runs, is left. */
  private leave(live: Live): void {
    const { session, subscription, journal, queueFile } = live;
    if (this.live.get(session.key) === live) {
      live.turnChanges?.dispose();
      live.diffs?.dispose();
      live.changes?.dispose();
      queueFile?.dispose();
      journal?.dispose();
      this.live.set(session.key, { session, subscription, isReadOnly: true });
      session.leave();
      this.changed();
    }
  }

  /** Something about some session changed; listeners read what they need. */
  onChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Processes of this agent live on for those who are there; nobody joins them any more. */
  outdate(agentName: string): void {
    this.connections.outdate(agentName);
  }

  /** Takes an ended session off the list. */
  forget(key: string): void {
    const entry = this.live.get(key);
    if (entry) {
      this.live.delete(key);
      entry.session.dispose();
      entry.subscription.dispose();
      entry.turnChanges?.dispose();
      entry.diffs?.dispose();
      entry.changes?.dispose();
      entry.queueFile?.dispose();
      entry.journal?.dispose();
      if (entry.journal) {
        void entry.journal.written().then(() => (this.live.has(key) ? undefined : this.ports.journals.release(key)));
      }
      this.changed();
    }
  }

  /** Does away with a conversation for good, be it live or only a journal. One that runs should have been ended. */
  async remove(key: string): Promise<void> {
    const live = this.live.get(key);
    this.forget(key);
    await (live && flushed(live));
    await this.ports.journals.remove(key);
  }

  /** All journals are on disk when this resolves. */
  async flush(): Promise<void> {
    await Promise.all([...this.live.values()].map(({ turnChanges }) => turnChanges?.flush()));
    await Promise.all([...this.live.values()].map(flushed));
  }

  /** Stops every agent; the journals keep what was said. */
  dispose(): void {
    this.disposed = true;
    this.listeners.clear();
    for (const { session, journal, queueFile, turnChanges, diffs, changes, subscription } of this.live.values()) {
      session.dispose();
      subscription.dispose();
      turnChanges?.dispose();
      diffs?.dispose();
      changes?.dispose();
      queueFile?.dispose();
      journal?.dispose();
    }
    this.live.clear();
  }

  private sessionDependencies(): SessionDependencies {
    return {
      ...this.ports,
      account: this.connections.trusted(this.ports.account),
      start: (wanted, settled) => this.connections.start(wanted, settled),
      isCurrent: (connection) => this.connections.isCurrent(connection),
      retire: (connection) => this.connections.retire(connection),
      outdate: (agentName) => this.outdate(agentName),
      signedIn: (session, method, connection) => {
        const others = this.all.filter((other) => other !== session && other.agentName === session.agentName);
        others.forEach((other) => other.onSignedInElsewhere(method, connection));
      },
      isQueueOurs: ({ key }) => !this.live.get(key)?.isReadOnly && !this.ports.journals.isTaken(key),
      signedOut: (session, connection) => this.all.forEach((other) => other !== session && other.onSignedOutElsewhere(connection)),
    };
  }

  /** Journals what happens to it from here on. */
  private adopt(session: Session, header: JournalHeader, goesOn: boolean): void {
    const { clock, log, journals, fileReader } = this.ports;
    const journal = new Journal(journals.file(header), session.store, clock, log, header, () => this.secretsOf(session.agentName), goesOn, {
      lost: () => this.leave(live),
      unsaved: (error) => session.warnUnsaved(error),
      saved: () => live.queueFile?.retry(),
    });
    const turnChanges = watchTurnChanges(session.store, clock);
    const diffs = fileReader && watchDiffs(session.store, clock, () => fileReader(session.roots));
    const keepQueue = (): void => {
      if (session.store.state.queue.length > 0) {
        live.queueFileLoading ??= this.loadQueueFile(live, journal);
      }
    };
    const subscription = session.store.onEvents(() => {
      keepQueue();
      this.changedSoon();
    });
    const live: Live = { session, journal, turnChanges, diffs, changes: this.ports.changes?.(session), subscription };
    this.live.set(session.key, live);
    keepQueue();
  }

  private async loadQueueFile(live: Live, journal: Journal): Promise<void> {
    const { key, store } = live.session;
    const { QueueFile } = await import('./journal/queueFile');
    if (this.live.get(key) === live) {
      live.queueFile = new QueueFile(
        this.ports.journals,
        key,
        store,
        () => journal.written(),
        () => !this.ports.journals.isTaken(key),
        this.ports.log,
      );
    }
  }

  private secretsOf(agentName: string): readonly string[] {
    return this.ports.secretsOf?.(agentName) ?? [];
  }

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }
}

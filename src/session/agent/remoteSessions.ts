/**
 * Lists, deletes and renames an agent's stored sessions without a conversation (protocol pages "Session List" and "Session Delete"). Joins the
 * agent's running process or starts one, and stops it on leaving when no session uses it.
 */
import type { Dialect, ListedSession, Ongoing, RemoteStatus, SessionListPage } from '../../acp/dialect';
import type { Outcome } from '../../acp/jsonrpc/rpc';
import type { AuthMethod, SessionCapabilities } from '../../core/model/content';
import { type Failure, Fault, fault } from '../../core/model/failure';
import type { ModelProvider } from '../../core/account/provider';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentConnection, RequestPeer } from './agentConnection';
import type { AgentConnections } from './agentConnections';
import type { RunningAgent } from './agentRequest';
import { inPool } from '../../util/pool';
import { type SignInUi, authenticate, needsNewProcess, signInWith, type SignInStep } from './signIn';

export interface RemoteSessionsDependencies {
  readonly account: SignInUi;
  readonly start: AgentConnections['start'];
  /** True when the user started the operation: they are then asked to trust a folder that is not trusted. */
  readonly byUser: boolean;
  /** Retires the agent's running processes: they do not have the new credentials. */
  markStale(agentId: string): void;
  /** Reports a sign-in, so that sessions waiting for one can continue. */
  signedIn(agentId: string, method: AuthMethod, connection: AgentConnection | undefined): void;
  /** Asks the user for a sign-in method because of `failure`. Resolves to undefined when the user cancels. */
  chooseMethod(agentName: string, methods: readonly AuthMethod[], failure: Failure): Promise<AuthMethod | undefined>;
}

/** Requests for a status at the same time. */
const MAX_PARALLEL = 8;

/** The failure for a request that the agent does not support. */
type NotOffered = 'session.not_listed' | 'session.not_deleted' | 'session.not_titled';

interface Joined {
  /** Undefined until the start is allowed. */
  connection?: AgentConnection;
  readonly dialect: Promise<Dialect>;
  leave(): void;
}

/** Cancels each elicitation: without a conversation there is no view to show a form or to agree to a web page. */
const NOBODY: RequestPeer = { elicit: async () => ({ action: 'cancel' }), onElicitationComplete: () => undefined };

export class RemoteSessions implements Disposable {
  private joined: Joined | undefined;
  private readonly ongoing = new Set<Disposable>();
  private disposed = false;

  constructor(
    private readonly deps: RemoteSessionsDependencies,
    readonly launch: AgentLaunch,
    /** The agent's working folder, unless its entry in the settings names one. Absolute. */
    private readonly cwd: string,
  ) {}

  /** The agent's capabilities. Starts the agent if it is not running. @throws Fault when the agent cannot start */
  async capabilities(): Promise<SessionCapabilities> {
    return (await this.dialect()).sessionCapabilities;
  }

  /** Pages through the agent's sessions: first those of these folders, then the others. */
  pages(folders?: readonly string[]): SessionPages {
    return new SessionPages((query) => this.page(query), folders);
  }

  /** Removes the session from the agent's list; the agent may keep its data. Succeeds for a session that the agent does not know. @throws Fault */
  async delete(sessionId: string): Promise<void> {
    await this.ask<void>((dialect, settled) => dialect.deleteSession?.(sessionId, settled), 'session.not_deleted');
  }

  /** Sets the title and returns the title that the agent has stored. @throws Fault */
  async setTitle(sessionId: string, title: string): Promise<string> {
    return this.ask<string>((dialect, settled) => dialect.setTitle?.(sessionId, title, settled), 'session.not_titled');
  }

  /** Hides the session from the agent's list, or shows it again. Does nothing at an agent that cannot do that. @throws Fault */
  async archive(sessionId: string, isArchived: boolean): Promise<void> {
    await this.ask<void>((dialect, settled) => dialect.archiveSession?.(sessionId, isArchived, settled), { value: undefined });
  }

  /** The endpoints of the agent's models; empty when they cannot be set. @throws Fault */
  async providers(): Promise<readonly ModelProvider[]> {
    return this.ask<readonly ModelProvider[]>((dialect, settled) => dialect.listProviders?.(settled), { value: [] });
  }

  /** Returns the statuses of those sessions whose status the agent reports, by id. @throws Fault when the agent cannot start */
  async statuses(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RemoteStatus>> {
    const dialect = await this.dialect();
    const statuses = new Map<string, RemoteStatus>();
    await inPool(dialect.sessionStatus ? sessionIds : [], MAX_PARALLEL, async (sessionId) => {
      const outcome = await this.answer<RemoteStatus>((settled) => dialect.sessionStatus!(sessionId, settled), 'session.not_listed');
      if (outcome.ok) {
        statuses.set(sessionId, outcome.value);
      }
    });
    return statuses;
  }

  /** Cancels the pending requests and leaves the agent. */
  dispose(): void {
    this.disposed = true;
    this.ongoing.forEach((each) => each.dispose());
    this.joined?.leave();
  }

  private page(query: { readonly cwd?: string; readonly cursor?: string }): Promise<SessionListPage> {
    return this.ask<SessionListPage>((dialect, settled) => dialect.listSessions?.(query, settled), 'session.not_listed');
  }

  /**
   * Sends the request, and repeats it after each sign-in that it needs.
   * @param absent the failure, or the result, when the agent does not support it
   * @throws Fault
   */
  private async ask<T>(
    start: (dialect: Dialect, settled: (outcome: Outcome<T>) => void) => Ongoing | undefined,
    absent: NotOffered | { readonly value: T },
  ): Promise<T> {
    const tried = new Set<string>();
    for (;;) {
      const dialect = await this.dialect();
      const outcome = await this.answer<T>((settled) => start(dialect, settled), absent);
      if (outcome.ok) {
        return outcome.value;
      }
      if (outcome.failure.code !== 'auth.required' || dialect.authMethods.length === 0) {
        throw new Fault(outcome.failure);
      }
      await this.signIn(dialect, outcome.failure, tried);
    }
  }

  private answer<T>(
    start: (settled: (outcome: Outcome<T>) => void) => Ongoing | undefined,
    absent: NotOffered | { readonly value: T },
  ): Promise<Outcome<T>> {
    return new Promise((resolve, reject) => {
      if (this.disposed) {
        reject(fault('request.cancelled'));
        return;
      }
      let over = false;
      const request = start((outcome) => {
        over = true;
        this.ongoing.delete(giveUp);
        resolve(outcome);
      });
      const giveUp: Disposable = {
        dispose: () => {
          this.ongoing.delete(giveUp);
          request?.cancel();
          reject(fault('request.cancelled'));
        },
      };
      if (!request && typeof absent === 'object') {
        resolve({ ok: true, ...absent });
      } else if (!request) {
        reject(fault(absent as NotOffered, { agent: this.launch.agentName }));
      } else if (!over) {
        this.ongoing.add(giveUp);
      }
    });
  }

  /** Resolves when the request can be repeated. @throws Fault when the user cancels, or the sign-in fails */
  private async signIn(dialect: Dialect, failure: Failure, tried: Set<string>): Promise<void> {
    const { launch, cwd, deps } = this;
    const { agentId, agentName } = launch;
    const method = await deps.chooseMethod(agentName, dialect.authMethods, failure);
    if (!method) {
      throw fault('auth.not_finished');
    }
    const connection = this.joined?.connection;
    const agent = connection && { connection, dialect, peer: NOBODY };
    const askAgain = tried.has(method.methodId);
    tried.add(method.methodId);
    let next = await this.step((settled) => signInWith(deps.account, { launch, cwd, method, agent, askAgain }, settled));
    if (needsNewProcess(method) && next !== 'done') {
      deps.markStale(agentId);
    }
    if (next !== 'done') {
      this.joined?.leave();
    }
    if (next === 'authenticate') {
      const renewed = await this.dialect();
      const running: RunningAgent = { connection: this.joined!.connection!, dialect: renewed, peer: NOBODY };
      next = await this.step((settled) => authenticate(running, method.methodId, settled, deps.account.secret(launch, method)));
    }
    deps.signedIn(agentId, method, this.joined?.connection);
  }

  private step(start: (settled: (step: SignInStep) => void) => Disposable): Promise<'done' | 'reconnect' | 'authenticate'> {
    return new Promise((resolve, reject) => {
      const giveUp: Disposable = {
        dispose: () => {
          attempt.dispose();
          reject(fault('request.cancelled'));
        },
      };
      const attempt = start((step) => {
        this.ongoing.delete(giveUp);
        if ('next' in step) {
          resolve(step.next);
        } else {
          reject(new Fault(step.failure));
        }
      });
      this.ongoing.add(giveUp);
    });
  }

  /** The agent's dialect; joins the agent first if necessary. */
  private dialect(): Promise<Dialect> {
    return this.disposed ? Promise.reject(fault('request.cancelled')) : (this.joined ?? this.join()).dialect;
  }

  private join(): Joined {
    let ready: (dialect: Dialect) => void;
    let lost: (error: Fault) => void;
    const dialect = new Promise<Dialect>((resolve, reject) => {
      ready = resolve;
      lost = reject;
    });
    // Prevents an unhandled rejection when no caller is waiting. Callers receive the error through their own promise.
    dialect.catch(() => undefined);
    let membership: Disposable | undefined = undefined;
    let starting: Disposable | undefined = undefined;
    let left = false;
    const leave = (failure: Failure = { code: 'request.cancelled' }): void => {
      left = true;
      if (this.joined === joined) {
        this.joined = undefined;
      }
      lost(new Fault(failure));
      starting?.dispose();
      membership?.dispose();
    };
    const joined: Joined = { dialect, leave };
    this.joined = joined;
    const { launch, cwd, deps } = this;
    starting = deps.start({ launch, roots: { cwd, additionalDirectories: [] }, byUser: deps.byUser }, (outcome) => {
      if (!outcome.ok) {
        leave(outcome.failure);
        return;
      }
      joined.connection = outcome.value;
      membership = outcome.value.join({ onProgress: () => undefined, onReady: (agent) => ready(agent), onEnd: leave });
      if (left) {
        membership.dispose(); // The agent ended while it was being joined.
      }
    });
    return joined;
  }
}

/** Pages per agent: a limit for agents that repeat cursors or never end the list. */
const MAX_PAGES = 1000;
/** Consecutive pages without a session. */
const MAX_EMPTY = 10;

export class SessionPages {
  private readonly sessionIds = new Set<string>();
  private cursors = new Set<string>();
  private cursor: string | undefined;
  private queries: readonly { readonly cwd?: string }[];
  private pages = 0;

  /** @param folders their sessions are listed first */
  constructor(
    private readonly page: (query: { readonly cwd?: string; readonly cursor?: string }) => Promise<SessionListPage>,
    folders: readonly string[] = [],
  ) {
    this.queries = [...folders.map((cwd) => ({ cwd })), {}];
  }

  /** True when no page is left. */
  get done(): boolean {
    return this.queries.length === 0;
  }

  /**
   * The next sessions without those already returned; an empty array at the end. After an error the same page can be requested again.
   * @throws Fault
   */
  async next(): Promise<readonly ListedSession[]> {
    let empty = 0;
    while (this.queries.length > 0) {
      const { sessions, nextCursor } = await this.page({ ...this.queries[0], ...(this.cursor !== undefined && { cursor: this.cursor }) });
      empty = sessions.length === 0 ? empty + 1 : 0;
      this.turn(nextCursor, empty);
      const fresh = sessions.filter(({ sessionId }) => !this.sessionIds.has(sessionId) && this.sessionIds.add(sessionId));
      if (fresh.length > 0) {
        return fresh;
      }
    }
    return [];
  }

  private turn(cursor: string | undefined, empty: number): void {
    if (++this.pages >= MAX_PAGES) {
      this.queries = [];
    } else if (cursor === undefined || this.cursors.has(cursor) || empty >= MAX_EMPTY) {
      this.queries = this.queries.slice(1);
      this.cursors = new Set();
      this.cursor = undefined;
    } else {
      this.cursors.add(cursor);
      this.cursor = cursor;
    }
  }
}

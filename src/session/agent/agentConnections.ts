/** The processes of the agents, shared by their sessions. The only place that starts agents, so the trust in their folders is checked here. */
import type { Settled } from '../../acp/jsonrpc/rpc';
import { redactedLog } from '../../acp/redaction/redactedLog';
import { isProcess, workingFolder } from '../../core/agents/endpoint';
import { type Failure, Fault } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { AdoptedAgent, KeptAgent } from '../../core/keeper/keptAgent';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { Roots } from '../../core/model/roots';
import type { Clock } from '../../core/platform/clock';
import type { SandboxMode } from '../../core/sandbox/sandbox';
import { AgentConnection, type Connect } from './agentConnection';
import type { FolderTrust, TrustRequest } from './folderTrust';
import type { SignInUi } from './signIn';

/** The agent to start, or to join when its process is running. */
export interface AgentStart extends Pick<TrustRequest, 'byUser'> {
  readonly launch: AgentLaunch;
  /** The agent works in `cwd`, unless its entry in the settings names a folder. */
  readonly roots: Roots;
  /** The sandbox of the session. The user's setting when absent. */
  readonly sandbox?: SandboxMode;
  /** Starts a process that no other start joins, as for a test of the agent. */
  readonly isApart?: boolean;
  /** Continues the process of an earlier window. */
  readonly adopted?: AdoptedAgent;
}

/** The start of an agent that runs, or is starting. */
export interface AgentProcess {
  readonly launch: AgentLaunch;
  /** The folder that the agent was started for. */
  readonly cwd: string;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** Follows the agents of a window. Set when its code is loaded. */
export interface AgentWatcher {
  /** An agent starts, runs or has ended, or a session has joined or left it. */
  changed(): void;
  /** An agent has ended. Called once for each. */
  ended(connection: AgentConnection): void;
  /** The reason why this agent must not start now. */
  refusal(launch: AgentLaunch): Failure | undefined;
}

export interface AgentConnectionsDependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly trust: FolderTrust;
  connect(launch: AgentLaunch, cwd: string, adopted?: AdoptedAgent): Connect;
  /** Called when the process of an agent belongs to a keeper. */
  onKept?(connection: AgentConnection, kept: KeptAgent): void;
  /** The user's setting for the sandbox of this agent. Absent: there is none. */
  sandboxModeOf?(agentId: string, agentName: string): SandboxMode;
  /** Values of this agent's environment that must not be written to the log. */
  secretsOf(agentId: string): readonly string[];
}

export class AgentConnections {
  private readonly connections = new Map<string, AgentConnection>();
  /** All agents that start or run, the oldest first. Contains those that later starts do not join. */
  readonly running = new Map<AgentConnection, AgentProcess>();
  watcher: AgentWatcher | undefined;

  constructor(private readonly deps: AgentConnectionsDependencies) {}

  /**
   * Joins the process of this launch, or starts one, once its folders are trusted. Calls `settled` once, immediately or later. After the returned
   * disposable was disposed, `settled` is not called and no process is started.
   */
  start({ launch, roots, byUser, sandbox, isApart = false, adopted }: AgentStart, settled: Settled<AgentConnection>): Disposable {
    let isWanted = true;
    this.deps.trust.check({ folders: [roots.cwd, ...roots.additionalDirectories], byUser }, (refusal) => {
      if (!isWanted) {
        return;
      }
      isWanted = false;
      if (refusal) {
        settled({ ok: false, failure: refusal });
        return;
      }
      const folders = [roots.cwd, ...roots.additionalDirectories];
      const isSandboxed = (sandbox ?? this.deps.sandboxModeOf?.(launch.agentId, launch.agentName)) === 'agent';
      const wanted = isSandboxed ? { ...launch, sandbox: { folders } } : launch;
      const found = isApart
        ? undefined
        : adopted
          ? [...this.running.keys()].find(({ kept }) => kept === adopted.kept)
          : this.connections.get(keyOf(wanted, roots.cwd));
      const failure: Failure | undefined =
        isSandboxed && !isProcess(launch)
          ? { code: 'sandbox.not_a_process', params: { agent: launch.agentName } }
          : found || isApart || adopted
            ? undefined
            : this.watcher?.refusal(launch);
      if (failure) {
        settled({ ok: false, failure });
        return;
      }
      // The folders are pinned before a process exists that could replace them.
      folders.forEach((folder) => void roots.pins?.of(folder));
      settled({ ok: true, value: found ?? this.connection(wanted, roots.cwd, isApart, adopted) });
    });
    return { dispose: () => void (isWanted = false) };
  }

  /** `account`, whose sign-in programs run in trusted folders only. */
  trusted(account: SignInUi): SignInUi {
    return {
      runInTerminal: (launch, cwd, method, signal) =>
        new Promise((resolve, reject) =>
          this.deps.trust.check({ folders: [cwd], byUser: true }, (refusal) =>
            refusal ? reject(new Fault(refusal)) : account.runInTerminal(launch, cwd, method, signal).then(resolve, reject),
          ),
        ),
      askVariables: (launch, method, signal) => account.askVariables(launch, method, signal),
      hasVariables: (launch, method) => account.hasVariables(launch, method),
      askSecret: (...asked) => account.askSecret(...asked),
      secret: (launch, method) => account.secret(launch, method),
    };
  }

  /** False for a connection that later starts do not join. */
  isCurrent(connection: AgentConnection): boolean {
    return [...this.connections.values()].includes(connection);
  }

  /** Stops further joins. The process continues for the sessions that have joined it. */
  retire(connection: AgentConnection): void {
    this.connections.forEach((each, key) => each === connection && this.connections.delete(key));
  }

  /** Retires all processes of this agent; see {@link retire}. */
  markStale(agentId: string): void {
    this.connections.forEach((connection, key) => connection.agentId === agentId && this.connections.delete(key));
  }

  private connection(launch: AgentLaunch, roots: string, isApart: boolean, adopted: AdoptedAgent | undefined): AgentConnection {
    const { log: openLog, connect, secretsOf, clock, onKept } = this.deps;
    const cwd = workingFolder(launch, roots);
    const key = keyOf(launch, roots);
    const log = redactedLog(openLog, () => secretsOf(launch.agentId));
    const changed = (): void => this.watcher?.changed();
    const connection: AgentConnection = new AgentConnection(
      launch.agentId,
      adopted ? connect(launch, cwd, adopted) : connect(launch, cwd),
      log,
      () => {
        if (this.connections.get(key) === connection) {
          this.connections.delete(key);
        }
        // Called twice when the agent ends: its sessions leave then, too.
        if (this.running.delete(connection)) {
          this.watcher?.ended(connection);
          changed();
        }
      },
      changed,
      onKept,
    );
    if (adopted) {
      connection.kept = adopted.kept;
    }
    // A process that was started meanwhile is joined by later starts.
    if (!isApart && !this.connections.has(key)) {
      this.connections.set(key, connection);
    }
    // The process of an earlier window has run longer than this window.
    this.running.set(connection, { launch, cwd, startedAt: adopted?.kept.startedAt ?? clock.now() });
    changed();
    return connection;
  }
}

/** The same for launches that run the same. The name does not change what runs. */
function keyOf(launch: AgentLaunch, cwd: string): string {
  const { agentName: _name, earlierId: _earlier, ...started } = launch;
  return JSON.stringify([started, workingFolder(launch, cwd)]);
}

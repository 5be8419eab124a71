/** The processes of the agents, shared by their sessions. The only place that starts agents, so the trust in their folders is checked here. */
import type { Settled } from '../../acp/jsonrpc/rpc';
import { redactedLog } from '../../acp/redaction/redactedLog';
import { isProcess, workingFolder } from '../../core/agents/endpoint';
import { Fault } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
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
}

/** An agent that starts or runs in this window. */
export interface AgentProcessEntry {
  readonly connection: AgentConnection;
  readonly agentName: string;
  readonly launch: AgentLaunch;
  /** The folder that the agent was started for. */
  readonly cwd: string;
  /** ms since the epoch. */
  readonly startedAt: number;
}

export interface AgentConnectionsDependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly trust: FolderTrust;
  connect(launch: AgentLaunch, cwd: string): Connect;
  /** The user's setting for the sandbox of this agent. Absent: there is none. */
  sandboxModeOf?(agentId: string, agentName: string): SandboxMode;
  /** Values of this agent's environment that must not be written to the log. */
  secretsOf(agentId: string): readonly string[];
}

export class AgentConnections {
  private readonly connections = new Map<string, AgentConnection>();
  private readonly processes = new Set<AgentProcessEntry>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly deps: AgentConnectionsDependencies) {}

  /**
   * Joins the process of this launch, or starts one, once its folders are trusted. Calls `settled` once, immediately or later. After the returned
   * disposable was disposed, `settled` is not called and no process is started.
   */
  start({ launch, roots, byUser, sandbox, isApart = false }: AgentStart, settled: Settled<AgentConnection>): Disposable {
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
      if (isSandboxed && !isProcess(launch)) {
        settled({ ok: false, failure: { code: 'sandbox.not_a_process', params: { agent: launch.agentName } } });
        return;
      }
      // The folders are pinned before a process exists that could replace them.
      folders.forEach((folder) => void roots.pins?.of(folder));
      settled({ ok: true, value: this.connection(isSandboxed ? { ...launch, sandbox: { folders } } : launch, roots.cwd, isApart) });
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
    };
  }

  /** All agents that start or run, the oldest first. Contains those that later starts do not join. */
  get running(): readonly AgentProcessEntry[] {
    return [...this.processes];
  }

  /** Called when an agent starts or ends, and when a session joins or leaves one. */
  onChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
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

  private connection(launch: AgentLaunch, cwd: string, isApart: boolean): AgentConnection {
    const { log: openLog, connect, secretsOf, clock } = this.deps;
    // The name is left out, because it does not change what runs.
    const { agentName, earlierId: _earlier, ...started } = launch;
    const folder = workingFolder(launch, cwd);
    const key = JSON.stringify([started, folder]);
    const found = this.connections.get(key);
    if (found && !isApart) {
      return found;
    }
    const log = redactedLog(openLog, () => secretsOf(launch.agentId));
    const onUnused = (): void => {
      if (this.connections.get(key) === connection) {
        this.connections.delete(key);
      }
      this.processes.forEach((entry) => entry.connection === connection && this.processes.delete(entry));
      this.changed();
    };
    const connection: AgentConnection = new AgentConnection(launch.agentId, connect(launch, folder), log, onUnused, () => this.changed());
    if (!isApart) {
      this.connections.set(key, connection);
    }
    if (connection.isRunning) {
      this.processes.add({ connection, agentName, launch, cwd: folder, startedAt: clock.now() });
      this.changed();
    }
    return connection;
  }

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }
}

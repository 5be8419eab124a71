/**
 * The API that other extensions get from `activate()`. Stable: a breaking change needs a major version of the extension.
 *
 * ```ts
 * const api = await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')?.activate();
 * const session = await api?.newSession({ agentName: 'Claude Code' });
 * await session?.prompt('Explain the open file');
 * ```
 */
import type { Disposable, Event, Uri } from 'vscode';

export interface AcpHostApi {
  /** Increases with each addition within one major version of the extension. 2 since agent providers and a session's events. */
  readonly apiVersion: number;
  /**
   * The agents that ACP: New Session lists: the user's own, those of our list, and those of another client. The demo agent comes first if the user
   * has none, otherwise last.
   */
  agents(): Promise<readonly AgentDescription[]>;
  /**
   * Opens a session in a panel, like ACP: New Session. Asks the user for what `options` leaves open. Undefined when the user cancels. Rejects when
   * `agentName` is not listed.
   */
  newSession(options?: NewSessionOptions): Promise<AcpSession | undefined>;
  /**
   * Adds an agent to every list of agents until it is disposed. Its conversations stay readable afterwards and belong to the provider's id. A name
   * that another agent has gets the id appended. Throws when `id` or `label` is empty, or the id is registered. Since apiVersion 2.
   */
  registerAgentProvider(provider: AgentProvider): Disposable;
  /** The sessions of this window, oldest first. Ended ones are included until their panel is closed. */
  readonly sessions: readonly AcpSession[];
  /** Fires when a session was added, removed or changed. */
  readonly onDidChangeSessions: Event<void>;
}

export interface AgentDescription {
  /** Unique and stable: the key in the setting `acpHost.agents`, or an id with a prefix. */
  readonly agentId?: string;
  /** The display name. */
  readonly agentName: string;
  /**
   * The origin: the user's settings, our list, a registry from which it was installed, an extension's provider, another client's settings, or the
   * demo inside this extension. `workspace`: the settings of the workspace that the user has agreed to.
   */
  readonly source: 'user' | 'predefined' | 'registry' | 'extension' | 'other' | 'workspace' | 'demo';
}

/** The launch options of an agent's process, with the same rules as an entry of the setting `acpHost.agents`. */
export interface AgentLaunchOptions {
  /** A program on the PATH, or an absolute path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to VS Code's environment. The values never appear in logs and journals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute; the session's folder when absent. */
  readonly cwd?: string;
  /** Timeout of a request, in ms. */
  readonly timeoutMs?: number;
}

/** An agent that speaks the Agent Client Protocol over stdio. */
export interface AgentProvider {
  /** Unique and stable: `publisher.extension.agent`. */
  readonly id: string;
  /** The display name. */
  readonly label: string;
  /** A function is called when the list of agents is first needed, and has ten seconds. Its first result counts. */
  readonly launch: AgentLaunchOptions | (() => AgentLaunchOptions | Promise<AgentLaunchOptions>);
}

export interface NewSessionOptions {
  /** The agent's id or name. */
  readonly agentName?: string;
  /** The session's working folder; must be a `file` URI. The user is asked to trust one that is outside the workspace. */
  readonly folder?: Uri;
}

/** starting: the agent is not ready; ready: takes prompts; failed: it did not start; disconnected: it exited; ended: by the user. */
export type AcpSessionStatus = 'starting' | 'ready' | 'failed' | 'disconnected' | 'ended';

export interface AcpSession {
  /** Our own id: unique, and stable when the window restarts. */
  readonly key: string;
  readonly agentId?: string;
  readonly agentName: string;
  readonly title: string;
  readonly status: AcpSessionStatus;
  /** True while a turn runs. */
  readonly busy: boolean;
  /** True while the agent waits for the user's answer. */
  readonly needsYou: boolean;
  /** Sends text as the user would. Resolves when the turn ends. Rejects when the session takes no prompt now or the turn fails. */
  prompt(text: string): Promise<{ readonly stopReason: string }>;
  /** Stops the running turn, if any. */
  cancel(): void;
  /** Fires for each new event of the session. Since apiVersion 2. */
  readonly onDidReceiveEvent: Event<AcpSessionEvent>;
  /** Brings the session's panel to the front. */
  show(): Promise<void>;
  /** Ends the session at the agent. */
  end(): Promise<void>;
}

/** The events of a session, in order. Later versions may add types: ignore unknown ones. */
export type AcpSessionEvent =
  | { readonly type: 'turnStarted'; readonly turnId: string }
  /** Text at the end of a message. `replaces`: the text is the whole message. Content other than text is left out. */
  | {
      readonly type: 'messageChunk';
      readonly role: 'user' | 'agent' | 'thought';
      readonly messageId: string;
      readonly text: string;
      readonly replaces: boolean;
    }
  /** The present state of a tool call. `kind` and `status` are the protocol's words. */
  | {
      readonly type: 'toolCall';
      readonly toolCallId: string;
      readonly title: string;
      readonly kind: string;
      readonly status: string;
      /** `line` is 1-based. */
      readonly locations: readonly { readonly path: string; readonly line?: number }[];
    }
  | {
      readonly type: 'permissionRequested';
      readonly permissionId: string;
      readonly title: string;
      readonly toolCallId?: string;
      readonly options: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
    }
  /** `optionId` is set when the user chose an option. */
  | {
      readonly type: 'permissionResolved';
      readonly permissionId: string;
      readonly outcome: 'selected' | 'cancelled' | 'withdrawn' | 'lost';
      readonly optionId?: string;
    }
  /** `errorCode` is set when the turn failed. */
  | { readonly type: 'turnEnded'; readonly turnId: string; readonly stopReason: string; readonly errorCode?: string }
  | { readonly type: 'statusChanged'; readonly status: AcpSessionStatus }
  /** The agent has replayed the conversation from its beginning. Earlier events no longer count. */
  | { readonly type: 'replaced' };

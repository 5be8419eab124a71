/**
 * What other extensions get from `activate()`. Stable: breaking any of it needs a major version of the extension.
 *
 * ```ts
 * const api = await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')?.activate();
 * const session = await api?.newSession({ agentName: 'Claude Code' });
 * await session?.prompt('Explain the open file');
 * ```
 */
import type { Disposable, Event, Uri } from 'vscode';

export interface AcpHostApi {
  /** Grows with each addition inside one major version of the extension; 2 since agent providers and a session's events. */
  readonly apiVersion: number;
  /** The agents that ACP: New Session lists: the user's own, those we know, another client's; the demo agent first where the user has none, else last. */
  agents(): Promise<readonly AgentDescription[]>;
  /**
   * Opens a session in a panel, as ACP: New Session does; asks for what `options` leaves open.
   * Undefined when the user backs out. Rejects when `agentName` is not listed.
   */
  newSession(options?: NewSessionOptions): Promise<AcpSession | undefined>;
  /**
   * Adds an agent to every list of agents until it is disposed. What was said with it stays readable afterwards. A name that another agent has gets the
   * provider's id behind it. Throws when `id` or `label` is empty, or the id is registered. Since apiVersion 2.
   */
  registerAgentProvider(provider: AgentProvider): Disposable;
  /** The sessions of this window, oldest first; ended ones until their panel is closed. */
  readonly sessions: readonly AcpSession[];
  /** A session came, went, or changed. */
  readonly onDidChangeSessions: Event<void>;
}

export interface AgentDescription {
  /** As in the setting `acpHost.agents`. */
  readonly agentName: string;
  /** Where it comes from: the user's settings, our list, an extension's provider, another client's settings, or the demo inside this extension. */
  readonly source: 'user' | 'predefined' | 'extension' | 'other' | 'demo';
}

/** How an agent's process is started; by the same rules as an entry of the setting `acpHost.agents`. */
export interface AgentLaunchOptions {
  /** A program on the PATH, or an absolute path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Overlaid on VS Code's environment. Values are kept out of logs and journals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute. The session's folder when absent. */
  readonly cwd?: string;
  /** For a request, in ms. */
  readonly timeoutMs?: number;
}

/** An agent that speaks the Agent Client Protocol over stdio. */
export interface AgentProvider {
  /** Unique and stable: `publisher.extension.agent`. */
  readonly id: string;
  /** The name that users read, and under which sessions are kept. */
  readonly label: string;
  /** A function is called when somebody first wants the list of agents, and has ten seconds; its first answer counts. */
  readonly launch: AgentLaunchOptions | (() => AgentLaunchOptions | Promise<AgentLaunchOptions>);
}

export interface NewSessionOptions {
  readonly agentName?: string;
  /** The session's working folder; must be a `file` URI. The user is asked to trust one that is outside the workspace. */
  readonly folder?: Uri;
}

/** starting: the agent is not ready; ready: takes prompts; failed: it did not start; disconnected: it died; ended: by the user. */
export type AcpSessionStatus = 'starting' | 'ready' | 'failed' | 'disconnected' | 'ended';

export interface AcpSession {
  /** Ours, unique, stable over restarts of the window. */
  readonly key: string;
  readonly agentName: string;
  readonly title: string;
  readonly status: AcpSessionStatus;
  /** A turn runs. */
  readonly busy: boolean;
  /** The agent waits for an answer of the user's. */
  readonly needsYou: boolean;
  /** Sends text as the user would. Resolves when the turn ends; rejects when the session takes no prompt now or the turn fails. */
  prompt(text: string): Promise<{ readonly stopReason: string }>;
  /** Stops the running turn, if any. */
  cancel(): void;
  /** What happens in it from now on. Since apiVersion 2. */
  readonly onDidReceiveEvent: Event<AcpSessionEvent>;
  /** Brings the session's panel to the front. */
  show(): Promise<void>;
  /** Ends the session at the agent. */
  end(): Promise<void>;
}

/** What happens in a session, in order. There may be further types later: ignore those you do not know. */
export type AcpSessionEvent =
  | { readonly type: 'turnStarted'; readonly turnId: string }
  /** Text at the end of a message. `replaces`: it is all of the message. What is not text is left out. */
  | {
      readonly type: 'messageChunk';
      readonly role: 'user' | 'agent' | 'thought';
      readonly messageId: string;
      readonly text: string;
      readonly replaces: boolean;
    }
  /** A tool call as it is now. `kind` and `status` are the protocol's words. */
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
  /** `optionId` where the user chose one. */
  | {
      readonly type: 'permissionResolved';
      readonly permissionId: string;
      readonly outcome: 'selected' | 'cancelled' | 'withdrawn' | 'lost';
      readonly optionId?: string;
    }
  /** `errorCode` where the turn failed. */
  | { readonly type: 'turnEnded'; readonly turnId: string; readonly stopReason: string; readonly errorCode?: string }
  | { readonly type: 'statusChanged'; readonly status: AcpSessionStatus }
  /** The agent has told the conversation again from its beginning: what was heard before no longer counts. */
  | { readonly type: 'replaced' };

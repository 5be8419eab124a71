/**
 * What other extensions get from `activate()`. Stable: breaking any of it needs a major version of the extension.
 *
 * ```ts
 * const api = await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')?.activate();
 * const session = await api?.newSession({ agentName: 'Claude Code' });
 * await session?.prompt('Explain the open file');
 * ```
 */
import type { Event, Uri } from 'vscode';

export interface AcpHostApi {
  /** Grows with each addition inside one major version of the extension. */
  readonly apiVersion: 1;
  /** The agents that ACP: New Session lists: the user's own, those we know, another client's; the demo agent first where the user has none, else last. */
  agents(): Promise<readonly AgentDescription[]>;
  /**
   * Opens a session in a panel, as ACP: New Session does; asks for what `options` leaves open.
   * Undefined when the user backs out. Rejects when `agentName` is not listed.
   */
  newSession(options?: NewSessionOptions): Promise<AcpSession | undefined>;
  /** The sessions of this window, oldest first; ended ones until their panel is closed. */
  readonly sessions: readonly AcpSession[];
  /** A session came, went, or changed. */
  readonly onDidChangeSessions: Event<void>;
}

export interface AgentDescription {
  /** As in the setting `acpHost.agents`. */
  readonly agentName: string;
  /** Where it comes from: the user's settings, our list, another client's settings, or the demo inside this extension. */
  readonly source: 'user' | 'predefined' | 'other' | 'demo';
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
  /** Brings the session's panel to the front. */
  show(): Promise<void>;
  /** Ends the session at the agent. */
  end(): Promise<void>;
}

/** An agent whose process the keeper holds, as a window uses it. */
import type { McpServer } from '../mcp/mcpServer';
import type { MessageTransport } from '../model/transport';
import type { Disposable } from '../platform/disposable';
import type { KeptRequest } from './messages';

/** The frames of the agent that this window has handled. */
export interface FramePosition {
  /** The id of the keeper, which is that of the agent's process, too. */
  readonly id: string;
  /** The number of the frame whose listeners run now. */
  readonly handling: number | undefined;
  /** The number of the last frame that was handled. */
  readonly handled: number;
  /** True while a request is handled that an earlier window has stored. */
  readonly isRepeated: boolean;
}

export interface KeptAgent {
  readonly position: FramePosition;
  /** The process of the keeper. */
  readonly keeperPid: number;
  /** When the agent started, in ms since the epoch; undefined where the keeper does not say it. */
  readonly startedAt: number | undefined;
  /** The requests of an earlier window. Empty for an agent that this window has started. */
  readonly requests: readonly KeptRequest[];
  /** The first id that no request of an earlier window has. */
  readonly nextId: number;
  /** The servers of an earlier window that the agent still uses, by the session's key. They contain tokens. */
  readonly servers?: Readonly<Record<string, McpServer | undefined>>;
  /** Called after a frame was handled. */
  onHandled(listener: () => void): Disposable;
  /** Awaited before a frame is sent to the agent, so that the conversation has what caused it. */
  beforeSend: (() => Promise<void> | undefined) | undefined;
  /** Frames up to this number are stored, so that no window needs them again. */
  stored(n: number): void;
  /** Leaves a text for the next window. @param isKept false when no session needs the agent after this window */
  note(note: string, isKept: boolean): void;
  /** Leaves the agent with the keeper: closing the transport no longer ends it. */
  leave(): void;
}

/** An agent of an earlier window, to which this window has connected. */
export interface AdoptedAgent {
  readonly kept: KeptAgent;
  readonly transport: MessageTransport;
  /** Values that the earlier window knew as secrets of the agent. */
  readonly secrets: readonly string[];
  /** Sets the receivers of the facts about the process, before the transport is read. */
  listen(events: KeptAgentEvents): void;
  /** Called for each session of the agent, when it receives the agent's messages, or does not want them. */
  settled(key: string, isAdopted: boolean): void;
}

export interface KeptAgentEvents {
  onStarted?(pid: number): void;
  onStderrLine(line: string): void;
  /** Redacts a text of stderr. */
  withoutSecrets?(text: string): string;
}

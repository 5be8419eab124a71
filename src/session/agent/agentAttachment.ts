/**
 * A session's attachment to an agent's process: from joining the process until leaving it. A request belongs to the attachment that sent it.
 * Responses after {@link AgentAttachment.detach} are ignored.
 */
import type { Dialect } from '../../acp/dialect';
import type { Settled } from '../../acp/jsonrpc/rpc';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentConnection, ConnectionListener, SessionPeer } from './agentConnection';
import { type OwnedRequest, type RequestStart, type RunningAgent, sendRequest } from './agentRequest';

export class AgentAttachment implements Disposable {
  private dialect: Dialect | undefined;
  private membership: Disposable | undefined;
  private claimed: Disposable | undefined;
  /** The pending request that opens the session. Its answer may arrive after `detach`. */
  private opening: OwnedRequest | undefined;
  private isDetached = false;

  constructor(
    readonly connection: AgentConnection,
    private readonly peer: SessionPeer,
  ) {}

  /** Reports the state and the events of the process to `listener`, until `detach`. */
  join({ onProgress, onReady, onEnd }: ConnectionListener): void {
    const membership = this.connection.join({
      onProgress: (command, line) => this.isDetached || onProgress(command, line),
      onReady: (dialect) => {
        if (!this.isDetached) {
          this.dialect = dialect;
          onReady(dialect);
        }
      },
      onEnd: (failure) => this.isDetached || onEnd(failure),
    });
    if (this.isDetached) {
      membership.dispose(); // The agent ended while it was being joined.
    } else {
      this.membership = membership;
    }
  }

  /** The agent, once it has answered `initialize`. */
  get agent(): RunningAgent | undefined {
    const { connection, dialect, peer } = this;
    return dialect && { connection, dialect, peer };
  }

  /** Calls `use` once with the agent, unless it has not answered `initialize`. */
  withAgent(use: (agent: RunningAgent, attachment: AgentAttachment) => void): void {
    const { agent } = this;
    if (agent) {
      use(agent, this);
    }
  }

  /** True while a request for this session has no response: the agent's messages for the session may be caused by it. */
  get isOpenPending(): boolean {
    return this.opening !== undefined;
  }

  /** True while this session receives the messages for the agent's session. */
  get isClaimed(): boolean {
    return this.claimed !== undefined;
  }

  /** Routes the messages for `sessionId` to this session, including those that are buffered. */
  claim(sessionId: string): void {
    this.claimed?.dispose();
    this.claimed = this.connection.claim(sessionId, this.peer);
  }

  release(): void {
    this.claimed?.dispose();
    this.claimed = undefined;
  }

  /** Sends the request that opens the session. @param late called instead of `settled` when the answer arrives after `detach` */
  requestSession<T>(agent: RunningAgent, start: RequestStart<T>, settled: Settled<T>, late?: Settled<T>): void {
    let isAnswered = false;
    const request = sendRequest<T>(agent, start, (outcome) => {
      isAnswered = true;
      this.opening = undefined;
      (this.isDetached ? late : settled)?.(outcome);
    });
    if (!isAnswered) {
      this.opening = request;
    }
  }

  /** Sends any other request. */
  request<T>(agent: RunningAgent, start: RequestStart<T>, settled: Settled<T>): void {
    sendRequest(agent, start, this.whileAttached(settled));
  }

  /** Returns `settled`, wrapped so that it ignores responses after `detach`. */
  whileAttached<T>(settled: Settled<T>): Settled<T> {
    return (outcome) => {
      if (!this.isDetached) {
        settled(outcome);
      }
    };
  }

  /** Ends the attachment: cancels the request that opens the session and ignores the agent's further messages for it. */
  detach(): void {
    this.isDetached = true;
    this.opening?.cancel();
    this.release();
  }

  /** Leaves the process, which stops when its last session leaves. */
  dispose(): void {
    this.membership?.dispose();
    this.membership = undefined;
  }
}

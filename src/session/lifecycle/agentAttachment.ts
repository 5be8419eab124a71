/**
 * One stay of a session at an agent's process: from joining it until leaving it. A request of the session belongs to the stay it was made in:
 * what is answered after {@link AgentAttachment.detach} is nobody's.
 */
import type { Dialect } from '../../acp/dialect';
import type { Settled } from '../../acp/jsonrpc/rpc';
import type { Disposable } from '../../core/model/ports';
import type { AgentConnection, ConnectionListener, SessionPeer } from '../agent/agentConnection';
import { type OwnedRequest, type RequestStart, type RunningAgent, sendRequest } from '../agent/agentRequest';

export class AgentAttachment implements Disposable {
  private dialect: Dialect | undefined;
  private membership: Disposable | undefined;
  private claimed: Disposable | undefined;
  /** The request for the session itself, until it is answered, be that after the stay. */
  private opening: OwnedRequest | undefined;
  private isDetached = false;

  constructor(
    readonly connection: AgentConnection,
    private readonly peer: SessionPeer,
  ) {}

  /** What the process does is told to `listener`, also what it did before, and nothing after the stay. */
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
      membership.dispose(); // It ended while it was being joined.
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

  /** The agent has not yet answered a request for this session: what it says of the session could be because of that. */
  get isOpenPending(): boolean {
    return this.opening !== undefined;
  }

  /** This session answers for the agent's session. */
  get isClaimed(): boolean {
    return this.claimed !== undefined;
  }

  /** From here on this session answers for `sessionId`; what the agent said of it before comes at once. */
  claim(sessionId: string): void {
    this.claimed?.dispose();
    this.claimed = this.connection.claim(sessionId, this.peer);
  }

  release(): void {
    this.claimed?.dispose();
    this.claimed = undefined;
  }

  /** Asks for the session. */
  requestSession<T>(agent: RunningAgent, start: RequestStart<T>, settled: Settled<T>): void {
    let isAnswered = false;
    const request = sendRequest<T>(agent, start, (outcome) => {
      isAnswered = true;
      this.opening = undefined;
      this.whileAttached(settled)(outcome);
    });
    if (!isAnswered) {
      this.opening = request;
    }
  }

  /** Asks for anything else. */
  request<T>(agent: RunningAgent, start: RequestStart<T>, settled: Settled<T>): void {
    sendRequest(agent, start, this.whileAttached(settled));
  }

  /** `settled`, unless the answer comes after the stay. */
  whileAttached<T>(settled: Settled<T>): Settled<T> {
    return (outcome) => {
      if (!this.isDetached) {
        settled(outcome);
      }
    };
  }

  /** The stay is over: a request for the session is given up, and the agent's messages for the session are nobody's. */
  detach(): void {
    this.isDetached = true;
    this.opening?.cancel();
    this.release();
  }

  /** Leaves the process, which is stopped with its last session. */
  dispose(): void {
    this.membership?.dispose();
    this.membership = undefined;
  }
}

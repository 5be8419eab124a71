/** Sends a request to an agent and routes the agent's questions about it. */
import type { Dialect, Ongoing } from '../../acp/dialect';
import type { Settled } from '../../acp/jsonrpc/rpc';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentConnection, RequestPeer } from './agentConnection';

/** A running agent, and the peer that answers its elicitations. */
export interface RunningAgent {
  readonly connection: AgentConnection;
  readonly dialect: Dialect;
  readonly peer: RequestPeer;
}

/** Sends the request and calls `settled` once, with the outcome. */
export type RequestStart<T> = (dialect: Dialect, settled: Settled<T>) => Ongoing;

export interface OwnedRequest {
  /** Asks the agent to cancel the request. It still answers. */
  cancel(): void;
  /** Withdraws the questions that the agent has asked because of the request, and refuses further ones. */
  disown(): void;
}

/** Sends a request. Until it is answered or disowned, `agent.peer` answers the elicitations that name its id. */
export function sendRequest<T>({ connection, dialect, peer }: RunningAgent, start: RequestStart<T>, settled: Settled<T>): OwnedRequest {
  let owned: Disposable | undefined = undefined;
  let isAnswered = false;
  const ongoing = start(dialect, (outcome) => {
    isAnswered = true;
    owned?.dispose();
    settled(outcome);
  });
  if (!isAnswered) {
    owned = connection.own(ongoing.requestId, peer);
  }
  return { cancel: () => ongoing.cancel(), disown: () => owned?.dispose() };
}

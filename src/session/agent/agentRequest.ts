/** A request of ours to an agent, and what the agent asks back because of it. */
import type { Dialect, Ongoing } from '../../acp/dialect';
import type { Settled } from '../../acp/jsonrpc/rpc';
import type { Disposable } from '../../core/model/ports';
import type { AgentConnection, RequestPeer } from './agentConnection';

/** An agent that runs, and who is asked what it elicits because of a request. */
export interface RunningAgent {
  readonly connection: AgentConnection;
  readonly dialect: Dialect;
  readonly peer: RequestPeer;
}

/** Sends it; `settled` is called once with the answer. */
export type RequestStart<T> = (dialect: Dialect, settled: Settled<T>) => Ongoing;

export interface OwnedRequest {
  /** Asks the agent to give up; the answer still comes. */
  cancel(): void;
  /** What the agent has asked because of it is withdrawn, and it can ask nothing more. */
  disown(): void;
}

/** Sends a request. Until it is answered or disowned, `agent.peer` is asked what the agent elicits by the request's id. */
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

/** Connects to an agent over a transport (protocol page "Initialization"): proposes a version, and uses the version of the answer. */
import type { Failure } from '../core/model/failure';
import type { MessageTransport, TransportEnd } from '../core/model/transport';
import type { Client, Dialect } from './dialect';
import { type Fields, isRecord } from './json/fields';
import { Connection, type ConnectionOptions } from './jsonrpc/connection';
import { failed, type Outcome, type Settled, succeeded } from './jsonrpc/rpc';
import type { ClientInfo, InterpreterOptions, ProtocolVersion, Versions } from './protocolVersion';

export interface ConnectOptions extends ConnectionOptions, InterpreterOptions {
  readonly clientInfo: ClientInfo;
  /** ms; `initialize` may have to wait for the download of a package. Default: `timeoutMs`. */
  readonly initializeTimeoutMs?: number;
  /** The agent's process has ended and all pending requests were settled. Not called after `dispose`. */
  onEnd?(failure: Failure, end: TransportEnd): void;
}

/**
 * Sends `initialize` over `transport`. Settles with the live connection, or with a failure: `protocol.version` (the transport is closed then),
 * `protocol.bad_answer`, `request.timeout`, or the agent's exit. `client` receives the agent's messages from the first one on.
 *
 * @param versions the newest is proposed, and messages before the answer are read as its messages.
 */
export function connect(
  transport: MessageTransport,
  versions: Versions,
  client: Client,
  options: ConnectOptions,
  settled: Settled<Dialect>,
): { dispose(failure?: Failure): void } {
  const [proposed] = versions;
  let interpreter = proposed.interpreter(client, options);
  const connection = new Connection(
    transport,
    {
      onRequest: (method, params, respond, signal) => interpreter.onRequest(method, params, respond, signal),
      onNotification: (method, params) => interpreter.onNotification(method, params),
      onEnd: (end, failure) => options.onEnd?.(failure, end),
    },
    options,
  );
  connection.request(
    'initialize',
    proposed.initializeParams(options.clientInfo, options),
    { timeoutMs: options.initializeTimeoutMs ?? options.timeoutMs },
    (outcome) => {
      const agreed = outcome.ok ? agree(outcome.value, versions) : outcome;
      if (!agreed.ok) {
        settled(agreed);
        if (outcome.ok) {
          connection.dispose(agreed.failure);
        }
        return;
      }
      const { version, answer } = agreed.value;
      if (version !== proposed) {
        interpreter = version.interpreter(client, options);
      }
      settled(succeeded(interpreter.dialect(answer, connection)));
    },
  );
  return { dispose: (failure) => connection.dispose(failure) };
}

/** Returns the version in the answer to `initialize`. An agent that omits it means the proposed one. */
function agree(answer: unknown, versions: Versions): Outcome<{ readonly version: ProtocolVersion; readonly answer: Fields }> {
  if (!isRecord(answer)) {
    return failed({ code: 'protocol.bad_answer', params: { method: 'initialize' } });
  }
  const [{ version: expected }] = versions;
  const named = answer.protocolVersion ?? expected;
  const version = versions.find((each) => each.version === Number(named));
  if (!version) {
    const actual = typeof named === 'number' || typeof named === 'string' ? named : JSON.stringify(named);
    return failed({ code: 'protocol.version', params: { expected, actual } });
  }
  return succeeded({ version, answer });
}

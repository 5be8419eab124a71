/** A connection whose transport, clock and listeners the test controls. */
import type { Failure } from '../../../../src/core/model/failure';
import type { TransportEnd } from '../../../../src/core/model/transport';
import { Connection } from '../../../../src/acp/jsonrpc/connection';
import type { Peer } from '../../../../src/acp/jsonrpc/connection';
import type { Respond } from '../../../../src/acp/jsonrpc/incoming';
import type { Outcome } from '../../../../src/acp/jsonrpc/rpc';
import { Trace } from '../../../../src/acp/trace/trace';
import { ndjson } from '../../../../src/acp/transport/ndjson';
import { FakeClock, FakeLog, FakeTransport } from '../support';

interface Request {
  method: string;
  params: unknown;
  respond: Respond;
  signal: AbortSignal;
}

/** A connection whose peer records what happens. Requests stay open until the test answers them. */
export function open(options: { maxLineBytes?: number; peer?: Partial<Peer> } = {}) {
  const transport = new FakeTransport(false);
  const clock = new FakeClock();
  const log = new FakeLog();
  const trace = new Trace(clock);
  const happened: string[] = [];
  const requests: Request[] = [];
  const ends: { end: TransportEnd; failure: Failure }[] = [];
  const connection = new Connection(
    ndjson(transport, options.maxLineBytes),
    {
      onRequest: (method, params, respond, signal) => {
        happened.push(`request ${method}`);
        requests.push({ method, params, respond, signal });
      },
      onNotification: (method, params) => happened.push(`notification ${method} ${JSON.stringify(params)}`),
      onEnd: (end, failure) => {
        happened.push('end');
        ends.push({ end, failure });
      },
      ...options.peer,
    },
    { clock, log, trace },
  );
  const outcomes: Outcome<unknown>[] = [];
  const ask = (method: string, timeoutMs?: number) =>
    connection.request(method, {}, { ...(timeoutMs !== undefined && { timeoutMs }) }, (outcome) => {
      happened.push(`settled ${method}`);
      outcomes.push(outcome);
    });
  return { transport, clock, log, trace, connection, happened, requests, ends, outcomes, ask };
}

export const failureIn = (outcome: Outcome<unknown> | undefined): Failure | undefined =>
  outcome && !outcome.ok ? outcome.failure : undefined;

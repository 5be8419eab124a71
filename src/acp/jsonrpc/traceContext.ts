/**
 * The trace context of the requests to one agent, as W3C "Trace Context" and the protocol page "Extensibility" define it. One trace is the life of the
 * connection, and each request is a span of it.
 */
import { randomBytes } from 'node:crypto';

export interface TraceFields {
  readonly traceparent: string;
  readonly tracestate: string;
}

/** The key of our entry in `tracestate`. Its value is the span, by which a tool finds our part of a trace again. */
const VENDOR = 'acp-host';

/** Returns a function that makes the fields of the next request; undefined while `isOn` is false. */
export function traceContext(isOn: () => boolean, random: (bytes: number) => Buffer = randomBytes): () => TraceFields | undefined {
  let traceId: string | undefined;
  return () => {
    if (!isOn()) {
      return undefined;
    }
    traceId ??= random(16).toString('hex');
    const spanId = random(8).toString('hex');
    // Version 00, and the flag that the trace is recorded.
    return { traceparent: `00-${traceId}-${spanId}-01`, tracestate: `${VENDOR}=${spanId}` };
  };
}

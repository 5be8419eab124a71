/** Opens the transport of an endpoint. The kinds that are available are registered by the caller, because a process belongs to another service. */
import type { Endpoint, EndpointKind } from '../../core/agents/endpoint';
import type { Failure } from '../../core/model/failure';
import type { MessageTransport } from '../../core/model/transport';

type EndpointOf<Kind extends EndpointKind> = Extract<Endpoint, { readonly kind?: Kind }>;

/** How to open each kind of endpoint. A kind that is absent isn't supported yet. */
export type Transports = { readonly [Kind in EndpointKind]?: (endpoint: EndpointOf<Kind>) => MessageTransport };

/** The names of the transports in messages to the user. */
const NAMES: Readonly<Record<EndpointKind, string>> = {
  process: 'stdio',
  ssh: 'SSH',
  websocket: 'WebSocket',
  http: 'HTTP',
  stream: 'stream',
};

/** Never throws. The transport of a kind that isn't registered ends with `connection.unsupported`. */
export function openTransport(endpoint: Endpoint, transports: Transports): MessageTransport {
  const kind = endpoint.kind ?? 'process';
  const open = transports[kind] as ((endpoint: Endpoint) => MessageTransport) | undefined;
  try {
    return open?.(endpoint) ?? ended({ code: 'connection.unsupported', params: { transport: NAMES[kind] } });
  } catch (error) {
    return ended({ code: 'connection.closed', detail: String(error) }); // The code that hands in a stream has failed.
  }
}

/** A transport that never was open. */
function ended(failure: Failure): MessageTransport {
  return {
    // The connection must exist before its end is reported.
    read: (reader) => queueMicrotask(() => reader.end({ failure })),
    write: () => false,
    close: () => undefined,
    describe: () => ({}),
  };
}

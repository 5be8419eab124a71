/** Opens the transport of an agent at an address. Loaded with the first such agent. */
import type { RemoteEndpoint } from '../../../core/agents/endpoint';
import type { Clock } from '../../../core/platform/clock';
import type { MessageTransport } from '../../../core/model/transport';
import { withLateHistory } from './lateHistory';
import { withMappedPaths } from './mappedPaths';
import { type HttpClient, nodeHttp } from './nodeHttp';
import { openSocket } from './nodeSocket';
import { isPlainLoopback } from './ownServer';
import { streamableHttpTransport } from './streamableHttp';
import { webSocketTransport } from './webSocket';

export interface RemoteOptions {
  readonly clock: Clock;
  /** The session's folder. */
  readonly cwd: string;
  readonly maxBytes: number;
  /** True when a proxy may be between this machine and the address. */
  readonly usesProxy: (url: string) => boolean;
}

/** ms for the beginning of a connection, and for the answer to each POST. */
const ANSWER_MS = 30_000;

let client: HttpClient | undefined;

export function openRemote(endpoint: RemoteEndpoint, { clock, cwd, maxBytes, usesProxy }: RemoteOptions): MessageTransport {
  const { url, headers, allowInsecure, pathMapping = {} } = endpoint;
  const isOwnOnly = allowInsecure !== true && isPlainLoopback(url);
  const transport =
    endpoint.kind === 'websocket'
      ? withLateHistory(
          webSocketTransport(
            {
              url,
              headers,
              isOwnOnly,
              maxBytes,
              openTimeoutMs: ANSWER_MS,
              ...(endpoint.subprotocol !== undefined && { subprotocol: endpoint.subprotocol }),
              ...(endpoint.fingerprint !== undefined && { fingerprint: endpoint.fingerprint }),
            },
            openSocket,
            clock,
          ),
          clock,
        )
      : streamableHttpTransport(
          { url, headers, isOwnOnly, maxBytes, answerTimeoutMs: ANSWER_MS },
          (client ??= nodeHttp(usesProxy)).send,
          clock,
        );
  const mapping = Object.entries(pathMapping);
  const outgoing = endpoint.cwd === undefined ? [] : [[cwd, endpoint.cwd] as const];
  return mapping.length === 0 && outgoing.length === 0 ? transport : withMappedPaths(transport, mapping, outgoing);
}

/** The official SDK's server of both remote transports, on loopback. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer, type AcpServerOptions } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer } from 'ws';

export interface SdkServer {
  readonly http: string;
  readonly webSocket: string;
  readonly port: number;
  /** The requests that arrived: method, and the headers that count. */
  readonly requests: readonly string[];
  /** Cuts all connections at once. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * @param before answers a request itself when it returns true
 * @param port of an earlier server that has ended
 */
export async function sdkServer(
  options: AcpServerOptions,
  before: (request: http.IncomingMessage, response: http.ServerResponse) => boolean = () => false,
  port = 0,
): Promise<SdkServer> {
  const acp = new AcpServer(options);
  const handle = createNodeHttpHandler(acp);
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const { 'acp-connection-id': connection, 'acp-session-id': session, cookie } = request.headers;
    const marks = [connection === undefined ? '' : 'connection', session === undefined ? '' : 'session', cookie ?? ''].filter(Boolean);
    requests.push([request.method, ...marks].join(' '));
    if (!before(request, response)) {
      handle(request, response);
    }
  });
  const sockets = new WebSocketServer({ noServer: true });
  const upgrade = createNodeWebSocketUpgradeHandler(acp, sockets as never);
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  return {
    http: `http://${address}`,
    webSocket: `ws://${address}`,
    port: (server.address() as AddressInfo).port,
    requests,
    cut: () => {
      sockets.clients.forEach((client) => client.terminate());
      server.closeAllConnections();
    },
    close: async () => {
      sockets.clients.forEach((client) => client.terminate());
      server.closeAllConnections();
      await acp.close().catch(() => undefined);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

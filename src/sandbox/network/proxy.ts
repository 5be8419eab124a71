/** The only way out of a sandbox: an HTTP proxy on a socket that the sandbox can see. It connects to listed hosts only. */
import { lookup } from 'node:dns/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isPrivateAddress } from '../../core/platform/privateAddress';
import { decideHost, hostEntry } from './hosts';

export interface ProxyDependencies {
  /** The listed hosts, read for each connection, so that a change counts at once. */
  hosts(): readonly string[];
  /** Called with the entry that would allow the connection. */
  onRefused(entry: string): void;
}

export interface Proxy {
  /** The loopback port, when the proxy listens on one. */
  readonly port: number | undefined;
  dispose(): void;
}

const CONNECT_TIMEOUT_MS = 30_000;

/** @param socketPath of the socket to listen on; a free loopback port when undefined @throws the system's error */
export async function startProxy(socketPath: string | undefined, deps: ProxyDependencies): Promise<Proxy> {
  const open = new Set<Duplex>();
  const server = createServer((request, response) => void forward(request, response, deps));
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(request, client, head, deps, open));
  server.on('connection', (socket) => track(open, socket));
  server.on('clientError', (_, socket) => socket.destroy());
  await listen(server, socketPath);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : undefined,
    dispose: () => {
      server.close();
      open.forEach((socket) => socket.destroy());
    },
  };
}

function listen(server: Server, socketPath: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
    if (socketPath === undefined) {
      server.listen(0, '127.0.0.1');
    } else {
      server.listen(socketPath);
    }
  });
}

async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, deps: ProxyDependencies, open: Set<Duplex>): Promise<void> {
  client.on('error', () => client.destroy());
  const target = `http://${request.url ?? ''}`;
  const { hostname, port } = URL.canParse(target) ? new URL(target) : { hostname: '', port: '' };
  // `URL` leaves out the default port of its scheme.
  const number = Number(port || '80');
  const address = hostname === '' ? undefined : await reachable(hostname, number, deps);
  if (address === undefined) {
    client.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${refusalText(hostname)}`);
    return;
  }
  const server = connect({ host: address, port: number });
  track(open, server);
  server.setTimeout(CONNECT_TIMEOUT_MS, () => server.destroy());
  server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'));
  server.once('connect', () => {
    server.setTimeout(0);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    server.write(head);
    server.pipe(client).pipe(server);
  });
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
}

async function forward(request: IncomingMessage, response: ServerResponse, deps: ProxyDependencies): Promise<void> {
  const target = URL.canParse(request.url ?? '') ? new URL(request.url!) : undefined;
  const port = Number(target?.port || '80');
  const address = target?.protocol === 'http:' ? await reachable(target.hostname, port, deps) : undefined;
  if (!target || address === undefined) {
    response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(refusalText(target?.hostname ?? ''));
    return;
  }
  // The address counts. A server for many names would answer for another one.
  const { 'proxy-connection': _connection, 'proxy-authorization': _authorization, ...rest } = request.headers;
  const headers = { ...rest, host: target.host };
  const onward = httpRequest(
    { host: address, port, method: request.method, path: target.pathname + target.search, headers, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** Returns the address to connect to. Undefined for a host that is not listed, and for one that is hidden behind a listed pattern. */
async function reachable(name: string, port: number, deps: ProxyDependencies): Promise<string | undefined> {
  if (name.includes('*')) {
    return undefined; // The entry that would allow it is a pattern. The user must not be offered one.
  }
  const { isAllowed, mayBePrivate } = decideHost(deps.hosts(), name, port);
  const address = isAllowed ? await addressOf(name) : undefined;
  if (!isAllowed || (address !== undefined && !mayBePrivate && isPrivateAddress(address))) {
    deps.onRefused(hostEntry(name, port));
    return undefined;
  }
  // A listed name without an address fails later as an ordinary connection does.
  return address ?? name;
}

async function addressOf(name: string): Promise<string | undefined> {
  return lookup(name.replace(/^\[(.*)\]$/, '$1')).then(
    ({ address }) => address,
    () => undefined,
  );
}

function refusalText(name: string): string {
  return `The sandbox of ACP Host refused a connection to ${name}, which is not in the setting acpHost.sandboxHosts.\n`;
}

function track(open: Set<Duplex>, socket: Socket): void {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
}

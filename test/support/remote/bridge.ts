/**
 * The agents of the scenarios behind the official SDK's server: `ACP_HOST_TEST_TRANSPORT=websocket` or `http` runs the tier over a remote transport.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer } from 'ws';
import type { AgentLaunch, ProcessLaunch } from '../../../src/core/model/agentLaunch';
import { processAgent } from './processAgent.mjs';

/** `stdio`, `websocket` or `http`. */
export const TEST_TRANSPORT = process.env['ACP_HOST_TEST_TRANSPORT'] ?? 'stdio';

/** ms that a message waits for the client to have the one before. A client that never gets it must not stop the agent. */
const HEARD_MS = 2000;

let keepsOrder = false;
/** Called when the client has the message with this JSON text. */
const unheard = new Map<string, () => void>();

/** Lets each message of an agent wait until the client has the one before. @param on false: they are sent as they come */
export function keepOrder(on: boolean): void {
  keepsOrder = on;
}

/** Notes that the client has this message. */
export function heard(json: string): void {
  unheard.get(json)?.();
}

async function deliver(write: (message: unknown) => Promise<void>, message: unknown): Promise<void> {
  const isHeard = keepsOrder ? untilHeard(message) : undefined;
  await write(message);
  await isHeard;
}

async function untilHeard(message: unknown): Promise<void> {
  const json = JSON.stringify(message);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, HEARD_MS);
    unheard.set(json, () => {
      clearTimeout(timer);
      resolve();
    });
  });
  unheard.delete(json);
}

interface Place {
  readonly handle: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  readonly upgrade: ReturnType<typeof createNodeWebSocketUpgradeHandler>;
}

const places: Place[] = [];
const sockets = new WebSocketServer({ noServer: true });
let server: http.Server | undefined;

const placeOf = (request: http.IncomingMessage): Place | undefined => places[Number(request.url?.slice(1))];

/** Starts the server, once, before {@link overTransport} can be used. It does not keep the process of the tests. */
export async function startBridge(): Promise<void> {
  if (TEST_TRANSPORT !== 'stdio' && !server) {
    server = http.createServer((request, response) => placeOf(request)?.handle(request, response));
    server.on('upgrade', (request, socket, head) => placeOf(request)?.upgrade(request, socket, head));
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    server.unref();
  }
}

/** The same agent at an address of the bridge; the launch itself over stdio. */
export function overTransport(launch: ProcessLaunch, cwd: string): AgentLaunch {
  if (TEST_TRANSPORT === 'stdio' || !server) {
    return launch;
  }
  const { command, args } = launch;
  const env = { ...process.env, ...launch.env };
  const acp = new AcpServer({ agent: processAgent({ command, args, cwd: launch.cwd ?? cwd, env }, deliver) });
  places.push({ handle: createNodeHttpHandler(acp), upgrade: createNodeWebSocketUpgradeHandler(acp, sockets as never) });
  const { agentId, agentName, timeoutMs, protocol } = launch;
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/${places.length - 1}`;
  const common = { agentId, agentName, headers: {}, ...(timeoutMs !== undefined && { timeoutMs }), ...(protocol && { protocol }) };
  return TEST_TRANSPORT === 'http'
    ? { ...common, kind: 'http', url: `http://${address}` }
    : { ...common, kind: 'websocket', url: `ws://${address}` };
}

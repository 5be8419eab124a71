/**
 * The agents of the scenarios behind the official SDK's server: `ACP_HOST_TEST_TRANSPORT=websocket` or `http` runs the tier over a remote transport.
 * The process starts with the connection, and ends with it.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer } from 'ws';
import type { AgentLaunch, ProcessLaunch } from '../../../src/core/model/agentLaunch';

type Stream = { readable: ReadableStream<unknown>; writable: WritableStream<unknown> };

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
  const acp = new AcpServer({ createAgent: () => ({ connect: (stream) => run(launch, cwd, stream as Stream) }) });
  places.push({ handle: createNodeHttpHandler(acp), upgrade: createNodeWebSocketUpgradeHandler(acp, sockets as never) });
  const { agentId, agentName, timeoutMs, protocol } = launch;
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/${places.length - 1}`;
  const common = { agentId, agentName, headers: {}, ...(timeoutMs !== undefined && { timeoutMs }), ...(protocol && { protocol }) };
  return TEST_TRANSPORT === 'http'
    ? { ...common, kind: 'http', url: `http://${address}` }
    : { ...common, kind: 'websocket', url: `ws://${address}` };
}

function run(launch: ProcessLaunch, cwd: string, { readable, writable }: Stream): { closed: Promise<void> } {
  const child = spawn(launch.command, launch.args, {
    cwd: launch.cwd ?? cwd,
    env: { ...process.env, ...launch.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const output = writable.getWriter();
  const send = async (message: unknown): Promise<void> => {
    const isHeard = keepsOrder ? untilHeard(message) : undefined;
    await output.write(message);
    await isHeard;
  };
  const lines = createInterface({ input: child.stdout });
  let sent: Promise<unknown> = Promise.resolve();
  lines.on('line', (line) => {
    try {
      const message = JSON.parse(line) as unknown;
      sent = sent.then(() => send(message)).catch(() => undefined);
    } catch {
      // The SDK's server carries messages only.
    }
  });
  const input = readable.getReader();
  void (async () => {
    for (let next = await input.read(); !next.done; next = await input.read()) {
      child.stdin.write(`${JSON.stringify(next.value)}\n`);
    }
    child.stdin.end();
  })().catch(() => child.kill());
  child.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) =>
    child.once('close', () =>
      sent
        .then(() => output.close())
        .catch(() => undefined)
        .then(() => resolve()),
    ),
  );
  return { closed };
}

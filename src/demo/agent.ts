/**
 * The demo agent: a separate program that speaks the protocol on stdin and stdout, so that a first session needs no key and no network. It is a
 * scripted guide and says so.
 */
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { DemoSession } from './session';

const sessions = new Map<string, DemoSession>();
let capabilities: ClientCapabilities = {};

function sessionOf(sessionId: string): DemoSession {
  const session = sessions.get(sessionId);
  if (!session) {
    throw RequestError.resourceNotFound(sessionId);
  }
  return session;
}

const app = agent({ name: 'acp-host-demo' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    capabilities = params.clientCapabilities ?? {};
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'acp-host-demo', title: 'Demo agent', version: '1.0.0' },
      agentCapabilities: {
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        sessionCapabilities: { close: {}, additionalDirectories: {} },
      },
      authMethods: [],
    };
  })
  .onRequest(methods.agent.session.new, ({ params, client }) => {
    const session = new DemoSession(randomUUID(), params.cwd, client, capabilities);
    sessions.set(session.sessionId, session);
    // After the response, because many clients drop updates of a session that they do not know yet.
    setImmediate(() => void session.announce().catch(() => undefined));
    return session.opening;
  })
  .onRequest(methods.agent.session.setMode, async ({ params }) => {
    const session = sessionOf(params.sessionId);
    await session.set('mode', params.modeId);
    await session.sendConfig();
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
    const session = sessionOf(params.sessionId);
    await session.set(params.configId, params.value);
    return { configOptions: session.configOptions };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, signal }) => ({
    stopReason: await sessionOf(params.sessionId).prompt(params.prompt, signal),
  }))
  .onRequest(methods.agent.session.close, ({ params }) => {
    sessions.get(params.sessionId)?.cancel();
    sessions.delete(params.sessionId);
    return {};
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());

const stdout = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;

/** Serves the client in the version that it proposes. The code of version 2 doubles the start time, so it runs only for a client that proposes it. */
async function serve(): Promise<void> {
  const { first, input } = await firstLine(Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>);
  const stream = ndJsonStream(stdout, input);
  if (/"protocolVersion"\s*:\s*1\b/.test(first)) {
    return app.connect(stream).closed;
  }
  const { serveBoth } = await import('./version2');
  return serveBoth(app, stream);
}

/** Reads up to the end of the first line. Returns it, and a stream of the whole input. */
async function firstLine(
  stdin: ReadableStream<Uint8Array>,
): Promise<{ readonly first: string; readonly input: ReadableStream<Uint8Array> }> {
  const reader = stdin.getReader();
  const chunks: Uint8Array[] = [];
  let isOver = false;
  while (!isOver && !chunks.some((chunk) => chunk.includes(10))) {
    const { done, value } = await reader.read();
    isOver = done;
    chunks.push(...(value ? [value] : []));
  }
  const input = new ReadableStream<Uint8Array>({
    start: (controller) => {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      if (isOver) {
        controller.close();
      }
    },
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
  });
  return { first: Buffer.concat(chunks).toString(), input };
}

void serve().then(() => process.exit(0));

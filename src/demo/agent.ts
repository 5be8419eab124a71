/**
 * The demo agent: a separate program that speaks the protocol on stdin and stdout, so that a first session needs no key and no network. It is a
 * scripted guide and says so.
 */
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2';
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { DemoSession } from './session';
import { demoV2 } from './version2';

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

const connection = agentProtocolRouter()
  .withV1(app)
  .withV2(demoV2)
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  );
void connection.closed.then(() => process.exit(0));

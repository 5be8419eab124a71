/** An agent of the official SDK in this process, reached over a stream in memory. */
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { StreamPair } from '../../src/core/agents/endpoint';

export interface StreamAgent {
  /** Our end, for a `StreamEndpoint`. */
  readonly pair: StreamPair;
  /** The agent closes the connection; with a reason the stream breaks. */
  drop(reason?: Error): void;
  /** Resolves when our end has closed the stream. */
  readonly closed: Promise<void>;
}

/** @param answer the agent's answer to each prompt */
export function streamAgent(answer: string): StreamAgent {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  let fromAgent!: ReadableStreamDefaultController<Uint8Array>;
  let isOpen = true;
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => void (fromAgent = controller),
    cancel: () => void (isOpen = false),
  });
  const output = new WritableStream<Uint8Array>({ write: (bytes) => (isOpen ? fromAgent.enqueue(bytes) : undefined) });
  let settleClosed!: () => void;
  const closed = new Promise<void>((resolve) => (settleClosed = resolve));
  const input = toAgent.readable.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush: () => settleClosed() }));
  agent({ name: 'stream' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentInfo: { name: 'stream', version: '1' } }))
    .onRequest(methods.agent.session.new, ({ params }) => ({ sessionId: `in ${params.cwd}` }))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: answer } },
      });
      return { stopReason: 'end_turn' as const };
    })
    .connect(ndJsonStream(output, input));
  return {
    pair: { readable, writable: toAgent.writable },
    drop: (reason) => {
      isOpen = false;
      if (reason) {
        fromAgent.error(reason);
      } else {
        fromAgent.close();
      }
    },
    closed,
  };
}

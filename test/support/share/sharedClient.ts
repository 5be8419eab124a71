/** A client of a sharing: the official SDK's client side over a WebSocket. */
import { client, type ClientCapabilities, type ClientContext, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  Stream,
} from '@agentclientprotocol/sdk';
import { WebSocket } from 'ws';

export interface SharedClientOptions {
  readonly name?: string;
  readonly capabilities?: ClientCapabilities;
  readonly options?: ConstructorParameters<typeof WebSocket>[2];
  readonly permission?: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  readonly elicitation?: (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>;
}

/** Resolves when the condition is true. */
export async function until(what: string, condition: () => boolean, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; !condition(); ) {
    if (Date.now() > end) {
      throw new Error(`Waited too long for ${what}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export class SharedClient {
  readonly updates: SessionUpdate[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  /** The number of questions that were withdrawn. */
  withdrawn = 0;
  closed = false;
  agent!: ClientContext;
  socket!: WebSocket;
  private readonly given: SharedClientOptions;

  constructor(options: SharedClientOptions = {}) {
    this.given = options;
  }

  /** Connects and initializes. Rejects when the connection is refused. */
  async open(url: string, token: string) {
    const { name = 'Pixel', capabilities = {}, options, permission, elicitation } = this.given;
    this.socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` }, perMessageDeflate: false, ...options });
    const stream = streamOf(this.socket);
    this.socket.on('close', () => (this.closed = true));
    await new Promise<void>((resolve, reject) => {
      this.socket.once('open', () => resolve());
      this.socket.once('error', reject);
    });
    const connection = client({ name })
      .onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params.update))
      .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
        this.questions.push(params);
        signal.addEventListener('abort', () => this.withdrawn++);
        return permission ? permission(params, signal) : new Promise<never>(() => undefined);
      })
      .onRequest(methods.client.elicitation.create, ({ params, signal }) =>
        elicitation ? elicitation(params, signal) : Promise.resolve({ action: 'cancel' as const }),
      )
      .connect(stream);
    this.agent = connection.agent;
    return this.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'client', title: name, version: '1' },
      clientCapabilities: capabilities,
    });
  }

  list() {
    return this.agent.request(methods.agent.session.list, {});
  }

  load(sessionId: string) {
    return this.agent.request(methods.agent.session.load, { sessionId, cwd: '/', mcpServers: [] });
  }

  async prompt(sessionId: string, text: string) {
    return (await this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })).stopReason;
  }

  /** The texts of this kind, joined. */
  text(kind: SessionUpdate['sessionUpdate']): string {
    return this.updates
      .flatMap((update) => (update.sessionUpdate === kind && 'content' in update && isText(update.content) ? [update.content.text] : []))
      .join('');
  }

  close(): void {
    this.socket.terminate();
  }
}

function isText(content: unknown): content is { text: string } {
  return typeof content === 'object' && content !== null && 'text' in content;
}

function streamOf(socket: WebSocket): Stream {
  return {
    readable: new ReadableStream({
      start: (controller) => {
        socket.on('message', (data) => controller.enqueue(JSON.parse(String(data)) as never));
        socket.on('close', () => controller.close());
      },
    }),
    writable: new WritableStream({ write: (message) => socket.send(JSON.stringify(message)) }),
  };
}

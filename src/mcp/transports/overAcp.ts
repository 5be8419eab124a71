/**
 * MCP over ACP (unstable): the messages of MCP in those of the agent's connection. Two shapes are served. In the newer one (SDK 2.4.0) the agent
 * names a server in each request. In the older one (RFD) it connects first, and both sides send messages with the connection's id.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server';
import { newToken } from './token';

/** The agent's connection, as far as the servers use it. */
export interface AgentLink {
  notify(method: string, params: object): void;
  /** Resolves to the agent's answer. */
  request(method: string, params: object): Promise<unknown>;
}

/** An error for the agent's request. */
export class McpOverAcpError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface AcpEndpoint {
  readonly serverId: string;
  close(): void;
}

interface Declared {
  readonly agentId: string;
  readonly serve: (transport: Transport) => void;
  readonly channels: Map<AgentLink, Channel>;
}

interface Connected {
  readonly link: AgentLink;
  readonly serverId: string;
  readonly channel: Channel;
}

type Fields = Readonly<Record<string, unknown>>;

/** Requests of one channel without an answer. */
const MAX_ACTIVE = 64;
/** Connections of one server in the older shape. */
const MAX_CONNECTIONS = 16;

/** The member of a notification's `_meta` with its subscription. The SDK has the constant, and is loaded with the agent's first request. */
const SUBSCRIPTION_ID_META_KEY = 'io.modelcontextprotocol/subscriptionId';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const CANCELLED = -32800;
const LIMIT_EXCEEDED = -33000;
const UNAVAILABLE = -33001;
const BACKEND_FAILED = -33002;

export class McpOverAcp {
  private readonly servers = new Map<string, Declared>();
  private readonly connections = new Map<string, Connected>();

  /** Declares a server for one session. Only the agent with this id may use it. @param serverId the id that the agent has from an earlier window */
  open(agentId: string, serve: (transport: Transport) => void, serverId = newToken()): AcpEndpoint {
    this.servers.set(serverId, { agentId, serve, channels: new Map() });
    return { serverId, close: () => this.close(serverId) };
  }

  /** Answers a request of the agent. @throws McpOverAcpError */
  request(agentId: string, link: AgentLink, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const fields = fieldsOf(params);
    switch (method) {
      case 'mcp/connect':
        return Promise.resolve(this.connect(agentId, link, fields));
      case 'mcp/disconnect':
        this.disconnect(this.connected(link, fields));
        return Promise.resolve({});
      case 'mcp/message':
        return fields['connectionId'] === undefined
          ? this.message(agentId, link, fields, signal)
          : this.connectionMessage(this.connected(link, fields), fields, signal);
      default:
        throw new McpOverAcpError(METHOD_NOT_FOUND, `Unknown method: ${method}`);
    }
  }

  /** Handles a notification of the agent. Only the older shape has some. */
  notification(link: AgentLink, method: string, params: unknown): void {
    const fields = fieldsOf(params);
    const connected = this.connections.get(String(fields['connectionId']));
    if (method === 'mcp/message' && connected?.link === link) {
      connected.channel.receive({ jsonrpc: '2.0', method: textOf(fields, 'method'), ...paramsOf(fields) });
    } else if (method === 'mcp/disconnect' && connected?.link === link) {
      this.disconnect({ ...connected, connectionId: String(fields['connectionId']) });
    }
  }

  /** Ends the connections of an agent that has ended. */
  linkEnded(link: AgentLink): void {
    this.servers.forEach(({ channels }) => {
      channels.get(link)?.end();
      channels.delete(link);
    });
    this.connections.forEach((connected, connectionId) => connected.link === link && this.disconnect({ ...connected, connectionId }));
  }

  private close(serverId: string): void {
    const server = this.servers.get(serverId);
    this.servers.delete(serverId);
    server?.channels.forEach((channel) => channel.end());
    this.connections.forEach(
      (connected, connectionId) => connected.serverId === serverId && this.disconnect({ ...connected, connectionId }),
    );
  }

  private server(agentId: string, serverId: string): Declared {
    const server = this.servers.get(serverId);
    if (server?.agentId !== agentId) {
      throw new McpOverAcpError(UNAVAILABLE, 'There is no such server.');
    }
    return server;
  }

  /** The newer shape: the answer contains the inner result or the inner error. */
  private async message(agentId: string, link: AgentLink, fields: Fields, signal: AbortSignal): Promise<unknown> {
    const [serverId, id, method] = [textOf(fields, 'serverId'), textOf(fields, 'requestId'), textOf(fields, 'method')];
    const { channels, serve } = this.server(agentId, serverId);
    let channel = channels.get(link);
    if (!channel) {
      channel = new Channel((requestId, message) => {
        if ('method' in message && requestId !== undefined) {
          link.notify('mcp/message', { serverId, requestId: String(requestId), method: message.method, ...paramsOf(message) });
        }
      });
      channels.set(link, channel);
      serve(channel);
    }
    const answer = await channel.request(id, method, paramsOf(fields), signal);
    return 'error' in answer ? { error: answer.error } : { result: answer.result };
  }

  private connect(agentId: string, link: AgentLink, fields: Fields): object {
    const serverId = textOf(fields, 'acpId');
    const { serve } = this.server(agentId, serverId);
    if ([...this.connections.values()].filter((each) => each.serverId === serverId).length >= MAX_CONNECTIONS) {
      throw new McpOverAcpError(LIMIT_EXCEEDED, `A server has at most ${MAX_CONNECTIONS} connections.`);
    }
    const connectionId = newToken();
    const channel = new Channel((_, message) => {
      if (!('method' in message)) {
        return;
      }
      const sent = { connectionId, method: message.method, ...paramsOf(message) };
      if (!('id' in message)) {
        link.notify('mcp/message', sent);
        return;
      }
      const { id } = message;
      link.request('mcp/message', sent).then(
        (result) => channel.receive({ jsonrpc: '2.0', id, result: fieldsOf(result) }),
        (error: unknown) => channel.receive({ jsonrpc: '2.0', id, error: { code: BACKEND_FAILED, message: String(error) } }),
      );
    });
    this.connections.set(connectionId, { link, serverId, channel });
    serve(channel);
    return { connectionId };
  }

  private connected(link: AgentLink, fields: Fields): Connected & { readonly connectionId: string } {
    const connectionId = textOf(fields, 'connectionId');
    const connected = this.connections.get(connectionId);
    if (connected?.link !== link) {
      throw new McpOverAcpError(UNAVAILABLE, 'There is no such connection.');
    }
    return { ...connected, connectionId };
  }

  private disconnect({ connectionId, channel }: Connected & { readonly connectionId: string }): void {
    this.connections.delete(connectionId);
    channel.end();
  }

  /** The older shape: the inner result is the answer, and the inner error is the error. */
  private async connectionMessage({ channel }: Connected, fields: Fields, signal: AbortSignal): Promise<unknown> {
    const answer = await channel.request(newToken(), textOf(fields, 'method'), paramsOf(fields), signal);
    if ('error' in answer) {
      throw new McpOverAcpError(answer.error.code, answer.error.message);
    }
    return answer.result;
  }
}

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

interface Active {
  settle(answer: Answer): void;
  fail(error: McpOverAcpError): void;
}

/** One connection as the SDK has it. */
class Channel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private readonly active = new Map<string, Active>();
  private isEnded = false;
  /** Messages that arrive while the server is loaded. */
  private early: JSONRPCMessage[] | undefined = [];

  /** @param emit receives the server's notifications and requests, with the request that they belong to */
  constructor(private readonly emit: (requestId: string | number | undefined, message: JSONRPCMessage) => void) {}

  start(): Promise<void> {
    const early = this.early ?? [];
    this.early = undefined;
    early.forEach((message) => this.receive(message));
    return Promise.resolve();
  }

  receive(message: JSONRPCMessage): void {
    if (this.early) {
      this.early.push(message);
    } else if (!this.isEnded) {
      this.onmessage?.(message);
    }
  }

  request(id: string, method: string, params: object, signal: AbortSignal): Promise<Answer> {
    if (this.active.has(id)) {
      throw new McpOverAcpError(INVALID_PARAMS, `The request ${id.slice(0, 100)} is active.`);
    }
    if (this.active.size >= MAX_ACTIVE) {
      throw new McpOverAcpError(LIMIT_EXCEEDED, `A server has at most ${MAX_ACTIVE} active requests.`);
    }
    if (this.isEnded) {
      throw new McpOverAcpError(UNAVAILABLE, 'The server has ended.');
    }
    return new Promise((resolve, reject) => {
      const over = (): void => {
        this.active.delete(id);
        signal.removeEventListener('abort', cancel);
      };
      const active: Active = {
        settle: (answer) => (over(), resolve(answer)),
        fail: (error) => (over(), reject(error)),
      };
      const cancel = (): void => {
        this.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        active.fail(new McpOverAcpError(CANCELLED, 'Cancelled'));
      };
      this.active.set(id, active);
      signal.addEventListener('abort', cancel, { once: true });
      this.receive({ jsonrpc: '2.0', id, method, ...params });
      if (signal.aborted) {
        cancel();
      }
    });
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      this.emit(options?.relatedRequestId ?? subscriptionOf(message), message);
    } else if (message.id !== undefined) {
      this.active.get(String(message.id))?.settle('error' in message ? { error: message.error } : { result: message.result });
    }
    return Promise.resolve();
  }

  end(): void {
    if (!this.isEnded) {
      this.isEnded = true;
      this.active.forEach((active) => active.fail(new McpOverAcpError(BACKEND_FAILED, 'The server has ended.')));
      this.onclose?.();
    }
  }

  close(): Promise<void> {
    this.end();
    return Promise.resolve();
  }
}

/** A change notification has the id of the request that subscribed to it. */
function subscriptionOf(message: { readonly params?: { readonly _meta?: object | undefined } | undefined }): string | number | undefined {
  return (message.params?._meta as Record<string, string | number> | undefined)?.[SUBSCRIPTION_ID_META_KEY];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') {
    throw new McpOverAcpError(INVALID_PARAMS, `${name} must be a text.`);
  }
  return value;
}

/** Null and a missing member mean the same. */
function paramsOf({ params = null }: { readonly params?: unknown }): { readonly params?: Record<string, unknown> } {
  if (params === null) {
    return {};
  }
  if (typeof params !== 'object' || Array.isArray(params)) {
    throw new McpOverAcpError(INVALID_PARAMS, 'params must be an object.');
  }
  const { _meta: meta } = params as Fields;
  if (meta !== undefined && !isMeta(meta)) {
    // The SDK drops such a message without an answer.
    throw new McpOverAcpError(INVALID_PARAMS, 'params._meta is not valid.');
  }
  return { params: params as Record<string, unknown> };
}

function isMeta(meta: unknown): boolean {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    return false;
  }
  const { progressToken: token, 'io.modelcontextprotocol/related-task': task } = meta as Fields;
  const isToken = token === undefined || typeof token === 'string' || Number.isInteger(token);
  return isToken && (task === undefined || typeof fieldsOf(task)['taskId'] === 'string');
}

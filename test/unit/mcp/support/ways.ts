/** The editor's server as a window has it, and clients of the official SDK that reach it in each way. */
import { Client, type JSONRPCMessage, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EditorServers } from '../../../../src/application/mcp/editorServers';
import type { McpServer } from '../../../../src/core/mcp/mcpServer';
import type { Roots } from '../../../../src/core/model/roots';
import type { EditorTool, ToolAnswer } from '../../../../src/mcp/editor/tool';
import type { RequestedCall } from '../../../../src/mcp/editor/toolCall';
import { type DummyTools, dummyTools } from './dummyTools';

export type Way = 'http, 2025' | 'http, 2026' | 'bridge, 2025' | 'bridge, 2026' | 'over ACP' | 'over ACP, older shape';
export const WAYS: readonly Way[] = ['http, 2025', 'http, 2026', 'bridge, 2025', 'bridge, 2026', 'over ACP', 'over ACP, older shape'];

const ROOT = path.resolve(__dirname, '..', '..', '..', '..');
export const AGENT = 'some-agent';
const MODERN = { mode: { pin: '2026-07-28' } };

export interface Scene {
  readonly servers: EditorServers;
  readonly made: DummyTools;
  readonly errors: Error[];
  readonly calls: RequestedCall[];
  readonly answers: ToolAnswer[];
  readonly settings: { mode: unknown; categories: unknown };
  /** Answers to permission questions, in order. Undefined allows. */
  readonly refusals: (string | undefined)[];
  readonly folder: string;
  /** The sessions whose agents are in a sandbox. */
  readonly sandboxed: Set<string>;
  declare(way: Way, key?: string): Promise<McpServer>;
  /** Connects a client. */
  client(way: Way, server: McpServer): Promise<Client>;
  end(): Promise<void>;
}

/** @param tools instead of the dummy ones */
export async function scene(tools?: readonly EditorTool[], roots: Roots = { cwd: '/w', additionalDirectories: [] }): Promise<Scene> {
  const made = dummyTools();
  const folder = await mkdtemp(path.join(tmpdir(), 'm-'));
  const errors: Error[] = [];
  const calls: RequestedCall[] = [];
  const answers: ToolAnswer[] = [];
  const refusals: (string | undefined)[] = [];
  const settings: Scene['settings'] = { mode: 'all', categories: undefined };
  const clients: Client[] = [];
  const sandboxed = new Set<string>();
  const servers = new EditorServers({
    version: '1.0.0',
    bridge: { command: process.execPath, file: path.join(ROOT, 'src/mcp/bridge/bridge.ts') },
    socketFolder: folder,
    tools: () => Promise.resolve(tools ?? made.tools),
    settings: () => settings,
    observer: () =>
      Promise.resolve({
        begin: (call) => {
          calls.push(call);
          return {
            allowed: () => Promise.resolve(call.tool.isReadOnly ? undefined : refusals.shift()),
            ended: (answer) => void answers.push(answer),
          };
        },
      }),
    isSandboxed: (key) => sandboxed.has(key),
    onError: (error) => void errors.push(error),
  });
  return {
    servers,
    made,
    errors,
    calls,
    answers,
    settings,
    refusals,
    folder,
    sandboxed,
    declare: async (way, key = 'a-session') => {
      const capabilities = { stdio: true, http: way.startsWith('http'), sse: false, acp: way.startsWith('over ACP') };
      return (await servers.declare({ key, agentId: AGENT, agentName: 'Some Agent', roots, capabilities }))!;
    },
    client: async (way, server) => {
      const isModern = way === 'over ACP' || way.endsWith('2026');
      const client = new Client(
        { name: 'test', version: '1' },
        { ...(isModern && { versionNegotiation: MODERN }), listChanged: { tools: { autoRefresh: false, onChanged: () => undefined } } },
      );
      clients.push(client);
      await client.connect(transportTo(servers, way, server));
      return client;
    },
    end: async () => {
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
      servers.dispose();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function transportTo(servers: EditorServers, way: Way, server: McpServer): Transport {
  switch (server.type) {
    case 'http':
      return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } });
    case 'stdio':
      return new StdioClientTransport({
        command: server.command,
        args: ['--require', path.join(ROOT, 'test/support/tsx.cjs'), ...server.args],
        env: { ...(process.env as Record<string, string>), ...server.env },
        stderr: 'inherit',
      });
    case 'acp':
      return way === 'over ACP' ? new AcpTransport(servers, server.serverId) : new OlderAcpTransport(servers, server.serverId);
    default:
      throw new Error('No such way');
  }
}

/** A connection to an agent, as far as the channel uses it. */
export function fakeLink(receive: (method: string, params: Record<string, unknown>) => unknown): never {
  return {
    notify: (method: string, params: Record<string, unknown>) => void receive(method, params),
    request: (method: string, params: Record<string, unknown>, _options: object, settled: (outcome: object) => void) =>
      void Promise.resolve(receive(method, params)).then((value) => settled({ ok: true, value })),
  } as never;
}

/** Sends one request of an agent. Rejects with the error's code. */
export function acpRequest(
  servers: EditorServers,
  link: never,
  method: string,
  params: unknown,
  signal = new AbortController().signal,
): Promise<unknown> {
  return new Promise((resolve, reject) =>
    servers.channel(AGENT).request(link, method, params, { result: resolve, error: (fault) => reject(fault) }, signal),
  );
}

/** The agent's side of the newer shape. */
class AcpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly open = new Map<string, AbortController>();
  private readonly link = fakeLink((_, params) =>
    this.onmessage?.({ jsonrpc: '2.0', method: String(params['method']), params: params['params'] as Record<string, unknown> }),
  );

  constructor(
    private readonly servers: EditorServers,
    private readonly serverId: string,
  ) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) {
      return Promise.resolve();
    }
    const { method, params } = message;
    if (!('id' in message)) {
      // Only requests exist in this shape: a cancellation is the one of the outer request.
      this.open.get(String((params as { requestId?: unknown })?.requestId))?.abort();
      return Promise.resolve();
    }
    const { id } = message;
    const abort = new AbortController();
    this.open.set(String(id), abort);
    const { serverId } = this;
    acpRequest(this.servers, this.link, 'mcp/message', { serverId, requestId: String(id), method, params }, abort.signal).then(
      (answer) => this.onmessage?.({ jsonrpc: '2.0', id, ...(answer as object) } as JSONRPCMessage),
      (error: { rpcCode: number; message: string }) =>
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: error.rpcCode, message: error.message } }),
    );
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

/** The agent's side of the older shape. */
class OlderAcpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private connectionId = '';
  private readonly link = fakeLink((_, params) =>
    this.onmessage?.({ jsonrpc: '2.0', method: String(params['method']), params: params['params'] as Record<string, unknown> }),
  );

  constructor(
    private readonly servers: EditorServers,
    private readonly acpId: string,
  ) {}

  async start(): Promise<void> {
    const answer = await acpRequest(this.servers, this.link, 'mcp/connect', { acpId: this.acpId });
    this.connectionId = (answer as { connectionId: string }).connectionId;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) {
      return Promise.resolve();
    }
    const { connectionId, link } = this;
    const params = { connectionId, method: message.method, params: message.params ?? null };
    if (!('id' in message)) {
      this.servers.channel(AGENT).notification(link, 'mcp/message', params);
      return Promise.resolve();
    }
    const { id } = message;
    acpRequest(this.servers, link, 'mcp/message', params).then(
      (result) => this.onmessage?.({ jsonrpc: '2.0', id, result: result as Record<string, unknown> }),
      (error: { rpcCode: number; message: string }) =>
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: error.rpcCode, message: error.message } }),
    );
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await acpRequest(this.servers, this.link, 'mcp/disconnect', { connectionId: this.connectionId });
    this.onclose?.();
  }
}

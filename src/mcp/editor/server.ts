/**
 * The editor's MCP server for one session, on the official SDK. It serves clients of 2025 and of the revision 2026-07-28, over streams and HTTP. It
 * knows neither VS Code nor the session's conversation.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { toJSONSchema } from 'zod';
import { EDITOR_SERVER } from '../../core/mcp/mcpServer';
import { answerText } from './answer';
import { pageOf } from './paging';
import type { EditorTool, ToolSession } from './tool';
import { type CallObserver, inputOf, runTool } from './toolCall';

/** Bytes of one message of a client. */
const MAX_MESSAGE = 4 * 1024 * 1024;
/** Calls that run at once in a session. Later ones wait. */
const MAX_RUNNING = 8;
/** Calls that run or wait in a session. */
const MAX_CALLS = 64;
/** Tools on a page of the list. */
const PAGE = 100;
/** HTTP clients of 2025 in a session. The oldest is closed. */
const MAX_CLIENTS = 16;

/** The same bytes for each session, because prompts are cached. */
const INSTRUCTIONS =
  'Tools of the editor VS Code, which has the workspace open and knows its languages. Prefer them to text search for symbols: they find references, ' +
  'definitions, types and problems as the compiler does. Places are given as file:line, and lines count from 1.';

export interface EditorServerDependencies {
  readonly session: ToolSession;
  /** The version of ACP Host. */
  readonly version: string;
  /** The tools as the settings are now. */
  tools(): readonly EditorTool[];
  readonly observer: CallObserver;
  /** True when clients may know the server from an earlier window. */
  readonly isContinued?: boolean;
  /** Called with the errors of clients and transports. */
  onError(error: Error): void;
  readonly pageSize?: number;
}

/** Ends one connection. */
export interface ServedStream {
  close(): Promise<void>;
}

export class EditorServer {
  private readonly ended = new AbortController();
  private readonly servers = new Set<Server>();
  private readonly streams = new Set<ServedStream>();
  private readonly clients = new Map<string, WebStandardStreamableHTTPServerTransport>();
  private modern: McpHttpHandler | undefined;
  private calls = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly deps: EditorServerDependencies) {}

  /** Serves one connection, such as a socket. */
  serve(transport: Transport): ServedStream {
    const { onError } = this.deps;
    const stream = serveStdio(() => this.server(true), { transport, onerror: onError, maxSubscriptions: 8 });
    const close = transport.onclose;
    this.streams.add(stream);
    transport.onclose = () => {
      this.streams.delete(stream);
      close?.();
    };
    return stream;
  }

  /** Serves a socket, which is paused until then. */
  serveSocket(socket: Socket): ServedStream {
    const transport = new StdioServerTransport(socket, socket, { maxBufferSize: MAX_MESSAGE });
    const stream = this.serve(transport);
    // The transport stops reading when it closes, and leaves the socket open.
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      socket.destroySoon();
    };
    socket.resume();
    return stream;
  }

  /** Answers one HTTP request, which the caller has authorized. */
  async fetch(request: Request): Promise<Response> {
    const sessionId = request.headers.get('mcp-session-id');
    const known = sessionId === null ? undefined : this.clients.get(sessionId);
    if (known) {
      return known.handleRequest(request);
    }
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_MESSAGE }))) {
      this.modern ??= createMcpHandler(() => this.server(false), {
        legacy: 'reject',
        onerror: this.deps.onError,
        maxSubscriptions: 8,
        maxRequestBodySize: MAX_MESSAGE,
      });
      return this.modern.fetch(request);
    }
    const isContinued = sessionId !== null && this.deps.isContinued;
    if (sessionId !== null && !isContinued) {
      // "When a client receives HTTP 404 … it MUST start a new session" (Streamable HTTP of 2025).
      return Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_MESSAGE,
      onsessioninitialized: (id) => this.addClient(id, transport),
      onsessionclosed: (id) => void this.clients.delete(id),
    });
    const server = this.server(true);
    if (isContinued) {
      // Not all clients start a new session after the answer 404. The SDK has no other way to continue one.
      Object.assign(transport, { sessionId, _initialized: true });
      this.addClient(sessionId, transport);
    }
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) {
      // The request has not opened a session.
      await server.close();
    }
    return response;
  }

  /** Notifies the clients that the list of tools has changed. */
  toolsChanged(): void {
    for (const server of this.servers) {
      server.sendToolListChanged().catch(this.deps.onError);
    }
    this.modern?.notify.toolsChanged();
  }

  /** Cancels the running calls and closes all connections. */
  async dispose(): Promise<void> {
    this.ended.abort();
    const { onError } = this.deps;
    const ends = [...this.streams, ...this.servers, ...(this.modern ? [this.modern] : [])].map((each) => each.close().catch(onError));
    await Promise.all(ends);
    this.clients.clear();
  }

  private addClient(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    this.clients.set(id, transport);
    const [oldest] = this.clients;
    if (this.clients.size > MAX_CLIENTS && oldest) {
      this.clients.delete(oldest[0]);
      oldest[1].close().catch(this.deps.onError);
    }
  }

  /** @param isLasting true for a server that stays for more than one request */
  private server(isLasting: boolean): Server {
    const { version, onError, pageSize = PAGE } = this.deps;
    const server = new Server(
      { name: EDITOR_SERVER, title: 'VS Code', version },
      { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
    );
    server.onerror = onError;
    if (isLasting) {
      this.servers.add(server);
      server.onclose = () => void this.servers.delete(server);
    }
    server.setRequestHandler('tools/list', ({ params }) => {
      const page = pageOf(this.tools(), params?.cursor, pageSize);
      if (!page) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor. Ask for the list without one.');
      }
      const { items, nextCursor } = page;
      return { tools: items.map(toolEntry), ...(nextCursor !== undefined && { nextCursor }) };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = this.tools().find(({ name }) => name === params.name);
      if (!tool) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Unknown tool: ${params.name.slice(0, 100)}. The list of tools has its name.`,
        );
      }
      const { progressToken } = mcpReq._meta ?? {};
      let reported = -1;
      let sending: Promise<void> | undefined;
      const progress = (done: number, total: number | undefined, message: string): void => {
        // "The progress value MUST increase with each notification", also while a call waits.
        reported = done > reported ? done : reported + 0.001;
        if (progressToken !== undefined && !mcpReq.signal.aborted) {
          const sent = { progressToken, progress: reported, message, ...(total !== undefined && { total }) };
          sending = mcpReq.notify({ method: 'notifications/progress', params: sent }).catch(onError);
        }
      };
      const signal = AbortSignal.any([mcpReq.signal, this.ended.signal]);
      const { session, observer } = this.deps;
      if (!(await this.enter(signal))) {
        return { content: [{ type: 'text', text: `More than ${MAX_CALLS} calls are open. Wait for their answers.` }], isError: true };
      }
      try {
        const { answer, timedOut } = await runTool({ tool, session, observer, input: params.arguments ?? {}, signal, progress });
        // A report after the answer would belong to no request.
        await sending;
        // The answer has no structured content: some clients give the model that in place of the text, and without the limit of the text.
        return {
          content: [{ type: 'text', text: answerText(answer, timedOut ? tool.timeout : undefined) }],
          ...(answer.isError && { isError: true }),
          ...(timedOut && { _meta: { timedOut: true } }),
        };
      } finally {
        this.leave();
      }
    });
    return server;
  }

  /** Returns the tools by their names, so that the list has the same bytes whatever registered them first. */
  private tools(): readonly EditorTool[] {
    const byName = new Map(this.deps.tools().map((tool) => [tool.name, tool]));
    return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Waits for a place among the running calls. False when too many wait. */
  private async enter(signal: AbortSignal): Promise<boolean> {
    if (this.calls >= MAX_CALLS) {
      return false;
    }
    this.calls++;
    if (this.running >= MAX_RUNNING) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    this.running++;
    return true;
  }

  private leave(): void {
    this.calls--;
    this.running--;
    this.waiting.shift()?.();
  }
}

const entries = new WeakMap<EditorTool, ReturnType<typeof makeEntry>>();

/** The tool in the list. Made once, so that its bytes do not change. */
function toolEntry(tool: EditorTool): ReturnType<typeof makeEntry> {
  const entry = entries.get(tool) ?? makeEntry(tool);
  entries.set(tool, entry);
  return entry;
}

function makeEntry(tool: EditorTool) {
  const made = tool.inputSchema ?? toJSONSchema(inputOf(tool), { io: 'input' });
  const { $schema: _, '~standard': _standard, ...schema } = made as Record<string, unknown>;
  const { name, title, description, isReadOnly } = tool;
  return {
    name,
    title,
    description,
    inputSchema: schema as Tool['inputSchema'],
    annotations: { title, readOnlyHint: isReadOnly, ...(!isReadOnly && { destructiveHint: false }), openWorldHint: false },
  };
}

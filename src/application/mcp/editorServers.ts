/**
 * The editor's MCP server for each session of the window: declared to the agent in the way that fits it, and ended with the session. The SDK and the
 * tools are loaded when an agent uses its server first.
 */
import type { Transport } from '@modelcontextprotocol/server';
import type { Socket } from 'node:net';
import type { McpChannel } from '../../acp/connect';
import { EDITOR_SERVER, type McpServer, type McpStdioServer } from '../../core/mcp/mcpServer';
import { Fault } from '../../core/model/failure';
import type { ServerRequest } from '../../core/mcp/sessionServers';
import type { Disposable } from '../../core/platform/disposable';
import type { EditorServer } from '../../mcp/editor/server';
import type { EditorTool } from '../../mcp/editor/tool';
import type { CallObserver } from '../../mcp/editor/toolCall';
import { LoopbackHttp } from '../../mcp/transports/http';
import { type AgentLink, McpOverAcp, McpOverAcpError } from '../../mcp/transports/overAcp';
import { BridgeSocket, type SocketAddress } from '../../mcp/transports/socket';
import { lazy } from '../../util/lazy';
import { editorToolsModeOf } from './editorToolsSetting';
import { toolsFor } from './toolsFor';

/** The bridge program, and VS Code's own Node that runs it. */
export interface BridgeProgram {
  readonly command: string;
  readonly file: string;
}

export interface EditorServersDependencies {
  readonly version: string;
  readonly bridge: BridgeProgram;
  /** The folder for the bridge's socket. */
  readonly socketFolder: string;
  /** All tools of the window. */
  tools(): Promise<readonly EditorTool[]>;
  /** The user's settings as they are now, unchecked. */
  settings(): { readonly mode: unknown; readonly categories: unknown };
  /** The calls of a session. Undefined when the session has ended. */
  observer(key: string): Promise<CallObserver | undefined>;
  /** Called when the server of a session has ended. */
  ended?(key: string): void;
  /** Called with the window's end. */
  disposed?(): void;
  /** True for an agent in a sandbox, which hides the ports and the sockets of this machine. Only MCP over ACP reaches it. */
  isSandboxed?(key: string): boolean;
  onError(error: Error): void;
}

interface Declared {
  request: ServerRequest;
  /** The declaration that the agent has from an earlier window. */
  readonly earlier: McpServer | undefined;
  /** Undefined until the way is open. */
  declaration: Promise<McpServer> | undefined;
  /** The address that the agent has, or is about to get. */
  address: McpServer | undefined;
  readonly server: () => Promise<EditorServer>;
  /** @param isLeft true when a later window may continue the session */
  close(isLeft?: boolean): Promise<void> | void;
  isEnded: boolean;
  /** Undefined until the agent uses the server. */
  loaded: EditorServer | undefined;
}

type Agent = Pick<ServerRequest, 'agentId' | 'agentName'>;

export class EditorServers implements Disposable {
  private readonly http: LoopbackHttp;
  private readonly socket: BridgeSocket;
  private readonly acp = new McpOverAcp();
  private readonly declared = new Map<string, Declared>();
  private readonly links = new WeakMap<Parameters<McpChannel['request']>[0], AgentLink>();
  private loadTools: () => Promise<readonly EditorTool[]>;
  private tools: readonly EditorTool[] = [];

  constructor(private readonly deps: EditorServersDependencies) {
    this.http = new LoopbackHttp(deps.onError);
    this.socket = new BridgeSocket(deps.onError, deps.socketFolder);
    this.loadTools = lazy(() => this.readTools());
  }

  isActive(agent: Agent): boolean {
    return this.modeOf(agent) !== 'off';
  }

  /**
   * Declares the server for a session. A session that is requested again at the same agent, with other folders, keeps its server: the agent may refuse
   * and continue with it.
   * @param earlier the declaration that the agent has from an earlier window: it takes no other address during a turn. Rejects when that address is in use.
   */
  async declare(request: ServerRequest, earlier?: McpServer): Promise<McpServer | undefined> {
    const before = this.declared.get(request.key);
    if (before?.declaration && this.isActive(request) && isSameWay(before.request, request)) {
      before.request = request;
      return before.declaration;
    }
    this.ended(request.key);
    if (!this.isActive(request) || (!request.capabilities.acp && this.deps.isSandboxed?.(request.key))) {
      return undefined;
    }
    const declared: Declared = {
      request,
      earlier,
      declaration: undefined,
      address: earlier,
      server: lazy(() => this.serverOf(declared)),
      close: () => undefined,
      isEnded: false,
      loaded: undefined,
    };
    this.declared.set(request.key, declared);
    try {
      const server = await (declared.declaration = this.open(declared));
      if (declared.isEnded) {
        await declared.close();
        return undefined;
      }
      return (declared.address = server);
    } catch (error) {
      if (this.declared.get(request.key) === declared) {
        this.declared.delete(request.key);
      }
      throw error;
    }
  }

  /** Returns the server as the session's agent has it, for a later window that continues the session. It contains the token. */
  addressOf(key: string): McpServer | undefined {
    return this.declared.get(key)?.address;
  }

  /**
   * Ends the server of a session: its connections, its token and its listener.
   * @param isLeft true when a later window may continue the session, whose agent then reaches the server there
   */
  ended(key: string, isLeft = false): void {
    const declared = this.declared.get(key);
    this.declared.delete(key);
    if (declared && !declared.isEnded) {
      declared.isEnded = true;
      this.deps.ended?.(key);
      void this.end(declared, isLeft).catch(this.deps.onError);
    }
  }

  /** Reads the tools and the settings again, and notifies the agents. */
  toolsChanged(): void {
    this.loadTools = lazy(() => this.readTools());
    const loaded = [...this.declared.values()].flatMap((each) => each.loaded ?? []);
    if (loaded.length > 0) {
      this.loadTools().then(() => loaded.forEach((server) => server.toolsChanged()), this.deps.onError);
    }
  }

  /** The channel of an agent's connection. */
  channel(agentId: string): McpChannel {
    return {
      request: (connection, method, params, respond, signal) => {
        this.answer(agentId, this.linkOf(connection), method, params, signal).then(
          (result) => respond.result(result),
          (error: unknown) => respond.error(faultOf(error)),
        );
      },
      notification: (connection, method, params) => {
        try {
          this.acp.notification(this.linkOf(connection), method, params);
        } catch (error) {
          this.deps.onError(faultOf(error));
        }
      },
      ended: (connection) => this.acp.linkEnded(this.linkOf(connection)),
    };
  }

  dispose(): void {
    [...this.declared.keys()].forEach((key) => this.ended(key, true));
    this.deps.disposed?.();
  }

  private async answer(...request: Parameters<McpOverAcp['request']>): Promise<unknown> {
    return this.acp.request(...request);
  }

  private modeOf({ agentId, agentName }: Agent) {
    return editorToolsModeOf(this.deps.settings().mode, agentId, agentName);
  }

  private async open(declared: Declared): Promise<McpServer> {
    const name = EDITOR_SERVER;
    const { request, earlier } = declared;
    const { agentId, capabilities } = request;
    const type = earlier?.type ?? (capabilities.acp ? 'acp' : capabilities.http ? 'http' : 'stdio');
    const whenLoaded = (use: (server: EditorServer) => void, failed: () => void): void =>
      void declared.server().then(use, (error: unknown) => {
        this.deps.onError(error instanceof Error ? error : new Error(String(error)));
        failed();
      });
    if (type === 'acp') {
      const serve = (transport: Transport): void =>
        whenLoaded(
          (server) => void server.serve(transport),
          () => void transport.close(),
        );
      const { serverId, close } = this.acp.open(agentId, serve, earlier?.type === 'acp' ? earlier.serverId : undefined);
      declared.close = close;
      return { type, name, serverId };
    }
    if (type !== 'stdio') {
      const answer = async (asked: Request): Promise<Response> => (await declared.server()).fetch(asked);
      const { url, headers, close } = await this.http.open(answer, earlier?.type === 'http' ? earlier : undefined);
      declared.close = close;
      return { type: 'http', name, url, headers };
    }
    const serve = (socket: Socket): void =>
      whenLoaded(
        (server) => void server.serveSocket(socket),
        () => socket.destroy(),
      );
    const { address, token, close } = await this.socket.open(serve, earlier?.type === 'stdio' ? socketOf(earlier) : undefined);
    declared.close = close;
    const { command, file } = this.deps.bridge;
    return {
      type,
      name,
      command,
      args: [file],
      env: { ELECTRON_RUN_AS_NODE: '1', [SOCKET_VARIABLE]: address, [TOKEN_VARIABLE]: token },
    };
  }

  private async serverOf(declared: Declared): Promise<EditorServer> {
    const { key } = declared.request;
    const [{ EditorServer: EditorServer }, observer] = await Promise.all([
      import('../../mcp/editor/server'),
      this.deps.observer(key),
      this.loadTools(),
    ]);
    if (!observer || declared.isEnded) {
      throw new Error('The session has ended.');
    }
    const tools = () => toolsFor(this.tools, this.modeOf(declared.request), this.deps.settings().categories);
    observer.offers?.(tools);
    return (declared.loaded = new EditorServer({
      get session() {
        const { agentId, agentName, roots } = declared.request;
        return { key, agentId, agentName, roots };
      },
      version: this.deps.version,
      isContinued: declared.earlier !== undefined,
      tools,
      observer,
      onError: this.deps.onError,
    }));
  }

  private async readTools(): Promise<readonly EditorTool[]> {
    return (this.tools = await this.deps.tools());
  }

  private async end(declared: Declared, isLeft: boolean): Promise<void> {
    await declared.close(isLeft);
    await declared.loaded?.dispose();
  }

  private linkOf(connection: Parameters<McpChannel['request']>[0]): AgentLink {
    const known = this.links.get(connection);
    if (known) {
      return known;
    }
    const link: AgentLink = {
      notify: (method, params) => connection.notify(method, params),
      request: (method, params) =>
        new Promise((resolve, reject) => {
          connection.request(method, params, {}, (outcome) => (outcome.ok ? resolve(outcome.value) : reject(new Fault(outcome.failure))));
        }),
    };
    this.links.set(connection, link);
    return link;
  }
}

/** The variables of the bridge: see `mcp/bridge/bridge.ts`. */
const SOCKET_VARIABLE = 'ACP_HOST_MCP_SOCKET';
const TOKEN_VARIABLE = 'ACP_HOST_MCP_TOKEN';

function socketOf({ env }: McpStdioServer): SocketAddress {
  return { address: env[SOCKET_VARIABLE] ?? '', token: env[TOKEN_VARIABLE] ?? '' };
}

function isSameWay(a: ServerRequest, b: ServerRequest): boolean {
  return a.agentId === b.agentId && a.capabilities.acp === b.capabilities.acp && a.capabilities.http === b.capabilities.http;
}

function faultOf(error: unknown): Fault {
  const code = error instanceof McpOverAcpError ? error.code : -33002;
  return new Fault({ code: 'internal' }, code, error instanceof Error ? error.message : String(error));
}

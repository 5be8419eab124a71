/** A plain client to test an agent program: the official SDK's client side, over a child process. It records every update, in order. */
import { client, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type {
  ClientCapabilities,
  ClientContext,
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';

export const EVERYTHING: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} } },
};

export interface TestClientOptions {
  readonly cwd: string;
  readonly capabilities?: ClientCapabilities;
  /** The optionId of the answer; `undefined` leaves the request pending. */
  readonly permission?: (request: RequestPermissionRequest) => string | undefined;
  /** The editor's text of files; others are read from disk. */
  readonly buffers?: Map<string, string>;
  /** The error thrown instead of writing. */
  readonly writeError?: string;
  /** The answer to an elicitation. When absent, the client does not offer elicitation. */
  readonly elicitation?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  readonly onUpdate?: (update: SessionUpdate) => void;
}

/** A session with an agent program. `dispose` ends the program. */
export class TestClient {
  readonly updates: SessionUpdate[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  /** Ids of the web pages that the agent has finished. */
  readonly completed: string[] = [];
  readonly written = new Map<string, string>();
  /** Terminals by id; absent when released. */
  readonly terminals = new Map<string, ChildProcess>();
  sessionId = '';
  agent!: ClientContext;
  private child!: ChildProcess;

  constructor(private readonly options: TestClientOptions) {}

  /** Starts the program and opens a session. */
  async open(program: string, args: readonly string[]) {
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const { permission, elicitation, buffers, writeError, onUpdate } = this.options;
    let terminals = 0;
    const outputs = new Map<string, string>();
    const exits = new Map<string, Promise<{ exitCode: number | null; signal: string | null }>>();
    const app = client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
        onUpdate?.(params.update);
      })
      .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
        this.permissions.push(params);
        const optionId = permission?.(params);
        if (optionId !== undefined) {
          return { outcome: { outcome: 'selected', optionId } };
        }
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { outcome: { outcome: 'cancelled' } };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        if (!elicitation) {
          throw RequestError.methodNotFound(methods.client.elicitation.create);
        }
        return elicitation(params);
      })
      .onNotification(methods.client.elicitation.complete, ({ params }) => void this.completed.push(params.elicitationId))
      .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({
        content: buffers?.get(params.path) ?? (await readFile(params.path, 'utf8')),
      }))
      .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
        if (writeError !== undefined) {
          throw new RequestError(-32603, writeError);
        }
        this.written.set(params.path, params.content);
        buffers?.set(params.path, params.content);
        await writeFile(params.path, params.content);
        return {};
      })
      .onRequest(methods.client.terminal.create, ({ params }) => {
        const terminalId = `terminal-${++terminals}`;
        const child = spawn(params.command, params.args ?? [], {
          cwd: params.cwd ?? undefined,
          stdio: ['ignore', 'pipe', 'pipe'],
          shell: !params.args,
        });
        this.terminals.set(terminalId, child);
        outputs.set(terminalId, '');
        const collect = (bytes: Buffer) => outputs.set(terminalId, outputs.get(terminalId) + bytes.toString());
        child.stdout.on('data', collect);
        child.stderr.on('data', collect);
        exits.set(terminalId, new Promise((resolve) => child.on('close', (exitCode, signal) => resolve({ exitCode, signal }))));
        return { terminalId };
      })
      .onRequest(methods.client.terminal.output, ({ params: { terminalId } }) => {
        const { exitCode = null, signalCode: signal = null } = this.terminals.get(terminalId) ?? {};
        const ended = exitCode !== null || signal !== null;
        return { output: outputs.get(terminalId) ?? '', truncated: false, ...(ended && { exitStatus: { exitCode, signal } }) };
      })
      .onRequest(
        methods.client.terminal.waitForExit,
        ({ params }) => exits.get(params.terminalId) ?? Promise.reject(new Error('no such terminal')),
      )
      .onRequest(methods.client.terminal.kill, ({ params }) => void this.terminals.get(params.terminalId)?.kill('SIGKILL'))
      .onRequest(methods.client.terminal.release, ({ params }) => {
        this.terminals.get(params.terminalId)?.kill('SIGKILL');
        this.terminals.delete(params.terminalId);
      });
    const connection = app.connect(
      ndJsonStream(
        Writable.toWeb(this.child.stdin!) as WritableStream<Uint8Array>,
        Readable.toWeb(this.child.stdout!) as ReadableStream<Uint8Array>,
      ),
    );
    this.agent = connection.agent;
    const initialized = await this.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: this.options.capabilities ?? { ...EVERYTHING, ...(elicitation && { elicitation: { form: {}, url: {} } }) },
    });
    const opened = await this.agent.request(methods.agent.session.new, { cwd: this.options.cwd, mcpServers: [] });
    this.sessionId = opened.sessionId;
    return { initialized, opened };
  }

  async prompt(...prompt: (string | ContentBlock)[]): Promise<StopReason> {
    const blocks = prompt.map((each): ContentBlock => (typeof each === 'string' ? { type: 'text', text: each } : each));
    const { stopReason } = await this.agent.request(methods.agent.session.prompt, { sessionId: this.sessionId, prompt: blocks });
    return stopReason;
  }

  async cancel(): Promise<void> {
    await this.agent.notify(methods.agent.session.cancel, { sessionId: this.sessionId });
  }

  /** The agent's whole text. */
  get said(): string {
    return this.textOf('agent_message_chunk');
  }

  get thought(): string {
    return this.textOf('agent_thought_chunk');
  }

  private textOf(kind: SessionUpdate['sessionUpdate']): string {
    return this.updates
      .flatMap((update) => (update.sessionUpdate === kind && 'content' in update && isText(update.content) ? [update.content.text] : []))
      .join('');
  }

  /** The updates of one kind, in order. */
  all<K extends SessionUpdate['sessionUpdate']>(kind: K): Extract<SessionUpdate, { sessionUpdate: K }>[] {
    return this.updates.filter((update): update is Extract<SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind);
  }

  /** Closes the agent's stdin, as a disconnecting client does, and waits for its exit. */
  async dispose(): Promise<void> {
    for (const terminal of this.terminals.values()) {
      terminal.kill('SIGKILL');
    }
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.stdin?.end();
      await ended;
    }
  }
}

function isText(content: unknown): content is { text: string } {
  return typeof content === 'object' && content !== null && 'text' in content && typeof content.text === 'string';
}

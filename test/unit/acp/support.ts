/** A transport, a clock and a client that tests drive by hand. Every frame the connection sends is checked against the official schema. */
import assert from 'node:assert/strict';
import { fault } from '../../../src/core/model/failure';
import type { EventInput } from '../../../src/core/model/event';
import type { Clock } from '../../../src/core/platform/clock';
import type { Disposable } from '../../../src/core/platform/disposable';
import type { Log } from '../../../src/core/platform/log';
import type { ByteReader, ByteTransport, TransportDescription, TransportEnd } from '../../../src/core/model/transport';
import type {
  Client,
  Dialect,
  ElicitationAnswer,
  ElicitationParams,
  ElicitationScope,
  PermissionParams,
  TurnEnd,
} from '../../../src/acp/dialect';
import type { Outcome } from '../../../src/acp/jsonrpc/rpc';
import { connect, type ConnectOptions } from '../../../src/acp/connect';
import { ndjson } from '../../../src/acp/transport/ndjson';
import type { ProtocolVersion } from '../../../src/acp/protocolVersion';
import { V1 } from '../../../src/acp/v1/v1';
import { assertSentFrame } from '../../support/schema';

export class FakeTransport implements ByteTransport {
  /** Sent frames, as JSON texts. */
  readonly sent: string[] = [];
  disposed = false;
  private reader: Parameters<ByteTransport['read']>[0] = { chunk: () => undefined, end: () => undefined };
  private readonly methods = new Map<string, string>();

  /** `validate`: false for tests of the JSON-RPC layer, whose methods are not in the schema; 2 for version 2. */
  constructor(private readonly validate: boolean | 2 = true) {}

  write(bytes: Uint8Array | string): boolean {
    const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
    assert.ok(text.endsWith('\n') && !text.slice(0, -1).includes('\n'), 'one frame is one line');
    const json = text.slice(0, -1);
    if (this.validate) {
      assertSentFrame(json, (literal) => this.methods.get(literal), this.validate === 2 ? 2 : 1);
    }
    this.sent.push(json);
    return true;
  }

  read(reader: ByteReader & { end(end: TransportEnd): void }): void {
    this.reader = reader;
  }

  close(): void {
    this.disposed = true;
  }

  describe(): TransportDescription {
    return { address: 'a test' };
  }

  /** Feeds bytes, a raw text (with its own line ends) or a message. */
  feed(message: object | string | Uint8Array): void {
    if (message instanceof Uint8Array) {
      this.reader.chunk(message);
    } else if (typeof message === 'string') {
      this.reader.chunk(Buffer.from(message));
    } else {
      const { id, method } = message as { id?: unknown; method?: unknown };
      if (typeof method === 'string' && id !== undefined) {
        this.methods.set(JSON.stringify(id), method);
      }
      this.reader.chunk(Buffer.from(JSON.stringify(message) + '\n'));
    }
  }

  /** Registers the method of a request that is fed as text, so that its answer is validated. */
  expect(idLiteral: string, method: string): void {
    this.methods.set(idLiteral, method);
  }

  finish(end: TransportEnd = {}): void {
    this.reader.end(end);
  }

  get last(): Record<string, unknown> {
    return JSON.parse(this.sent.at(-1) ?? 'null') as Record<string, unknown>;
  }
}

export class FakeClock implements Clock {
  time = 1_000_000;
  private readonly timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): Disposable {
    const timer = { at: this.time + ms, callback };
    this.timers.add(timer);
    return { dispose: () => this.timers.delete(timer) };
  }

  advance(ms: number): void {
    this.time += ms;
    for (const timer of [...this.timers].filter(({ at }) => at <= this.time)) {
      this.timers.delete(timer);
      timer.callback();
    }
  }

  get running(): number {
    return this.timers.size;
  }
}

export class FakeLog implements Log {
  readonly lines: string[] = [];
  debug = (message: string): void => void this.lines.push(`debug ${message}`);
  info = (message: string): void => void this.lines.push(`info ${message}`);
  warn = (message: string): void => void this.lines.push(`warn ${message}`);
  error = (message: string): void => void this.lines.push(`error ${message}`);
}

/** Records calls and events in order. Answers from the fields that a test sets. */
export class RecordingClient implements Client {
  readonly calls: { name: string; sessionId?: string; args: unknown }[] = [];
  readonly events: EventInput[] = [];
  /** The ends of turns. */
  readonly ends: TurnEnd[] = [];
  permission: (ask: PermissionParams, signal: AbortSignal) => Promise<{ optionId: string } | 'cancelled'> = () =>
    Promise.resolve('cancelled');
  elicitation: (ask: ElicitationParams, signal: AbortSignal) => Promise<ElicitationAnswer> = () => Promise.resolve({ action: 'cancel' });
  file: (path: string) => Promise<string> = () =>
    Promise.reject(fault('fs.not_found', {}, { rpcCode: -32002, message: 'Resource not found' }));

  onUpdate(sessionId: string, events: readonly EventInput[]): void {
    this.calls.push({ name: 'onUpdate', sessionId, args: events });
    this.events.push(...events);
  }
  onTurnStarted(sessionId: string): void {
    this.calls.push({ name: 'onTurnStarted', sessionId, args: undefined });
  }
  onTurnEnded(_sessionId: string, end: TurnEnd): void {
    this.ends.push(end);
  }
  onUnknown(method: string, params: unknown, sessionId?: string): void {
    this.calls.push({ name: 'onUnknown', ...(sessionId !== undefined && { sessionId }), args: { method, params } });
  }
  requestPermission(sessionId: string, ask: PermissionParams, signal: AbortSignal): Promise<{ optionId: string } | 'cancelled'> {
    this.calls.push({ name: 'requestPermission', sessionId, args: ask });
    return this.permission(ask, signal);
  }
  elicit(scope: ElicitationScope, ask: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer> {
    this.calls.push({ name: 'elicit', args: { scope, ask } });
    return this.elicitation(ask, signal);
  }
  onElicitationComplete(elicitationId: string): void {
    this.calls.push({ name: 'onElicitationComplete', args: elicitationId });
  }
  readTextFile(sessionId: string, request: { path: string }): Promise<string> {
    this.calls.push({ name: 'readTextFile', sessionId, args: request });
    return this.file(request.path);
  }
  writeTextFile(sessionId: string, request: object): Promise<void> {
    this.calls.push({ name: 'writeTextFile', sessionId, args: request });
    return Promise.resolve();
  }
  createTerminal(sessionId: string, request: object): Promise<string> {
    this.calls.push({ name: 'createTerminal', sessionId, args: request });
    return Promise.resolve('term-1');
  }
  async terminalOutput(
    sessionId: string,
    terminalId: string,
  ): Promise<{ output: string; truncated: boolean; exitStatus: { exitCode: number } }> {
    this.calls.push({ name: 'terminalOutput', sessionId, args: { terminalId } });
    if (terminalId !== 'term-1' && terminalId !== 'term_xyz789') {
      throw fault('terminal.unknown', {}, { rpcCode: -32002, message: 'No such terminal' });
    }
    return { output: 'out', truncated: false, exitStatus: { exitCode: 0 } };
  }
  waitForTerminalExit(sessionId: string, terminalId: string): Promise<{ exitCode?: number; signal?: string }> {
    this.calls.push({ name: 'waitForTerminalExit', sessionId, args: { terminalId } });
    return Promise.resolve({ signal: 'SIGTERM' });
  }
  killTerminal(sessionId: string, terminalId: string): Promise<void> {
    this.calls.push({ name: 'killTerminal', sessionId, args: { terminalId } });
    return Promise.resolve();
  }
  releaseTerminal(sessionId: string, terminalId: string): Promise<void> {
    this.calls.push({ name: 'releaseTerminal', sessionId, args: { terminalId } });
    return Promise.resolve();
  }
}

export interface Connected {
  readonly transport: FakeTransport;
  readonly client: RecordingClient;
  readonly clock: FakeClock;
  readonly log: FakeLog;
  readonly outcome: () => Outcome<Dialect> | undefined;
  dispose(): void;
}

export const CLIENT_INFO = { name: 'acp-host', title: 'ACP Host', version: '0.0.0' };

/** A connection that has sent `initialize` as request 1. */
export function connecting(options: Partial<ConnectOptions> = {}, version: ProtocolVersion = V1): Connected {
  const transport = new FakeTransport();
  const client = new RecordingClient();
  const clock = new FakeClock();
  const log = new FakeLog();
  let outcome: Outcome<Dialect> | undefined;
  const handle = connect(
    ndjson(transport),
    [version],
    client,
    { clientInfo: CLIENT_INFO, clock, log, timeoutMs: 60_000, ...options },
    (result) => (outcome = result),
  );
  return { transport, client, clock, log, outcome: () => outcome, dispose: () => handle.dispose() };
}

/** A live dialect over an agent that answered `initialize` with `answer`. */
export function connected(answer: object = {}, options: Partial<ConnectOptions> = {}): Connected & { readonly dialect: Dialect } {
  const connection = connecting(options);
  connection.transport.feed({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, ...answer } });
  const outcome = connection.outcome();
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  return { ...connection, dialect: outcome.value };
}

/** One `session/update` of session `s`. */
export function updateOf(update: object, params: object = {}): object {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update, ...params } };
}

/** Waits until settled promises have run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await Promise.resolve();
  }
}

/**
 * Connects to an agent over a transport (protocol page "Initialization"). The proposal has the fields of all versions. The agent's answer selects one.
 * docs/decisions/wire/version-2.md has the reasons.
 */
import type { Failure } from '../core/model/failure';
import type { MessageTransport, TransportEnd } from '../core/model/transport';
import type { Client, Dialect } from './dialect';
import { type Fields, isRecord } from './json/fields';
import { Connection, type ConnectionOptions } from './jsonrpc/connection';
import type { Respond } from './jsonrpc/incoming';
import { failed, type Outcome, RPC, type Settled, succeeded } from './jsonrpc/rpc';
import type { ClientInfo, Interpreter, InterpreterOptions, ProtocolVersion, Versions } from './protocolVersion';

/** The client's own MCP servers, which the agent reaches over its connection (unstable). */
export interface McpChannel {
  request(link: Connection, method: string, params: unknown, respond: Respond, signal: AbortSignal): void;
  notification(link: Connection, method: string, params: unknown): void;
  ended(link: Connection): void;
}

export interface ConnectOptions extends ConnectionOptions, InterpreterOptions {
  readonly clientInfo: ClientInfo;
  /** ms; `initialize` may have to wait for the download of a package. Default: `timeoutMs`. */
  readonly initializeTimeoutMs?: number;
  /** Opens another transport to the same agent, for an older version. Absent: only the first transport is used. */
  reopen?(): MessageTransport;
  /** Absent: the agent reaches no server of the client. */
  readonly mcp?: McpChannel;
  /** Takes the first answer to `initialize`. The agent of a log answers no second request. */
  readonly takesFirstAnswer?: boolean;
  /** The agent's process has ended and all pending requests were settled. Not called after `dispose`. */
  onEnd?(failure: Failure, end: TransportEnd): void;
}

const MCP = 'mcp/';

/** Failures of `initialize` after which an older version may still work in another process. A program that cannot start is not started again. */
const RETRIED: ReadonlySet<string> = new Set(['request.failed', 'request.timeout', 'agent.exited', 'connection.closed']);

/**
 * Sends `initialize` over `transport`. Settles with the live connection, or with a failure: `protocol.version` (the transport is closed then),
 * `protocol.bad_answer`, `request.timeout`, or the agent's exit. `client` receives the agent's messages from the first one on.
 *
 * @param versions the newest is proposed, and messages before the answer are read as its messages.
 */
export function connect(
  transport: MessageTransport,
  versions: Versions,
  client: Client,
  options: ConnectOptions,
  settled: Settled<Dialect>,
): { dispose(failure?: Failure): void } {
  const negotiation = new Negotiation(client, options, settled);
  negotiation.open(transport, versions);
  return negotiation;
}

class Negotiation {
  private connection!: Connection;
  private interpreter!: Interpreter;
  /** The version of {@link interpreter}. */
  private version!: ProtocolVersion;
  private isDisposed = false;
  /** The params of the request that has no answer yet. */
  private proposal: object | undefined;

  constructor(
    private readonly client: Client,
    private readonly options: ConnectOptions,
    private readonly settled: Settled<Dialect>,
  ) {}

  /** Reads messages from `transport` and proposes the newest of `versions`. */
  open(transport: MessageTransport, versions: Versions): void {
    const { options } = this;
    const { mcp } = options;
    const interpreter = (): Interpreter => this.interpreter;
    this.speak(versions[0]);
    const connection: Connection = new Connection(
      transport,
      {
        onRequest: (method, params, respond, signal) => {
          if (method === 'initialize' && this.isOwn(params)) {
            this.fail({ code: 'protocol.echo' });
            return;
          }
          if (mcp && method.startsWith(MCP)) {
            mcp.request(connection, method, params, respond, signal);
            return;
          }
          const loading = interpreter().prepare?.(method, params);
          if (loading) {
            connection.hold(loading.then(() => interpreter().onRequest(method, params, respond, signal)));
          } else {
            interpreter().onRequest(method, params, respond, signal);
          }
        },
        onNotification: (method, params) => {
          if (mcp && method.startsWith(MCP)) {
            mcp.notification(connection, method, params);
            return;
          }
          const loading = interpreter().prepare?.(method, params);
          if (loading) {
            connection.hold(loading.then(() => interpreter().onNotification(method, params)));
          } else {
            interpreter().onNotification(method, params);
          }
        },
        get refusesNullId() {
          return interpreter().refusesNullId === true;
        },
        onEnd: (end, failure) => {
          mcp?.ended(connection);
          // A connection that another one has replaced ends silently.
          if (this.connection === connection) {
            options.onEnd?.(failure, end);
          }
        },
      },
      options,
    );
    this.connection = connection;
    this.initialize(unionParams(versions, options), (outcome) => this.answered(outcome, versions));
  }

  dispose(failure?: Failure): void {
    this.isDisposed = true;
    this.connection.dispose(failure);
  }

  private initialize(params: object, settled: Settled<unknown>): void {
    const { initializeTimeoutMs, timeoutMs } = this.options;
    this.proposal = params;
    this.connection.request('initialize', params, { timeoutMs: initializeTimeoutMs ?? timeoutMs }, (outcome) => {
      this.proposal = undefined;
      settled(outcome);
    });
  }

  /** True for the client's own proposal, which a program such as `cat` sends back. The answer to it would be taken for the agent's. */
  private isOwn(params: unknown): boolean {
    const { proposal } = this;
    const withoutMeta = (value: object): string => JSON.stringify({ ...value, _meta: undefined });
    return proposal !== undefined && isRecord(params) && withoutMeta(params) === withoutMeta(proposal);
  }

  /** Handles the answer to the proposal. */
  private answered(outcome: Outcome<unknown>, versions: Versions): void {
    const [proposed, ...older] = versions;
    if (!outcome.ok) {
      this.refused(outcome.failure, versions);
      return;
    }
    const agreed = agree(outcome.value, versions);
    if (!agreed.ok) {
      this.fail(agreed.failure);
      return;
    }
    const { version, answer } = agreed.value;
    if (version === proposed || this.options.takesFirstAnswer) {
      this.use(version, answer);
    } else {
      // An agent that knows several versions has read the fields of the newer one, and may not have read the older ones.
      this.propose(version, [version, ...older.filter((each) => each.version < version.version)], answer);
    }
  }

  /** The agent does not know the proposed version, or its `initialize` failed. */
  private refused(failure: Failure, versions: Versions): void {
    const [proposed, ...older] = versions;
    const code = failure.params?.['code'];
    if (failure.code === 'request.failed' && code === RPC.unsupportedVersion) {
      // The failure contains the error's data as text.
      const supported = /"supported":\[([\d,]*)\]/.exec(failure.detail ?? '')?.[1]?.replaceAll(',', ', ');
      const offered = supported?.split(', ') ?? [];
      const common = versions.find(({ version }) => version !== proposed.version && offered.includes(String(version)));
      if (common) {
        this.propose(common, [common]);
      } else {
        this.fail({
          code: 'protocol.version',
          params: { expected: proposed.version, ...(supported !== undefined && { actual: supported }) },
        });
      }
      return;
    }
    const [next] = older;
    if (!next) {
      this.settled(failed(failure));
    } else if (failure.code === 'request.failed' && code === RPC.invalidParams) {
      this.propose(next, [next, ...older.slice(1)]);
    } else if (RETRIED.has(failure.code)) {
      this.reopen([next, ...older.slice(1)], failure);
    } else {
      this.settled(failed(failure));
    }
  }

  /**
   * Proposes an older version on the same connection. When that fails, another process is asked.
   *
   * @param answer the agent's first answer, which counts when there is no other process
   */
  private propose(version: ProtocolVersion, versions: Versions, answer?: Fields): void {
    this.speak(version);
    this.initialize(version.initializeParams(this.options.clientInfo, this.options), (outcome) => {
      const agreed = outcome.ok ? agree(outcome.value, versions) : outcome;
      if (agreed.ok) {
        this.use(agreed.value.version, agreed.value.answer);
      } else if (outcome.ok) {
        this.fail(agreed.failure);
      } else {
        this.reopen(versions, outcome.failure, answer);
      }
    });
  }

  private reopen(versions: Versions, failure: Failure, answer?: Fields): void {
    const transport = RETRIED.has(failure.code) ? this.options.reopen?.() : undefined;
    if (transport) {
      const { connection } = this;
      this.open(transport, versions);
      connection.dispose();
    } else if (answer && failure.code === 'request.failed') {
      this.use(versions[0], answer);
    } else {
      this.settled(failed(failure));
    }
  }

  private use(version: ProtocolVersion, answer: Fields): void {
    if (version !== this.version) {
      this.speak(version);
    }
    const { interpreter, connection } = this;
    const settle = (): void => {
      if (!this.isDisposed) {
        this.settled(succeeded(interpreter.dialect(answer, connection)));
      }
    };
    const loading = interpreter.load?.(answer);
    if (loading) {
      // An update of the extension may have deleted the file. The agent then has its common methods.
      void loading.catch(() => undefined).then(settle);
    } else {
      settle();
    }
  }

  /** Reads the agent's messages as those of `version` from now on. */
  private speak(version: ProtocolVersion): void {
    this.version = version;
    this.interpreter = version.interpreter(this.client, this.options);
  }

  private fail(failure: Failure): void {
    this.settled(failed(failure));
    this.connection.dispose(failure);
  }
}

/** Returns params that an agent of any of these versions can read. The fields of the newest one count. */
function unionParams(versions: Versions, options: ConnectOptions): object {
  return Object.assign({}, ...versions.toReversed().map((version) => version.initializeParams(options.clientInfo, options))) as object;
}

/** Returns the version in the answer to `initialize`. The shape of an answer without one selects the newest version that fits. */
function agree(answer: unknown, versions: Versions): Outcome<{ readonly version: ProtocolVersion; readonly answer: Fields }> {
  if (!isRecord(answer)) {
    return failed({ code: 'protocol.bad_answer', params: { method: 'initialize' } });
  }
  const [{ version: expected }] = versions;
  const { protocolVersion: named } = answer;
  const version =
    named === undefined || named === null
      ? (versions.find((each) => each.isAnswer?.(answer) ?? true) ?? versions.at(-1))
      : versions.find((each) => isScalar(named) && each.version === Number(named));
  if (!version) {
    const actual = isScalar(named) ? named : JSON.stringify(named);
    return failed({ code: 'protocol.version', params: { expected, actual } });
  }
  return succeeded({ version, answer });
}

/** `Number` would also read `true` and `[2]` as versions. */
function isScalar(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

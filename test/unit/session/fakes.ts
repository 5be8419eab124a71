import type { SignInSecret } from '../../../src/core/account/signInSecret';
import type { Client, Dialect, Ongoing, SessionListPage, TurnEnd } from '../../../src/acp/dialect';
import type { Outcome } from '../../../src/acp/jsonrpc/rpc';
import type { AuthMethod } from '../../../src/core/model/content';
import { NO_CAPABILITIES } from '../../../src/core/model/wellKnown';
import type { McpServer } from '../../../src/core/mcp/mcpServer';
import type { EventInput } from '../../../src/core/model/event';
import { type Failure, Fault, fault } from '../../../src/core/model/failure';
import type { StoredAgent } from '../../../src/core/agents/agentIds';
import type { AgentLaunch } from '../../../src/core/model/agentLaunch';
import type { Log } from '../../../src/core/platform/log';
import type { SteerOutcome } from '../../../src/core/queue/steering';
import type { SessionSetup } from '../../../src/core/model/sessionSetup';
import type { JournalFile } from '../../../src/session/journal/journal';
import type { JournalHeader } from '../../../src/session/journal/journalHeader';
import type { JournalSummary } from '../../../src/session/journal/journalSummary';
import type { Connect } from '../../../src/session/agent/agentConnection';
import type { FolderTrust } from '../../../src/session/agent/folderTrust';
import type { SessionsDependencies } from '../../../src/session/sessions';
import type { SignInUi } from '../../../src/session/agent/signIn';
import { FakeClock } from './permission/fakes';

type Settled<M extends 'newSession' | 'setConfig' | 'authenticate'> = Dialect[M] extends (...args: [...infer _, infer S]) => unknown
  ? S
  : never;

export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Trusts every folder. */
export const TRUSTING: FolderTrust = { isRestricted: () => false, check: (_, settled) => settled(undefined) };

export const launch = (agent: string | StoredAgent = 'Fake'): AgentLaunch => {
  const agentName = typeof agent === 'string' ? agent : agent.agentName;
  return { agentId: agentName, agentName, command: 'fake', args: [], env: {} };
};

/** An agent whose answers the test gives by hand. */
export class FakeAgent {
  client!: Client;
  ready!: (dialect: Dialect) => void;
  end!: (failure: Failure) => void;
  progress!: (command: string, line?: string) => void;
  /** Reports that the process runs. */
  process!: (pid: number) => void;
  stderr!: (line: string) => void;
  disposed = 0;
  /** The servers whose secrets are redacted. */
  readonly redacted: McpServer[] = [];
  readonly sent: unknown[][] = [];
  newSession: Settled<'newSession'>[] = [];
  /** Ends the turn of each prompt, or refuses the prompt. As in version 1, the answer reports both that it was taken and that its turn has ended. */
  prompts: ((outcome: Outcome<TurnEnd>) => void)[] = [];
  configs: Settled<'setConfig'>[] = [];
  steers: ((outcome: Outcome<SteerOutcome>) => void)[] = [];
  closes: (() => void)[] = [];
  /** The pending requests `session/load` and `session/resume`, once `offer` has enabled them. */
  again: Settled<'newSession'>[] = [];
  /** The parameters of these requests and of `session/new`. */
  readonly setups: SessionSetup[] = [];
  lists: ((outcome: Outcome<SessionListPage>) => void)[] = [];
  deletions: ((outcome: Outcome<void>) => void)[] = [];
  authentications: ((outcome: Outcome<void>) => void)[] = [];
  private requests = 0;

  readonly connect: Connect = (events) => {
    this.client = events.client;
    this.ready = events.onReady;
    this.end = events.onEnd;
    this.progress = events.onProgress;
    this.process = (pid) => events.onProcess?.(pid);
    this.stderr = (line) => events.onServerLine?.(line);
    return { redactSecretsOf: (servers) => void this.redacted.push(...servers), dispose: () => void this.disposed++ };
  };

  readonly dialect: { -readonly [K in keyof Dialect]: Dialect[K] } = {
    protocolVersion: 1,
    promptCapabilities: { image: false, audio: false, embeddedContext: true },
    authMethods: [],
    sessionCapabilities: { ...NO_CAPABILITIES, close: true },
    mcpCapabilities: { stdio: true, http: false, sse: false, acp: false },
    authenticate: (methodId, settled, secret) => {
      this.authentications.push(settled);
      return this.ongoing('authenticate', methodId, ...(secret ? [secret] : []));
    },
    newSession: (params, settled) => {
      this.setups.push(params);
      this.sent.push(['newSession', params]);
      this.newSession.push(settled);
      return { requestId: ++this.requests, cancel: () => void this.sent.push(['cancelNew']) };
    },
    prompt: (sessionId, content, settled) => {
      this.sent.push(['prompt', sessionId, content]);
      this.prompts.push((outcome) => {
        settled(outcome.ok ? { ok: true, value: undefined } : outcome);
        if (outcome.ok) {
          this.client.onTurnEnded(sessionId, outcome.value);
        }
      });
      return { requestId: ++this.requests, cancel: () => undefined };
    },
    cancel: (sessionId) => void this.sent.push(['cancel', sessionId]),
    setConfig: (sessionId, configId, value, settled) => {
      this.sent.push(['setConfig', sessionId, configId, value]);
      this.configs.push(settled);
    },
    closeSession: (sessionId, settled) => {
      this.sent.push(['close', sessionId]);
      this.closes.push(() => settled({ ok: true, value: undefined }));
      return { requestId: ++this.requests, cancel: () => undefined };
    },
  };

  /** Enables `session/load` or `session/resume`. */
  offer(name: 'load' | 'resume'): void {
    this.dialect.sessionCapabilities = { ...this.dialect.sessionCapabilities, [name]: true };
    this.dialect[`${name}Session`] = (sessionId, setup, settled) => {
      this.setups.push(setup);
      this.again.push(settled);
      return this.ongoing(name, sessionId);
    };
  }

  /** Enables `_session/steering`. */
  offerSteering(): void {
    this.dialect.sessionCapabilities = { ...this.dialect.sessionCapabilities, steer: true };
    this.dialect.steer = (sessionId, content, settled) => {
      this.steers.push(settled);
      this.sent.push(['steer', sessionId, content]);
      return { requestId: ++this.requests, cancel: () => undefined };
    };
  }

  /** Enables `session/fork`. */
  offerFork(): void {
    this.dialect.sessionCapabilities = { ...this.dialect.sessionCapabilities, fork: true };
    this.dialect.forkSession = (sessionId, setup, settled) => {
      this.setups.push(setup);
      this.newSession.push(settled);
      return this.ongoing('fork', sessionId);
    };
  }

  /** Enables `session/list` and `session/delete`. */
  offerList(): void {
    this.dialect.sessionCapabilities = { ...this.dialect.sessionCapabilities, list: true, delete: true };
    this.dialect.listSessions = (query, settled) => {
      this.lists.push(settled);
      return this.ongoing('list', JSON.stringify(query));
    };
    this.dialect.deleteSession = (sessionId, settled) => {
      this.deletions.push(settled);
      return this.ongoing('delete', sessionId);
    };
  }

  private ongoing(name: string, ...sent: readonly unknown[]): Ongoing {
    this.sent.push([name, ...sent]);
    return { requestId: ++this.requests, cancel: () => void this.sent.push(['give up', name]) };
  }

  /** Answers `initialize` and the newest `session/new`. */
  open(sessionId = 'S', events: EventInput[] = []): void {
    this.ready(this.dialect);
    this.newSession.at(-1)!({ ok: true, value: { sessionId, events: events } });
  }
}

/** A window whose user is the test. A sign-in ends only when the test says so. */
export class FakeAccount implements SignInUi {
  readonly asked: {
    readonly method: AuthMethod;
    readonly signal: AbortSignal;
    readonly finish: () => void;
    readonly fail: (failure: Failure) => void;
  }[] = [];
  has = false;

  readonly runInTerminal: SignInUi['runInTerminal'] = (_launch, _cwd, method, signal) => this.ask(method, signal);
  readonly askVariables: SignInUi['askVariables'] = (_launch, method, signal) => this.ask(method, signal);
  readonly hasVariables = (): boolean => this.has;
  /** The stored secret. */
  stored: SignInSecret | undefined;
  readonly askSecret: SignInUi['askSecret'] = (_launch, method, _again, signal) => this.ask(method, signal);
  readonly secret = (): SignInSecret | undefined => this.stored;

  private ask(method: AuthMethod, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) =>
      this.asked.push({ method, signal, finish: resolve, fail: (failure) => reject(new Fault(failure)) }),
    );
  }
}

/** Dependencies with a fake agent per launch, in-memory journals, and services that record. */
export function fakeDependencies(): {
  clock: FakeClock;
  agents: FakeAgent[];
  journals: Map<string, string>;
  summaries: Map<string, JournalSummary>;
  /** Stored queued messages, by session. */
  queues: Map<string, string>;
  asked: { sessionKey: string; permissionId: string }[];
  answer: (index: number, optionId: string) => void;
  roomLog: string[];
  deps: SessionsDependencies;
} {
  const clock = new FakeClock();
  const agents: FakeAgent[] = [];
  const journals = new Map<string, string>();
  const summaries = new Map<string, JournalSummary>();
  const queues = new Map<string, string>();
  const asked: { sessionKey: string; permissionId: string; answered: (optionId: string) => void }[] = [];
  const roomLog: string[] = [];
  let keys = 0;
  const deps = {
    clock,
    log: quiet,
    mintKey: () => `key-${++keys}`,
    trust: TRUSTING,
    connect: () => {
      const agent = new FakeAgent();
      agents.push(agent);
      return agent.connect;
    },
    journals: {
      file: ({ key }: JournalHeader): JournalFile => ({
        append: async (text) => void journals.set(key, (journals.get(key) ?? '') + text),
        replace: async (text) => void journals.set(key, text),
        describe: async (summary) => void summaries.set(key, JSON.parse(summary) as JournalSummary),
      }),
      portions: async function* (key: string) {
        yield journals.get(key)?.split('\n') ?? [];
      },
      acquire: async (key: string) => journals.has(key),
      release: async () => undefined,
      isTaken: () => false,
      onRequested: () => undefined,
      readQueue: async (key: string) => queues.get(key),
      writeQueue: async (key: string, text: string | undefined) => void (text === undefined ? queues.delete(key) : queues.set(key, text)),
      remove: async (key: string) => {
        journals.delete(key);
        queues.delete(key);
        summaries.delete(key);
      },
    },
    permissions: {
      prompt: (ask: { sessionKey: string; permissionId: string }, answered: (optionId: string) => void) => {
        asked.push({ ...ask, answered });
        return { dispose: () => undefined };
      },
    },
    files: () => ({
      read: async ({ path }: { path: string }) => `text of ${path}`,
      write: async ({ path }: { path: string }) => {
        if (path === '/conflict') {
          throw fault('fs.conflict', { path, lines: '3' });
        }
        roomLog.push(`write ${path}`);
      },
    }),
    account: new FakeAccount(),
    terminals: () => ({
      create: async () => 'terminal-1',
      dispose: () => void roomLog.push('terminals closed'),
      stop: async (id: string) => void roomLog.push(`stop ${id}`),
    }),
  };
  return {
    clock,
    agents,
    journals,
    summaries,
    queues,
    asked,
    roomLog,
    deps: deps as unknown as SessionsDependencies,
    answer: (index, optionId) => asked[index]!.answered(optionId),
  };
}

/** Lets settled promises continue. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

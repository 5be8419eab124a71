/**
 * The scripted test agent, on the official SDK's agent side: the tests' peer must not share our own reading of the protocol.
 *
 *   agent.ts [--setup <json>]
 *
 * A prompt `@script [...]` runs those steps (see steps.ts); any other prompt is the journey of journey.ts. The setup's members are
 * optional. `initialize` and `new` are merged into those results, `beforeNew` and `afterNew` are scripts around the response to
 * `session/new`, and `script` answers every prompt. `account` says which requests need a sign-in (see account.ts; only `session/new` when
 * it is absent), and `authenticate` runs before the response to that. With `keeps`, sessions of other processes can be resumed. With
 * `uniqueIds`, no two processes use the same session id. `stored` are the sessions that it lists (`pageSize` per page), loads, resumes and
 * deletes; see stored.ts.
 */
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { AgentContext, ContentBlock, InitializeResponse, JsonRpcId, NewSessionResponse, StopReason } from '@agentclientprotocol/sdk';
import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Account, login } from './account';
import type { AccountSetup } from './account';
import { journeyOf } from './journey';
import { noteCancel, runStep, runSteps } from './steps';
import type { Run, Step } from './steps';
import { agentV2 } from './agentV2';
import type { SetupV2 } from './agentV2';
import { Stored } from './stored';
import type { StoredSession } from './stored';

export interface Setup {
  readonly initialize?: Partial<InitializeResponse>;
  readonly new?: Partial<NewSessionResponse>;
  readonly beforeNew?: Step[];
  readonly afterNew?: Step[];
  readonly script?: Step[];
  readonly authenticate?: Step[];
  readonly account?: AccountSetup;
  readonly keeps?: boolean;
  readonly uniqueIds?: boolean;
  readonly stored?: readonly StoredSession[];
  readonly pageSize?: number;
  /**
   * The answers to messages for a running turn, one after another, whatever happens to the messages. After the last one, the real outcome
   * is the answer.
   */
  readonly steering?: readonly unknown[];
  /** The messages to which `session/rewind` can go back. */
  readonly messages?: readonly string[];
  /** The agent speaks version 2 as well: see agentV2.ts. */
  readonly v2?: SetupV2;
}

interface Session {
  readonly sessionId: string;
  readonly cwd: string;
  running?: AbortController;
  /** The run of the current turn. */
  run?: Run;
  configOptions: NonNullable<NewSessionResponse['configOptions']>;
}

const { values } = parseArgs({ options: { setup: { type: 'string' } }, strict: false });
const setup = JSON.parse(typeof values.setup === 'string' ? values.setup : '{}') as Setup;
const sessions = new Map<string, Session>();
const accountSetup: AccountSetup = setup.account ?? { needed: setup.authenticate ? ['session/new'] : [] };
const account = new Account(accountSetup);
const stored = new Stored(setup.stored, setup.pageSize);
/** Callbacks that run once the response with this id is on stdout. */
const afterResponses = new Map<JsonRpcId, () => void>();

/** Writes synchronously, so that the SDK's lines and our own lines are written in the order of their calls. */
const stdout = new WritableStream<Uint8Array>({
  write(bytes) {
    process.stdout.write(bytes);
    const { id, method } = JSON.parse(Buffer.from(bytes).toString()) as { id?: JsonRpcId; method?: string };
    if (id === undefined || method !== undefined) {
      return;
    }
    afterResponses.get(id)?.();
    afterResponses.delete(id);
  },
});

function sessionOf(sessionId: string): Session {
  const session = sessions.get(sessionId);
  if (!session) {
    throw RequestError.resourceNotFound(sessionId);
  }
  return session;
}

function runIn(client: AgentContext, sessionId: string, requestId: JsonRpcId, signal: AbortSignal): Run {
  const steered: string[] = [];
  let waiting: (() => void) | undefined;
  return {
    steer: (text) => {
      steered.push(text);
      waiting?.();
    },
    steered: async () => {
      while (steered.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      return steered.shift();
    },
    client,
    sessionId,
    requestId,
    signal,
    write: (text) => void process.stdout.write(text),
    stopReason: 'end_turn',
    afterResponse: [],
    onCancel: [],
  };
}

/** The steps for a prompt, with the session's folder filled in. */
function scriptOf(prompt: readonly ContentBlock[], cwd: string): Step[] {
  const text = prompt
    .flatMap((block) =>
      block.type === 'text' ? [block.text] : block.type === 'resource_link' ? [decodeURI(block.uri).replace(/^file:\/\//, '')] : [],
    )
    .join('\n');
  const given = /@script\s+(\[[\s\S]*\])/.exec(text)?.[1];
  return placed(given === undefined ? (setup.script ?? journeyOf(text, cwd)) : (JSON.parse(given) as Step[]), cwd);
}

function placed<T>(steps: T, cwd: string): T {
  return JSON.parse(JSON.stringify(steps), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('${cwd}', cwd) : value,
  ) as T;
}

/** @param stepsOf the steps that run before the answer */
async function bringBack(
  run: Run,
  cwd: string,
  stepsOf: (kept: StoredSession) => Step[] | undefined,
): Promise<Partial<NewSessionResponse>> {
  const kept = stored.get(run.sessionId);
  sessions.set(run.sessionId, { sessionId: run.sessionId, cwd, configOptions: kept.setup?.configOptions ?? [] });
  await runSteps(placed(stepsOf(kept) ?? [], cwd), run);
  if (run.signal.aborted) {
    throw RequestError.requestCancelled();
  }
  if (kept.after) {
    afterResponses.set(run.requestId, () => void runSteps(placed(kept.after!, cwd), { ...run, signal: new AbortController().signal }));
  }
  return { ...kept.setup };
}

async function prompt(client: AgentContext, session: Session, content: readonly ContentBlock[], requestId: JsonRpcId): Promise<StopReason> {
  const running = new AbortController();
  session.running = running;
  const run: Run = { ...runIn(client, session.sessionId, requestId, running.signal), prompt: content };
  session.run = run;
  try {
    await runSteps(scriptOf(content, session.cwd), run);
  } finally {
    delete session.running;
    delete session.run;
    if (run.afterResponse.length > 0) {
      afterResponses.set(requestId, () => void runSteps(run.afterResponse, { ...run, signal: new AbortController().signal }));
    }
  }
  if (!running.signal.aborted) {
    return run.stopReason;
  }
  for (const step of run.onCancel) {
    await runStep(step, run);
  }
  return 'cancelled';
}

interface Steering {
  readonly sessionId: string;
  readonly prompt: readonly ContentBlock[];
  readonly _meta?: { readonly steering?: { readonly idleBehavior?: string } };
}

function parseSteering(params: unknown): Steering {
  const { sessionId, prompt } = (params ?? {}) as Partial<Steering>;
  if (typeof sessionId !== 'string' || !Array.isArray(prompt) || prompt.length === 0) {
    throw RequestError.invalidParams(undefined, 'steering wants a sessionId and a prompt');
  }
  return params as Steering;
}

const answers = [...(setup.steering ?? [])];

/** Steers as claude-agent-acp and codex-acp do: the running script receives the message in a step `waitSteer`. */
function steer({ run }: Session, { prompt, _meta }: Steering): unknown {
  const answer = answers.shift() as { outcome?: string; error?: { code: number; message: string } } | undefined;
  if (answer?.error) {
    throw new RequestError(answer.error.code, answer.error.message);
  }
  if (run && (!answer || answer.outcome === 'injected')) {
    run.steer(prompt.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join(' '));
  }
  const isLate = _meta?.steering?.idleBehavior === 'promptRequired';
  return answer ?? { outcome: run ? 'injected' : isLate ? 'promptRequired' : 'startedNewTurn' };
}

const app = agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'scripted', title: 'Scripted agent', version: '1.0.0' },
    agentCapabilities: {
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { close: {}, additionalDirectories: {} },
    },
    authMethods: [],
    ...setup.initialize,
  }))
  .onRequest(methods.agent.authenticate, async ({ client, requestId, signal }) => {
    await runSteps(setup.authenticate ?? [], runIn(client, 'session-1', requestId, signal));
    if (signal.aborted) {
      throw new RequestError(-32800, 'Given up');
    }
    account.authenticate();
    return {};
  })
  .onRequest(methods.agent.logout, () => {
    account.check('logout');
    account.logout();
    return {};
  })
  .onRequest(methods.agent.session.resume, async ({ params: { sessionId, cwd }, client, requestId, signal }) => {
    account.check('session/resume');
    if (!setup.keeps) {
      return bringBack(runIn(client, sessionId, requestId, signal), cwd, ({ beforeResume }) => beforeResume);
    }
    sessions.set(sessionId, { sessionId, cwd, configOptions: setup.new?.configOptions ?? [] });
    return {};
  })
  .onRequest(methods.agent.session.load, async ({ params: { sessionId, cwd }, client, requestId, signal }) => {
    account.check('session/load');
    return bringBack(runIn(client, sessionId, requestId, signal), cwd, ({ replay }) => replay);
  })
  .onRequest(methods.agent.session.list, ({ params }) => {
    account.check('session/list');
    return stored.list(params);
  })
  .onRequest(methods.agent.session.delete, ({ params }) => {
    account.check('session/delete');
    stored.delete(params.sessionId);
    return {};
  })
  .onRequest(methods.agent.session.new, async ({ params: { cwd }, client, requestId }) => {
    account.check('session/new');
    const session: Session = {
      sessionId: `session-${setup.uniqueIds ? `${process.pid}-` : ''}${sessions.size + 1}`,
      cwd,
      configOptions: setup.new?.configOptions ?? [],
    };
    sessions.set(session.sessionId, session);
    const run = runIn(client, session.sessionId, requestId, new AbortController().signal);
    await runSteps(placed(setup.beforeNew ?? [], cwd), run);
    afterResponses.set(requestId, () => void runSteps(placed(setup.afterNew ?? [], cwd), run));
    return { ...setup.new, sessionId: session.sessionId };
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    account.check('session/set_mode');
    sessionOf(params.sessionId);
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    account.check('session/set_config_option');
    const session = sessionOf(params.sessionId);
    const option = session.configOptions.find(({ id }) => id === params.configId);
    if (!option) {
      throw RequestError.invalidParams({ configId: params.configId }, 'no such option');
    }
    option.currentValue = params.value;
    return { configOptions: session.configOptions };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client, requestId }) => {
    account.check('session/prompt');
    return { stopReason: await prompt(client, sessionOf(params.sessionId), params.prompt, requestId) };
  })
  .onRequest(
    'session/set_model',
    (params: unknown) => params as { sessionId: string; modelId: string },
    ({ params }) => {
      account.check('session/set_model');
      sessionOf(params.sessionId);
      return {};
    },
  )
  .onRequest('_session/steering', parseSteering, ({ params }) => {
    account.check('_session/steering');
    return steer(sessionOf(params.sessionId), params);
  })
  .onRequest(
    '_session/async_task/stop',
    (params: unknown) => params as { sessionId: string; asyncTaskId: string },
    async ({ params: { sessionId, asyncTaskId }, client, requestId, signal }) => {
      // A task of this name does not stop.
      const stopped = asyncTaskId !== 'stubborn';
      const update = { sessionUpdate: 'async_task_state_update', asyncTaskId, state: 'stopped' };
      await runSteps(stopped ? [{ update }] : [], runIn(client, sessionId, requestId, signal));
      return { stopped };
    },
  )
  .onRequest(
    'session/status',
    (params: unknown) => params as { sessionId: string },
    ({ params: { sessionId } }) => {
      account.check('session/status');
      return sessions.has(sessionId) ? { status: 'open' } : (stored.get(sessionId).status ?? { status: 'saved' });
    },
  )
  .onRequest(
    'session/rewind',
    (params: unknown) => params as { sessionId: string; toMessageId: string },
    ({ params: { sessionId, toMessageId } }) => {
      sessionOf(sessionId);
      if (!(setup.messages ?? []).includes(toMessageId)) {
        throw RequestError.invalidParams({ toMessageId }, 'no such message');
      }
      return { remainingMessageCount: 1, lastMessageId: toMessageId };
    },
  )
  .onRequest(methods.agent.session.close, ({ params }) => {
    sessions.get(params.sessionId)?.running?.abort();
    sessions.delete(params.sessionId);
    return {};
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    noteCancel(params.sessionId);
    sessions.get(params.sessionId)?.running?.abort();
  });

if (process.argv.includes('--login')) {
  void login(accountSetup);
} else {
  const shared = { setup, afterResponses, runIn, scriptOf, placed, noteCancel };
  const served = setup.v2 ? agentProtocolRouter().withV1(app).withV2(agentV2(shared)) : app;
  const connection = served.connect(ndJsonStream(stdout, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));
  void connection.closed.then(() => process.exit(0));
}

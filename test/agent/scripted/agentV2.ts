/**
 * The scripted agent in version 2, on the agent side of the official SDK for that version. It runs the same scripts: see translation.ts. The setup's
 * member `v2` makes the agent speak both versions.
 */
import type { AgentContext, ContentBlock, JsonRpcId } from '@agentclientprotocol/sdk';
import { agent, methods, RequestError } from '@agentclientprotocol/sdk/experimental/v2';
import type { InitializeResponse } from '@agentclientprotocol/sdk/experimental/v2';
import type { Run, Step } from './steps';
import { runStep, runSteps } from './steps';
import { options, Translation } from './translation';

/** The part of a setup for version 2. */
export interface SetupV2 {
  /** Merged into the answer to `initialize`. */
  readonly initialize?: Partial<InitializeResponse>;
  /**
   * The order of a turn's first messages. `claude` (default): the message whole, the answer, `running`. `codex`: `running`, the message in chunks, the
   * answer. `late`: the answer alone, and the message after it. `none`: the answer alone, without an id and without the message.
   */
  readonly order?: 'claude' | 'codex' | 'late' | 'none';
  /** The answer to a prompt is this error. */
  readonly refuse?: { readonly code: number; readonly message: string };
  /** The steps of `session/resume`: the history, the state, and the marker. */
  readonly resume?: readonly Step[];
  /** The steps for a call or a terminal that the client stops, by its id. */
  readonly cancel?: Readonly<Record<string, readonly Step[]>>;
}

interface SessionV2 {
  readonly sessionId: string;
  readonly cwd: string;
  running?: AbortController;
  configOptions: unknown[];
}

/** The parts that both versions share. */
export interface Shared {
  readonly setup: {
    readonly new?: { readonly configOptions?: unknown };
    readonly beforeNew?: Step[];
    readonly afterNew?: Step[];
    readonly v2?: SetupV2;
  };
  readonly afterResponses: Map<JsonRpcId, () => void>;
  runIn(client: AgentContext, sessionId: string, requestId: JsonRpcId, signal: AbortSignal): Run;
  scriptOf(prompt: readonly ContentBlock[], cwd: string): Step[];
  placed<T>(steps: T, cwd: string): T;
  noteCancel(sessionId: string): void;
}

export function agentV2({ setup, afterResponses, runIn, scriptOf, placed, noteCancel }: Shared) {
  const { v2 = {} } = setup;
  const sessions = new Map<string, SessionV2>();
  let prompts = 0;
  let runs = 0;

  const sessionOf = (sessionId: string): SessionV2 => {
    const session = sessions.get(sessionId);
    if (!session) {
      throw new RequestError(-32002, `Unknown session: ${sessionId}`, { sessionId });
    }
    return session;
  };
  const run = (client: unknown, sessionId: string, requestId: JsonRpcId, signal = new AbortController().signal): Run => ({
    ...runIn(client as AgentContext, sessionId, requestId, signal),
    translation: new Translation(`r${++runs}`),
  });
  const notify = (client: unknown, sessionId: string, update: object): Promise<void> =>
    (client as AgentContext).notify<unknown>('session/update', { sessionId, update });
  const state = (client: unknown, sessionId: string, fields: object): Promise<void> =>
    notify(client, sessionId, { sessionUpdate: 'state_update', ...fields });

  /** Runs the script of a prompt and reports its end. */
  const turn = async (client: unknown, session: SessionV2, content: readonly ContentBlock[], requestId: JsonRpcId): Promise<void> => {
    const running = new AbortController();
    session.running = running;
    const each: Run = { ...run(client, session.sessionId, requestId, running.signal), prompt: content };
    let end: object = {};
    try {
      await runSteps(scriptOf(content, session.cwd), each);
      end = { stopReason: each.stopReason };
    } catch (error) {
      const { code = -32603, message = '' } = error as { code?: number; message?: string };
      end = { stopReason: 'error', error: { code, message } };
    }
    if (running.signal.aborted) {
      for (const step of each.onCancel) {
        await runStep(step, each);
      }
      end = { stopReason: 'cancelled' };
    }
    delete session.running;
    await state(client, session.sessionId, { state: 'idle', ...end });
    await runSteps(each.afterResponse, { ...each, signal: new AbortController().signal, translation: new Translation(`r${++runs}`) });
  };

  return agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 2,
      info: { name: 'scripted', title: 'Scripted agent', version: '1.0.0' },
      capabilities: { session: { prompt: { image: {}, embeddedContext: {} }, additionalDirectories: {} } },
      ...v2.initialize,
    }))
    .onRequest(methods.agent.session.new, async ({ params: { cwd }, client, requestId }) => {
      const configOptions = (options(setup.new?.configOptions) as unknown[] | undefined) ?? [];
      const session: SessionV2 = { sessionId: `session-${sessions.size + 1}`, cwd, configOptions };
      sessions.set(session.sessionId, session);
      const each = run(client, session.sessionId, requestId);
      await runSteps(placed(setup.beforeNew ?? [], cwd), each);
      afterResponses.set(requestId, () => void runSteps(placed(setup.afterNew ?? [], cwd), each));
      return { sessionId: session.sessionId, ...(configOptions.length > 0 && { configOptions: configOptions as never }) };
    })
    .onRequest(methods.agent.session.resume, async ({ params: { sessionId, cwd, replayFrom }, client, requestId }) => {
      sessions.set(sessionId, { sessionId, cwd, configOptions: [] });
      const each = run(client, sessionId, requestId);
      if (replayFrom) {
        await runSteps(placed([...(v2.resume ?? [])], cwd), each);
      } else {
        await state(client, sessionId, { state: 'idle' });
      }
      return {};
    })
    .onRequest(methods.agent.session.list, () => ({ sessions: [] }))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client, requestId }) => {
      if (v2.refuse) {
        throw new RequestError(v2.refuse.code, v2.refuse.message);
      }
      const session = sessionOf(sessionId);
      const messageId = `u${++prompts}`;
      const { order = 'claude' } = v2;
      if (order === 'claude') {
        await notify(client, sessionId, { sessionUpdate: 'user_message', messageId, content: prompt });
      } else if (order === 'codex') {
        await state(client, sessionId, { state: 'running' });
        for (const content of prompt) {
          await notify(client, sessionId, { sessionUpdate: 'user_message_chunk', messageId, content });
        }
      }
      afterResponses.set(requestId, () => {
        void (async () => {
          if (order !== 'codex') {
            await state(client, sessionId, { state: 'running' });
          }
          if (order === 'late') {
            await notify(client, sessionId, { sessionUpdate: 'user_message', messageId, content: prompt });
          }
          await turn(client, session, prompt as readonly ContentBlock[], requestId);
        })();
      });
      return order === 'none' ? ({} as never) : { messageId };
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
      const { sessionId, configId, value } = params as { sessionId: string; configId: string; value: unknown };
      const session = sessionOf(sessionId);
      session.configOptions = session.configOptions.map((option) =>
        (option as { configId: string }).configId === configId ? { ...(option as object), currentValue: value } : option,
      );
      return { configOptions: session.configOptions as never };
    })
    .onRequest(methods.agent.toolCall.cancel, async ({ params: { sessionId, toolCallId }, client, requestId }) => {
      const steps = v2.cancel?.[toolCallId];
      if (!steps) {
        throw new RequestError(-32602, 'Not cancellable');
      }
      noteCancel(`tool call ${toolCallId}`);
      afterResponses.set(requestId, () => void runSteps(steps, run(client, sessionId, requestId)));
      return {};
    })
    .onRequest(methods.agent.terminal.cancel, async ({ params: { sessionId, terminalId }, client, requestId }) => {
      const steps = v2.cancel?.[terminalId];
      if (!steps) {
        throw new RequestError(-32602, 'Not cancellable');
      }
      noteCancel(`terminal ${terminalId}`);
      afterResponses.set(requestId, () => void runSteps(steps, run(client, sessionId, requestId)));
      return {};
    })
    .onRequest(methods.agent.session.close, ({ params }) => {
      sessions.get(params.sessionId)?.running?.abort();
      sessions.delete(params.sessionId);
      return {};
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      noteCancel(params.sessionId);
      sessions.get(params.sessionId)?.running?.abort();
    });
}

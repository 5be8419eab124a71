/**
 * The demo agent in version 2 of the protocol (preview). It has no files and no terminals of the client there, so it reads and writes the disk, runs
 * commands itself and reports their output.
 */
import type { AgentContext, SessionUpdate, TerminalExitStatus } from '@agentclientprotocol/sdk';
import { agent, agentProtocolRouter, methods, RequestError } from '@agentclientprotocol/sdk/experimental/v2';
import type { AgentConnector, AgentContext as AgentContextV2, ClientCapabilities, Stream } from '@agentclientprotocol/sdk/experimental/v2';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { DemoSession } from './session';

type Fields = Record<string, unknown>;

const sessions = new Map<string, DemoSession>();
let capabilities: ClientCapabilities = {};

function sessionOf(sessionId: string): DemoSession {
  const session = sessions.get(sessionId);
  if (!session) {
    throw new RequestError(-32002, 'Unknown session', { sessionId });
  }
  return session;
}

const demoV2 = agent({ name: 'acp-host-demo' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    capabilities = params.capabilities ?? {};
    return {
      protocolVersion: 2,
      info: { name: 'acp-host-demo', title: 'Demo agent', version: '1.0.0' },
      capabilities: { session: { prompt: { image: {}, audio: {}, embeddedContext: {} }, additionalDirectories: {} } },
    };
  })
  .onRequest(methods.agent.session.new, ({ params, client }) => {
    const sessionId = randomUUID();
    const v1 = {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      session: { configOptions: { boolean: {} } },
      ...(capabilities.elicitation && { elicitation: capabilities.elicitation }),
    };
    const session = new DemoSession(sessionId, params.cwd, new ClientV2(client) as unknown as AgentContext, v1 as never, true);
    sessions.set(sessionId, session);
    setImmediate(() => void session.announce().catch(() => undefined));
    return { sessionId, configOptions: optionsOf(session.opening.configOptions) as never };
  })
  .onRequest(methods.agent.session.list, () => ({ sessions: [] }))
  .onRequest(methods.agent.session.resume, ({ params }) => {
    throw new RequestError(-32002, 'Unknown session', { sessionId: params.sessionId });
  })
  .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
    const { sessionId, configId, value } = params as { sessionId: string; configId: string; value: unknown };
    const session = sessionOf(sessionId);
    await session.set(configId, value);
    return { configOptions: optionsOf(session.configOptions) as never };
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const session = sessionOf(sessionId);
    const messageId = randomUUID();
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'user_message', messageId, content: prompt },
    });
    // After the response, which says only that the message was inserted.
    setImmediate(() => void turn(client, session, prompt as never).catch(() => undefined));
    return { messageId };
  })
  .onRequest(methods.agent.session.close, ({ params }) => {
    sessions.get(params.sessionId)?.cancel();
    sessions.delete(params.sessionId);
    return {};
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());

/** Serves a client in version 2, or in version 1 if it does not know version 2. Resolves when the connection has ended. */
export function serveBoth(version1: AgentConnector, stream: Stream): Promise<void> {
  return agentProtocolRouter().withV1(version1).withV2(demoV2).connect(stream).closed;
}

async function turn(client: AgentContextV2, session: DemoSession, prompt: Parameters<DemoSession['prompt']>[0]): Promise<void> {
  const { sessionId } = session;
  const report = (state: Fields): Promise<void> =>
    client.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: 'state_update', ...state } as never });
  await report({ state: 'running' });
  try {
    await report({ state: 'idle', stopReason: await session.prompt(prompt, new AbortController().signal) });
  } catch (error) {
    await report({ state: 'idle', stopReason: 'error', error: { code: -32603, message: String(error) } });
  }
}

/** The client of version 1, as the guide knows it, on a connection of version 2. */
class ClientV2 {
  private message: { readonly kind: unknown; readonly messageId: string } | undefined;

  constructor(private readonly client: AgentContextV2) {}

  async notify(method: string, params: { readonly sessionId: string; readonly update?: SessionUpdate }): Promise<void> {
    const update = params.update && this.translated(params.update as Fields);
    if (method !== 'session/update' || update) {
      await this.client.notify<unknown>(method as `_${string}`, { ...params, ...(update && { update }) });
    }
  }

  async request(method: string, params: Fields, options?: object): Promise<unknown> {
    switch (method) {
      case 'fs/read_text_file':
        return { content: await readFile(params.path as string, 'utf8') };
      case 'fs/write_text_file':
        return writeFile(params.path as string, params.content as string);
      case 'session/request_permission': {
        const { toolCall, ...rest } = params;
        const call = callOf(toolCall as Fields);
        const asked = { ...rest, title: call.title, subject: { type: 'tool_call', toolCall: call } };
        return this.client.request<unknown>(method as `_${string}`, asked, options);
      }
      default:
        return this.client.request<unknown>(method as `_${string}`, params, options);
    }
  }

  /** Runs a command and reports its terminal. */
  async createTerminal({ sessionId, command, args = [], cwd }: { sessionId: string; command: string; args?: string[]; cwd: string }) {
    const terminalId = randomUUID();
    const report = (update: Fields): Promise<void> =>
      this.client.notify(methods.client.session.update, { sessionId, update: { terminalId, ...update } as never });
    await report({ sessionUpdate: 'terminal_update', command: [command, ...args].join(' '), cwd });
    const child = spawn(command, args, { cwd, shell: args.length === 0, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (data: Buffer): void => {
      output += data.toString();
      void report({ sessionUpdate: 'terminal_output_chunk', data: data.toString('base64') });
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const ended = new Promise<TerminalExitStatus>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, signal) => {
        const exitStatus = { exitCode, signal };
        void report({ sessionUpdate: 'terminal_update', exitStatus });
        resolve(exitStatus);
      });
    });
    return {
      id: terminalId,
      waitForExit: () => ended,
      currentOutput: async () => ({ output, truncated: false, exitStatus: await ended }),
      release: async () => void child.kill(),
    };
  }

  /** Undefined for an update that version 2 does not have. */
  private translated(update: Fields): Fields | undefined {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        if (this.message?.kind !== update.sessionUpdate) {
          this.message = { kind: update.sessionUpdate, messageId: randomUUID() };
        }
        return { ...update, messageId: this.message?.messageId };
      case 'tool_call':
      case 'tool_call_update':
        this.message = undefined;
        return { ...callOf(update), sessionUpdate: 'tool_call_update' };
      case 'plan':
        return { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'plan', entries: update.entries } };
      case 'current_mode_update':
        return undefined; // The options contain the mode.
      case 'config_option_update':
        return { ...update, configOptions: optionsOf(update.configOptions) };
      case 'available_commands_update':
        return {
          ...update,
          availableCommands: (update.availableCommands as Fields[]).map(({ input, ...command }) => ({
            type: 'command',
            ...command,
            ...(input !== undefined && { input: { type: 'text', ...(input as Fields) } }),
          })),
        };
      default:
        return update;
    }
  }
}

/** Returns a tool call whose diffs name their files. The whole text of a file is not a patch. */
function callOf(call: Fields): Fields {
  const content = call.content as Fields[] | undefined;
  return content
    ? {
        ...call,
        content: content.map((item) =>
          item.type === 'diff' ? { type: 'diff', changes: [{ operation: 'modify', path: item.path }], ...patchOf(item) } : item,
        ),
      }
    : call;
}

/** Returns a patch with the lines between the equal beginnings and ends of both texts. */
function patchOf({ path, oldText, newText }: Fields): Fields {
  const before = String(oldText).split('\n');
  const after = String(newText).split('\n');
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) {
    end++;
  }
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const rangeOf = (lines: readonly string[]): string => `${lines.length === 0 ? start : start + 1},${lines.length}`;
  const lines = [
    `diff --git ${String(path)} ${String(path)}`,
    `--- ${String(path)}`,
    `+++ ${String(path)}`,
    `@@ -${rangeOf(removed)} +${rangeOf(added)} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ];
  return { patch: { format: 'git_patch', text: `${lines.join('\n')}\n` } };
}

function optionsOf(options: unknown): unknown {
  return (options as Fields[]).map(({ id, options: choices, ...option }) => ({
    ...option,
    configId: id,
    ...(Array.isArray(choices) && {
      options: choices.map(({ group, ...choice }: Fields) => ({ ...choice, ...(group !== undefined && { groupId: group }) })),
    }),
  }));
}

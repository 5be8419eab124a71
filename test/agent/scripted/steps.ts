/**
 * The steps that a script can contain. A script is JSON: a list of objects with one key each, the step's name. `${cwd}` in any string is
 * the session's folder. The client's answers are sent as messages ("read: …"), so that a test sees them in the conversation.
 */
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { ContentBlock, AgentContext, JsonRpcId, PermissionOption, StopReason, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { toolCall as toolCallOfV2, type Translation } from './translation';

type Fields = Record<string, unknown>;

export interface Steps {
  /** One message chunk. */
  say: string;
  chunks: string[];
  think: string;
  /** Any `session/update`, valid or not: it is sent as it is. */
  update: Fields;
  tool: Fields;
  toolUpdate: Fields;
  plan: unknown[];
  mode: string;
  config: unknown[];
  commands: unknown[];
  usage: Fields;
  notice: Fields;
  /** The session's title and date. */
  info: Fields;
  permission: { toolCall: ToolCallUpdate; options?: PermissionOption[] };
  /**
   * The params of `elicitation/create`: for the session, or with `because` for the client's request for which the script runs. Its answer
   * is sent as a message.
   */
  elicit: Fields & { because?: 'request' };
  /** Sends `elicitation/complete` for this elicitationId. */
  completed: string;
  /** A path, or the params of `fs/read_text_file`. */
  read: string | { path: string; line?: number; limit?: number };
  write: { path: string; content: string };
  /** Reads the file, replaces the text once, and writes the file. */
  edit: { path: string; find: string; replace: string };
  /**
   * The journey's edit: after "permission: selected allow" it reads, writes the text followed by the old content, and completes the tool
   * call.
   */
  prepend: { path: string; text: string; toolCallId: string };
  /** `toolCallId` embeds it in that tool call; `killAfterMs` kills it; `keep` does not release it. */
  terminal: {
    command: string;
    args?: string[];
    env?: { name: string; value: string }[];
    cwd?: string;
    outputByteLimit?: number;
    toolCallId?: string;
    killAfterMs?: number;
    keep?: boolean;
  };
  /** A line that the agent runs in its own shell, until it ends. */
  shell: string;
  /** A file into which the agent writes its process id. */
  writePid: string;
  /**
   * Any request to the client; its answer is sent as a message. `cancelled`: when the turn is cancelled, the request is withdrawn, or its
   * answer is no longer awaited.
   */
  request: { method: string; params: unknown; cancelled?: 'withdraw' | 'leave' };
  /** A line on stdout. A value that is not a string is written as JSON. */
  raw: unknown;
  /** Text on stdout that is not a protocol message. */
  /** Repeats the prompt as JSON, one block per line. */
  sayPrompt: true;
  noise: string;
  stderr: string;
  /** The time in ms for which the agent waits. */
  sleep: number;
  /** Waits until this file exists. */
  waitFile: string;
  exit: number;
  stopReason: StopReason;
  error: { code: number; message: string; data?: unknown };
  /** Runs these steps in parallel. */
  together: Step[];
  /** Steps that run right after the response to the prompt is written. */
  afterResponse: Step[];
  /** Steps that run when the turn is cancelled, before it ends. */
  onCancel: Step[];
  /** Waits for `session/cancel`. */
  waitCancel: true;
  /** Runs the steps in the session of a subagent. */
  of: { session: string; steps: Step[] };
  /** Waits for `session/cancel` with the id of a subagent. */
  waitCancelOf: string;
  /** Waits for a message that is steered into the turn, and repeats it. */
  waitSteer: true;
  /** The time in ms for which the agent waits, even in a cancelled turn. */
  pause: number;
  /** The time in ms in which the agent neither reads nor writes. */
  block: number;
  /** The time in ms for which a child process keeps the agent's stdout open. */
  child: number;
  /** Repeats the steps; `${n}` in their strings counts from 1. */
  repeat: { times: number; steps: Step[] };
}

export type Step = { [K in keyof Steps]: Pick<Steps, K> }[keyof Steps];

/** The context of a running script. */
export interface Run {
  readonly client: AgentContext;
  readonly sessionId: string;
  /** The id of the client's request for which the script runs. */
  readonly requestId: JsonRpcId;
  readonly signal: AbortSignal;
  /** Writes to stdout directly, in order with the SDK's own lines. */
  write(text: string): void;
  /** The user's prompt, if the script answers one. */
  readonly prompt?: readonly ContentBlock[];
  /** The stop reason with which the turn will end. */
  stopReason: StopReason;
  readonly afterResponse: Step[];
  readonly onCancel: Step[];
  /** Receives a message that was steered into the turn. */
  steer(text: string): void;
  /** The next such message; undefined when the turn is cancelled. */
  steered(): Promise<string | undefined>;
  /** Translates the updates to version 2, when the connection speaks it. */
  readonly translation?: Translation;
  /** The user's newest answer to a permission request. */
  permission?: string;
}

const OPTIONS: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** The sessions for which the client has sent `session/cancel`. */
const cancelled = new Set<string>();
const whenCancelled: [sessionId: string, resolve: () => void][] = [];

export function noteCancel(sessionId: string): void {
  cancelled.add(sessionId);
  whenCancelled.filter(([id]) => id === sessionId).forEach(([, resolve]) => resolve());
}

type Runner = { [K in keyof Steps]: (value: Steps[K], run: Run) => Promise<void> | void };

const runner: Runner = {
  say: (text, run) => update(run, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
  chunks: async (texts, run) => {
    for (const text of texts) {
      await runner.say(text, run);
    }
  },
  sayPrompt: (_, run) => runner.say(`\`\`\`\n${(run.prompt ?? []).map((block) => JSON.stringify(block)).join('\n')}\n\`\`\`\n`, run),
  think: (text, run) => update(run, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),
  update: (fields, run) => update(run, fields),
  tool: (fields, run) => update(run, { sessionUpdate: 'tool_call', ...fields }),
  toolUpdate: (fields, run) => update(run, { sessionUpdate: 'tool_call_update', ...fields }),
  plan: (entries, run) => update(run, { sessionUpdate: 'plan', entries }),
  mode: (currentModeId, run) => update(run, { sessionUpdate: 'current_mode_update', currentModeId }),
  config: (configOptions, run) => update(run, { sessionUpdate: 'config_option_update', configOptions }),
  commands: (availableCommands, run) => update(run, { sessionUpdate: 'available_commands_update', availableCommands }),
  usage: (fields, run) => update(run, { sessionUpdate: 'usage_update', ...fields }),
  notice: (fields, run) => update(run, { sessionUpdate: 'notice', ...fields }),
  info: (fields, run) => update(run, { sessionUpdate: 'session_info_update', ...fields }),
  permission: ({ toolCall, options = OPTIONS }, run) =>
    tell(run, 'permission', async () => {
      const subject = run.translation
        ? { title: toolCall.title, subject: { type: 'tool_call', toolCall: toolCallOfV2(toolCall as unknown as Fields) } }
        : { toolCall };
      const params = { sessionId: run.sessionId, ...subject, options } as never;
      const { outcome } = await run.client.request(methods.client.session.requestPermission, params);
      run.permission = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
      return outcome.outcome === 'selected' ? `selected ${outcome.optionId}` : outcome.outcome;
    }),
  elicit: ({ because, ...params }, run) =>
    tell(run, 'elicit', async () => {
      const scope = because ? { requestId: run.requestId } : { sessionId: run.sessionId };
      return JSON.stringify(await run.client.request('elicitation/create', { ...scope, ...params }));
    }),
  completed: (elicitationId, run) => run.client.notify('elicitation/complete', { elicitationId }),
  read: (params, run) => tell(run, 'read', async () => JSON.stringify(await read(run, params))),
  write: (params, run) => tell(run, 'write', () => write(run, params)),
  edit: ({ path, find, replace }, run) =>
    tell(run, 'edit', async () => write(run, { path, content: (await read(run, path)).replace(find, () => replace) })),
  prepend: (params, run) => prepend(run, params),
  terminal: (params, run) => tell(run, 'terminal', () => terminal(run, params)),
  writePid: (file) => writeFileSync(file, String(process.pid)),
  shell: (line) => void execFileSync('/bin/sh', ['-c', line], { stdio: 'ignore' }),
  request: ({ method, params, cancelled }, run) => {
    const answer = run.client.request(method, params, cancelled === 'withdraw' ? { cancellationSignal: run.signal } : {});
    return tell(run, method, async () =>
      (cancelled === 'leave' ? Promise.race([answer, runner.waitCancel(true, run)]) : answer).then(
        (value) => JSON.stringify(value) ?? 'left',
      ),
    );
  },
  raw: (value, run) => run.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`),
  noise: (text, run) => run.write(text),
  stderr: (text) => void process.stderr.write(text),
  sleep: (ms, run) => delay(ms, undefined, { signal: run.signal }).catch(() => undefined),
  waitFile: async (path) => {
    while (!existsSync(path)) {
      await delay(20);
    }
  },
  exit: (code) => process.exit(code),
  stopReason: (stopReason, run) => void (run.stopReason = stopReason),
  error: ({ code, message, data }) => {
    throw new RequestError(code, message, data);
  },
  together: async (steps, run) => void (await Promise.all(steps.map((step) => runStep(step, run)))),
  afterResponse: (steps, run) => void run.afterResponse.push(...steps),
  onCancel: (steps, run) => void run.onCancel.push(...steps),
  waitCancel: (_, run) =>
    new Promise((resolve) => (run.signal.aborted ? resolve() : run.signal.addEventListener('abort', () => resolve(), { once: true }))),
  of: ({ session, steps }, run) => runSteps(steps, { ...run, sessionId: session }),
  waitCancelOf: (sessionId) =>
    new Promise((resolve) => (cancelled.has(sessionId) ? resolve() : void whenCancelled.push([sessionId, resolve]))),
  waitSteer: async (_, run) => {
    const text = await run.steered();
    if (text !== undefined) {
      await runner.say(`steered: ${text}`, run);
    }
  },
  pause: (ms) => delay(ms),
  block: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  child: (ms) => void spawn(process.execPath, ['-e', `setTimeout(() => {}, ${ms})`], { stdio: ['ignore', 'inherit', 'ignore'] }),
  repeat: async ({ times, steps }, run) => {
    for (let n = 1; n <= times && !run.signal.aborted; n++) {
      for (const step of JSON.parse(JSON.stringify(steps).replaceAll('${n}', String(n))) as Step[]) {
        await runStep(step, run);
      }
    }
  },
};

/** Runs a script until it ends or the turn is cancelled. */
export async function runSteps(steps: readonly Step[], run: Run): Promise<void> {
  for (const step of steps) {
    if (run.signal.aborted) {
      return;
    }
    await runStep(step, run);
  }
}

/** Runs one step, even in a cancelled turn. */
export async function runStep(step: Step, run: Run): Promise<void> {
  const [name, value] = Object.entries(step)[0] ?? [];
  const perform = runner[name as keyof Steps] as ((value: unknown, run: Run) => Promise<void> | void) | undefined;
  if (!perform) {
    throw RequestError.invalidParams({ step }, `no step "${name}"`);
  }
  await perform(value, run);
}

async function update({ client, sessionId, translation }: Run, fields: Fields): Promise<void> {
  await client.notify<unknown>('session/update', { sessionId, update: translation?.update(fields) ?? fields });
}

async function tell(run: Run, label: string, perform: () => Promise<string>): Promise<void> {
  const answer = await perform().catch((error: unknown) =>
    error instanceof RequestError ? `error ${error.code} ${error.message}` : `error ${String(error)}`,
  );
  await runner.say(`${label}: ${answer}\n`, run);
}

async function read({ client, sessionId }: Run, params: Steps['read']): Promise<string> {
  const { content } = await client.request(methods.client.fs.readTextFile, {
    sessionId,
    ...(typeof params === 'string' ? { path: params } : params),
  });
  return content;
}

async function write({ client, sessionId }: Run, params: Steps['write']): Promise<string> {
  await client.request(methods.client.fs.writeTextFile, { sessionId, ...params });
  return 'written';
}

async function prepend(run: Run, { path, text, toolCallId }: Steps['prepend']): Promise<void> {
  if (run.permission !== 'allow') {
    await runner.say('You said no: nothing was written.\n', run);
    return runner.toolUpdate({ toolCallId, status: 'failed' }, run);
  }
  await tell(run, 'edit', async () => {
    try {
      const oldText = await read(run, path);
      const newText = text + oldText;
      await runner.toolUpdate({ toolCallId, status: 'in_progress', content: [{ type: 'diff', path, oldText, newText }] }, run);
      await write(run, { path, content: newText });
      await runner.toolUpdate({ toolCallId, status: 'completed' }, run);
      return `${oldText.split('\n').length - 1} lines read, one written`;
    } catch (error) {
      await runner.toolUpdate({ toolCallId, status: 'failed' }, run);
      throw error;
    }
  });
}

async function terminal(run: Run, { toolCallId, killAfterMs, keep, ...params }: Steps['terminal']): Promise<string> {
  const handle = await run.client.createTerminal({ sessionId: run.sessionId, ...params });
  if (toolCallId !== undefined) {
    await runner.toolUpdate({ toolCallId, status: 'in_progress', content: [{ type: 'terminal', terminalId: handle.id }] }, run);
  }
  if (killAfterMs !== undefined) {
    await delay(killAfterMs);
    await handle.kill();
  }
  const { exitCode, signal } = await handle.waitForExit();
  const { output, truncated } = await handle.currentOutput();
  if (!keep) {
    await handle.release();
  }
  const status = signal ? `signal ${signal}` : `exit ${exitCode}`;
  return `${status} ${JSON.stringify(output.replaceAll('\r\n', '\n'))}${truncated ? ' truncated' : ''}`;
}

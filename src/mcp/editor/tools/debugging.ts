/** The tools that run programs in VS Code's debugger. They wait until the program stops or ends. */
import path from 'node:path';
import { z } from 'zod';
import { bounded, tailOf, unlessAborted, withRetries } from '../answerText';
import type { DebugConfiguration, DebugPort, OwnConfiguration } from '../debugging/debugPort';
import type { DebugSessionInfo, Outcome } from '../debugging/debugSessions';
import { Inspection } from '../debugging/inspection';
import { fileField, SessionFiles } from '../files';
import { previewOf } from '../position';
import { RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext } from '../tool';

const WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 600;
const TIMEOUT = (MAX_WAIT_SECONDS + 30) * 1000;
const FRAMES = 5;
const MAX_OUTPUT = 4 * 1024;
/** The time in ms for one question to the debug adapter in an answer. */
const ASK_MS = 5000;

/** The debug types of VS Code's usual extensions, by the ending of a program's file. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.mts': 'node',
  '.py': 'debugpy',
  '.go': 'go',
  '.rb': 'rdbg',
  '.php': 'php',
  '.ps1': 'PowerShell',
};

const waitSeconds = z
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .optional()
  .describe(`How long to wait for a stop or the end, in seconds. Default: ${WAIT_SECONDS}.`);
export const sessionField = z
  .string()
  .max(100)
  .optional()
  .describe('The id of a debug session, such as "debug-1". Default: the session that stopped last.');
export const threadField = z.int().optional().describe('The id of a thread, from debug_state. Default: the thread that stopped.');

const startInput = z.object({
  configuration: z.string().min(1).max(500).optional().describe('The name of a configuration of launch.json.'),
  file: fileField.optional().describe('Instead of configuration: the program to debug.'),
  type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('With file: the debug type, such as "node" or "debugpy". Default: by the ending of the file.'),
  args: z.array(z.string().max(4000)).max(100).optional().describe('With file: the arguments of the program.'),
  stopOnEntry: z.boolean().optional().describe('With file: true stops at the first line.'),
  waitSeconds,
});
const stopInput = z.object({
  session: sessionField.describe('The id of a debug session, such as "debug-1". Leave it out to stop all sessions.'),
});
const stepInput = z.object({
  action: z.enum(['over', 'in', 'out', 'continue', 'pause']),
  session: sessionField,
  thread: threadField,
  waitSeconds,
});
const REQUESTS = { over: 'next', in: 'stepIn', out: 'stepOut', continue: 'continue', pause: 'pause' } as const;

export function debuggingTools(port: DebugPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'start_debugging',
      category: 'debugging',
      title: 'Start debugging',
      description:
        'Starts a program in the debugger, by a configuration of launch.json or by its file, and waits until it stops at a breakpoint, throws, ends, or ' +
        'the time is over. Answers where it stopped and its output. Set breakpoints first.',
      isReadOnly: false,
      input: startInput,
      timeout: TIMEOUT,
      run: (input, context) => start(port, input, context),
    }),
    editorTool({
      name: 'stop_debugging',
      category: 'debugging',
      title: 'Stop debugging',
      description: 'Ends one debug session, or all.',
      isReadOnly: false,
      input: stopInput,
      timeout: 30_000,
      run: (input, context) => stop(port, input.session, context),
    }),
    editorTool({
      name: 'step',
      category: 'debugging',
      title: 'Step',
      description:
        'Lets a stopped program step over, in or out, or continue; or pauses a running one. Waits until it stops again or ends, and answers where.',
      isReadOnly: false,
      input: stepInput,
      timeout: TIMEOUT,
      run: (input, context) => step(port, input, context),
    }),
    editorTool({
      name: 'debug_state',
      category: 'debugging',
      title: 'Read the state of the debugger',
      description:
        'Answers the debug sessions with their state, the reason of a stop, their threads and last output, and the configurations of launch.json.',
      isReadOnly: true,
      input: z.object({}),
      timeout: 30_000,
      run: (_input, context) => state(port, context),
    }),
  ]);
}

async function start(port: DebugPort, input: z.output<typeof startInput>, context: ToolContext): Promise<ToolAnswer> {
  const sessions = port.sessions();
  const [folder, configuration] = await launchOf(port, input, context);
  const since = sessions.revision;
  const family = (): readonly DebugSessionInfo[] => sessions.all.filter(({ startedAt }) => startedAt > since);
  context.progress(0, undefined, `Starting ${typeof configuration === 'string' ? configuration : configuration.name}`);
  const limit = limited(context.signal, input.waitSeconds);
  const waiting = new AbortController();
  const next = sessions.next(family, since, AbortSignal.any([limit, waiting.signal]));
  const isStarted = await unlessAborted(
    port.start(folder, configuration).catch((error: unknown) => {
      throw new RetryError(`VS Code could not start it: ${error instanceof Error ? error.message.slice(0, 1000) : String(error)}`);
    }),
    limit,
  ).finally(() => family().length === 0 && waiting.abort());
  if (isStarted === false && family().length === 0) {
    throw new RetryError(
      'VS Code has not started it: the task before it failed, the debug type is unknown, or the user cancelled. See debug_state for the configurations.',
    );
  }
  if (isStarted === undefined && family().length === 0) {
    return {
      text: 'It has not started in time. VS Code may be asking the user. See debug_state.',
      data: { state: 'starting', timedOut: true },
    };
  }
  const outcome = family().length === 0 ? await sessions.next(family, since, limit) : await next;
  return outcomeAnswer(port, outcome, family(), context);
}

async function stop(port: DebugPort, id: string | undefined, context: ToolContext): Promise<ToolAnswer> {
  const sessions = port.sessions();
  const meant = id === undefined ? undefined : new Inspection(port).sessionOf(id);
  const family = (): readonly DebugSessionInfo[] => (meant ? sessions.familyOf(meant.key) : sessions.all);
  const running = family().filter((each) => each.state !== 'ended');
  if (running.length === 0) {
    return { text: 'No program is being debugged.', data: { stopped: [] } };
  }
  await unlessAborted(port.stop(meant?.key), context.signal);
  await sessions.next(
    () => family().filter(({ key }) => running.some((each) => each.key === key)),
    sessions.revision,
    limited(context.signal, 10),
  );
  const rows = running.map((each) => {
    const now = sessions.all.find(({ key }) => key === each.key);
    return `${each.id} (${each.name}) ${now?.state === 'ended' ? 'has ended' : 'was asked to end'}.`;
  });
  return { text: rows.join('\n'), data: { stopped: running.map((each) => each.id), timedOut: context.timedOut } };
}

async function step(port: DebugPort, input: z.output<typeof stepInput>, context: ToolContext): Promise<ToolAnswer> {
  const inspection = new Inspection(port);
  const session = inspection.sessionOf(input.session);
  if (input.action !== 'pause' && session.state === 'running') {
    throw new RetryError(`${session.name} is running, so it cannot step. Use action pause, or wait for a breakpoint.`);
  }
  if (input.action === 'pause' && session.state === 'stopped') {
    throw new RetryError(`${session.name} is stopped already. See stack.`);
  }
  const sessions = port.sessions();
  const since = sessions.revision;
  const threadId = input.thread ?? session.stop?.threadId ?? (await inspection.threads(session).catch(() => []))[0]?.id ?? 1;
  const family = (): readonly DebugSessionInfo[] => sessions.familyOf(session.key);
  const limit = limited(context.signal, input.waitSeconds);
  const next = sessions.next(family, since, limit);
  await unlessAborted(inspection.ask(session, REQUESTS[input.action], { threadId }), limit);
  return outcomeAnswer(port, await next, family(), context);
}

async function state(port: DebugPort, context: ToolContext): Promise<ToolAnswer> {
  const sessions = port.sessions().all.slice(-10);
  const inspection = new Inspection(port);
  const limit = limited(context.signal, ASK_MS / 1000);
  const rows: string[] = [];
  const data: unknown[] = [];
  for (const session of sessions) {
    rows.push(line(session));
    const isLive = session.state !== 'ended';
    const threads = isLive
      ? ((await unlessAborted(
          inspection.threads(session).catch(() => []),
          limit,
        )) ?? [])
      : [];
    rows.push(
      ...threads
        .slice(0, 20)
        .map(({ id, name }) => `  thread ${id}: ${previewOf(name)}${session.stop?.threadId === id ? ' (stopped)' : ''}`),
    );
    rows.push(...(threads.length > 20 ? [`  … and ${threads.length - 20} more threads`] : []), ...outputRows(session, 1500));
    data.push({
      id: session.id,
      name: session.name,
      type: session.type,
      state: session.state,
      stop: session.stop ?? null,
      threads: threads.slice(0, 20),
    });
  }
  const configurations = port.configurations().slice(0, 50);
  const files = await SessionFiles.of(context.session.roots);
  return {
    text: bounded(
      [
        ...(sessions.length === 0 ? ['No program is being debugged.'] : rows),
        configurations.length === 0 ? 'There are no configurations in launch.json.' : 'Configurations of launch.json:',
        ...configurations.map((each) => configurationRow(each, files)),
      ].join('\n'),
    ),
    data: {
      sessions: data,
      configurations: configurations.map(({ name, type, request }) => ({ name, type: type ?? null, request: request ?? null })),
    },
  };
}

/** Returns the folder of the workspace and the configuration to start. @throws RetryError */
async function launchOf(
  port: DebugPort,
  { configuration: name, file: named, type, args, stopOnEntry }: z.output<typeof startInput>,
  { session }: ToolContext,
): Promise<[string | undefined, string | OwnConfiguration]> {
  const files = await SessionFiles.of(session.roots);
  if (name !== undefined) {
    if (named !== undefined) {
      throw new RetryError('Give configuration or file, not both.');
    }
    const known = port.configurations();
    const found = known.find((each) => each.name === name);
    if (!found) {
      const names = known.map((each) => each.name).join(', ');
      throw new RetryError(
        `launch.json has no configuration ${name}. ${names === '' ? 'It has none. Give file instead.' : `It has: ${names}.`}`,
      );
    }
    return [found.folder, name];
  }
  if (named === undefined) {
    throw new RetryError('Give configuration (a name in launch.json) or file (the program to debug).');
  }
  const file = await files.resolve(named, 'file');
  const chosen = type ?? TYPES[path.extname(file.path).toLowerCase()];
  if (chosen === undefined) {
    throw new RetryError(`The debug type of ${file.shown} is unknown. Give type, such as "node", or the name of a configuration.`);
  }
  const folder = files.folders.find((each) => file.path.startsWith(each + path.sep)) ?? path.dirname(file.path);
  const own: OwnConfiguration = {
    name: path.basename(file.path),
    type: chosen,
    request: 'launch',
    program: file.path,
    cwd: folder,
    ...(args && { args }),
    ...(stopOnEntry !== undefined && { stopOnEntry }),
  };
  return [folder, own];
}

async function outcomeAnswer(
  port: DebugPort,
  outcome: Outcome,
  family: readonly DebugSessionInfo[],
  context: ToolContext,
): Promise<ToolAnswer> {
  const output = family.flatMap((session) => outputRows(session, MAX_OUTPUT));
  if (outcome === 'ended') {
    const code = family.find(({ exitCode }) => exitCode !== undefined)?.exitCode;
    const text = `The program has ended${code === undefined ? '' : ` with exit code ${code}`}.`;
    return { text: bounded([text, ...output].join('\n')), data: { state: 'ended', exitCode: code ?? null, timedOut: false } };
  }
  if (!outcome) {
    const rows = family.map(line);
    const text = 'The program is still running. Use step with pause, set a breakpoint, or see debug_state later.';
    return {
      text: bounded([text, ...rows, ...output].join('\n')),
      data: { state: 'running', sessions: family.map(({ id }) => id), timedOut: true },
    };
  }
  const inspection = new Inspection(port);
  const limit = AbortSignal.timeout(ASK_MS);
  const read = await unlessAborted(
    inspection.frames(outcome, undefined, 0, FRAMES).catch(() => undefined),
    limit,
  );
  const frames = await Promise.all(
    (read?.frames ?? []).map(async (frame) => ({
      index: frame.index,
      name: frame.name,
      place: await inspection.place(context.session, frame),
    })),
  );
  const [top] = read?.frames ?? [];
  const files = await SessionFiles.of(context.session.roots);
  return {
    text: bounded([line(outcome), ...frames.map(({ index, name, place }) => `#${index} ${name} ${place}`), ...output].join('\n')),
    data: {
      state: 'stopped',
      session: outcome.id,
      reason: outcome.stop?.reason ?? null,
      file: top?.path === undefined ? null : files.shown(top.path),
      line: top?.line ?? null,
      timedOut: false,
    },
  };
}

function line({ id, name, type, state, stop, exitCode }: DebugSessionInfo): string {
  const head = `${id} (${previewOf(name)}, ${type})`;
  if (stop) {
    return `${head} is stopped: ${stop.reason}${stop.text === undefined ? '' : `, ${previewOf(stop.text)}`}${stop.threadId === undefined ? '' : `, thread ${stop.threadId}`}.`;
  }
  return `${head} ${state === 'ended' ? `has ended${exitCode === undefined ? '' : ` with exit code ${exitCode}`}` : state === 'unknown' ? 'began earlier' : 'is running'}.`;
}

function outputRows({ id, output }: DebugSessionInfo, max: number): readonly string[] {
  return output.trim() === '' ? [] : [`Output of ${id}:`, tailOf(output.trimEnd(), max)];
}

function configurationRow({ name, type, request, folder }: DebugConfiguration, files: SessionFiles): string {
  const what = request === undefined ? 'compound' : `${type ?? '?'}, ${request}`;
  return `  ${previewOf(name)} (${what})${folder === undefined ? '' : ` in ${files.shown(folder)}`}`;
}

/** Aborts with `signal`, or when the time is over. */
function limited(signal: AbortSignal, seconds = WAIT_SECONDS): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
}

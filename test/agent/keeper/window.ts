/**
 * A window in a process of its own, which a test kills at any moment: starts a session with a kept agent, or continues it. It answers each permission
 * request. Its lines say what happened: `ready`, `done`, and the process ids.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Trace } from '../../../src/acp/trace/trace';
import { KeptAgents } from '../../../src/application/agents/keptAgents';
import { EditorServers } from '../../../src/application/mcp/editorServers';
import type { KeepLimits } from '../../../src/core/keeper/messages';
import type { ServerSource } from '../../../src/core/mcp/sessionServers';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import { editorTool } from '../../../src/mcp/editor/tool';
import { PermissionPromptQueue } from '../../../src/session/permission/promptQueue';
import type { Session } from '../../../src/session/session';
import { SessionStorage } from '../../../src/session/storage/sessionStorage';
import { systemClock } from '../../../src/util/clock';
import { FakeBuffers } from '../../support/fakeBuffers';
import { ChangesStage } from '../../support/scenario/changesStage';
import { NO_ACCOUNT, NOBODY, type StageOptions } from '../../support/scenario/stageOptions';
import { stageSessions } from '../../support/scenario/stageSessions';

/** The instructions of a window, as JSON in its first argument. */
export interface WindowOptions {
  /** A folder for everything. */
  readonly root: string;
  /** The built keeper. */
  readonly program: string;
  readonly launch: ProcessLaunch;
  readonly limits: KeepLimits;
  /** Continues the session instead of starting one. */
  readonly isLater: boolean;
  /** Leaves the agent with the keeper after so many ms, as a window does that reloads. */
  readonly leavesAfter?: number;
  readonly asksBeforeCommands?: boolean;
  /** The session's folder. Absent: `root`. */
  readonly cwd?: string;
  /** Records the changes of turns, and says those of the turn. */
  readonly records?: boolean;
  /** The built bridge. Gives agents the editor's server, with one tool that says which window runs it. */
  readonly bridge?: string;
  /** ms after which permission requests are answered. */
  readonly answerMs: number;
}

const options = JSON.parse(process.argv[2] ?? '') as WindowOptions;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const text = (message: string): void => void process.stderr.write(`${message}\n`);
const log = { debug: () => undefined, info: text, warn: text, error: text };
const { root, program, launch, limits, answerMs } = options;
const storage = new SessionStorage({ root: path.join(root, 'store'), earlier: { globalStorage: root }, maxBytes: () => Infinity, log });
const folder = path.join(root, 'keepers');
const kept = new KeptAgents({
  clock: systemClock,
  log,
  folder,
  maxBytes: 1 << 24,
  limits: () => limits,
  restore: (key) => sessions.restore(key, () => launch),
});
const editor = options.bridge === undefined ? undefined : editorServers(options.bridge);
const changes = options.records ? new ChangesStage(0, false, path.join(root, 'changes')) : undefined;
changes?.openGate();
const sessions = stageSessions({
  ...(changes && { changes }),
  ...(editor && { servers: editor }),
  permissions: new PermissionPromptQueue(NOBODY, systemClock),
  journals: storage,
  buffers: new FakeBuffers(),
  account: NO_ACCOUNT as NonNullable<StageOptions['account']>,
  log,
  record: () => new Trace(systemClock),
  terminals: [],
  protectedPaths: undefined,
  askBeforeCommands: options.asksBeforeCommands ? { '*': 'always' } : undefined,
  keeping: {
    options: { places: { folder, program, node: process.execPath }, limits },
    agents: { adopt: (id, key) => kept.adopt(id, key), remember: () => undefined },
  },
});

void run();
process.once('SIGTERM', () => void leave());

/** The editor's server of each session. Says the port when the agent can use it. */
function editorServers(bridge: string): ServerSource {
  const servers = new EditorServers({
    version: '1',
    bridge: { command: process.execPath, file: bridge },
    socketFolder: path.join(root, 'sockets'),
    tools: () =>
      Promise.resolve([
        editorTool({
          name: 'window',
          category: 'editors',
          title: 'Window',
          description: 'Says which window runs it.',
          isReadOnly: true,
          input: z.object({}),
          timeout: 5000,
          run: () => Promise.resolve({ text: `window ${process.pid}` }),
        }),
      ]),
    settings: () => ({ mode: 'readOnly', categories: {} }),
    observer: () => Promise.resolve({ begin: () => ({ allowed: () => Promise.resolve(undefined), ended: () => undefined }) }),
    onError: (error) => text(String(error)),
  });
  const served = (key: string): void => {
    const address = servers.addressOf(key);
    say(`served ${address?.type === 'http' ? new URL(address.url).port : ''}`);
  };
  return {
    isActive: (request) => servers.isActive(request),
    resolve: async (request) => {
      const server = await servers.declare(request);
      served(request.key);
      return { servers: server ? [server] : [], leftOut: [] };
    },
    addressOf: (key) => servers.addressOf(key),
    continue: async (request, earlier) => {
      await servers.declare(request, earlier);
      served(request.key);
    },
    ended: (key, isLeft) => servers.ended(key, isLeft),
  };
}

async function run(): Promise<void> {
  const session = options.isLater
    ? await sessions.restore('session', () => launch)
    : sessions.create(launch, { cwd: options.cwd ?? root, additionalDirectories: [], mcpServers: [] });
  if (!session) {
    say('none');
    process.exit(1);
  }
  say(`status ${session.store.state.status} ${session.store.state.turn?.turnId ?? ''}`);
  session.store.onEvents(() => follow(session));
  follow(session);
  const { leavesAfter } = options;
  if (leavesAfter !== undefined) {
    // A session that is not open yet ends with its window.
    await new Promise<void>((resolve) => session.store.onEvents(() => session.store.state.turn && resolve()));
    setTimeout(() => void leave(), leavesAfter);
  }
}

let isPrompted = options.isLater;
let isDone = false;
/** True when the agent has answered in the turn. */
let isReady = false;
const asked = new Set<string>();
const noticed = new Set<string>();

function follow(session: Session): void {
  const { state } = session.store;
  if (state.status === 'ready' && !isPrompted) {
    isPrompted = true;
    queueMicrotask(() => session.prompt([{ type: 'text', text: 'Go' }]));
    return;
  }
  if (!isReady && state.turn && state.entries.length > 1) {
    isReady = true;
    say('ready');
  }
  for (const entry of state.entries.inMemory()) {
    if (entry.kind === 'notice' && 'failure' in entry && entry.failure && !noticed.has(entry.entryId)) {
      noticed.add(entry.entryId);
      say(`notice ${entry.failure.code}`);
    }
    if (entry.kind === 'permission' && 'permissionId' in entry && !entry.outcome && !asked.has(entry.permissionId)) {
      const { permissionId, options: offered } = entry;
      const { optionId } = offered.find(({ kind }) => kind === 'allow_once') ?? offered[0]!;
      asked.add(permissionId);
      // A question of an earlier window can be answered when the agent has repeated it.
      const answer = (): void => void (session.answerPermission(permissionId, optionId) || setTimeout(answer, 10));
      setTimeout(answer, answerMs);
    }
  }
  const isOver = isPrompted && state.status !== 'starting' && !state.turn && session.store.seq > 3;
  if (isOver && !isDone && (state.status !== 'ready' || state.entries.length > 2)) {
    isDone = true;
    void end(session);
  }
}

async function end(session: Session): Promise<void> {
  const { status, failure } = session.store.state;
  for (let wait = 0; changes?.turns.length === 0 && wait < 200; wait++) {
    await delay(20);
  }
  changes?.turns.forEach(({ files }) => say(`turn ${JSON.stringify(files)}`));
  await session.end();
  await sessions.flush();
  say(`done ${status} ${failure?.code ?? ''}`.trim());
  setTimeout(() => process.exit(0), 300);
}

async function leave(): Promise<void> {
  await sessions.flush();
  sessions.leaveKept();
  sessions.dispose();
  storage.dispose();
  say('left');
  setTimeout(() => process.exit(0), 100);
}

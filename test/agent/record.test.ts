/** The journal on disk when an agent is killed and then replays less of the conversation, or a different one. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentLaunch } from '../../src/core/model/agentLaunch';
import type { Log } from '../../src/core/platform/log';
import type { SessionState } from '../../src/core/model/state';
import { PermissionPromptQueue } from '../../src/session/permission/promptQueue';
import { reducePortions } from '../../src/session/journal/journalReader';
import type { Session } from '../../src/session/session';
import type { Sessions } from '../../src/session/sessions';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { systemClock } from '../../src/util/clock';
import { Trace } from '../../src/acp/trace/trace';
import { FakeBuffers } from '../support/fakeBuffers';
import { expectNoChildren } from '../support/leaks';
import { agentArguments, buildAgent } from '../support/scenario/agents';
import { sessionLines } from '../support/scenario/sessionLines';
import { stageSessions } from '../support/scenario/stageSessions';
import { NO_ACCOUNT, NOBODY, type StageOptions } from '../support/scenario/stageOptions';
import type { StoredSession } from './scripted/stored';
import type { Step } from './scripted/steps';

const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const prompt = (steps: readonly Step[]): string => `@script ${JSON.stringify(steps)}`;
const chunk = (kind: 'user' | 'agent', text: string, more: object = {}): Step => ({
  update: { sessionUpdate: `${kind}_message_chunk`, content: { type: 'text', text }, ...more },
});

describe('the record of a session whose agent is killed', function () {
  this.timeout(60_000);
  let cwd: string;
  let storage: SessionStorage;
  let sessions: Sessions;
  let session: Session;

  before(buildAgent);
  beforeEach(async () => (cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'record-')))));
  afterEach(async () => {
    await session.end();
    sessions.dispose();
    storage.dispose();
    await rm(cwd, { recursive: true, force: true });
    await expectNoChildren();
  });

  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let tries = 0; !holds(); tries++) {
      assert.ok(tries < 2000, `waited for ${what}: ${session.store.state.status} ${JSON.stringify(session.store.state.failure)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const turnsOf = ({ entries }: SessionState): number => [...entries].filter(({ kind }) => kind === 'turn').length;

  function start(method: 'load' | 'resume', replay: Step[]): void {
    const stored: StoredSession[] = [{ sessionId: 'session-1', replay, beforeResume: replay }];
    const agentCapabilities = method === 'load' ? { loadSession: true } : { sessionCapabilities: { resume: {} } };
    const setup = { initialize: { agentCapabilities }, stored };
    storage = new SessionStorage({ root: path.join(cwd, 'store'), earlier: { globalStorage: cwd }, maxBytes: () => Infinity, log });
    const launch: AgentLaunch = {
      agentId: 'Scripted',
      agentName: 'Scripted',
      command: process.execPath,
      args: [...agentArguments(), '--setup', JSON.stringify(setup)],
      env: {},
    };
    sessions = stageSessions({
      permissions: new PermissionPromptQueue(NOBODY, systemClock),
      journals: storage,
      buffers: new FakeBuffers(),
      account: NO_ACCOUNT as NonNullable<StageOptions['account']>,
      log,
      record: () => new Trace(systemClock),
      terminals: [],
    });
    session = sessions.create(launch, { cwd, additionalDirectories: [], mcpServers: [] });
  }

  async function say(steps: readonly Step[]): Promise<void> {
    const turns = turnsOf(session.store.state);
    assert.equal(session.submit([{ type: 'text', text: prompt(steps) }]), undefined);
    await until('the turn', () => turnsOf(session.store.state) > turns);
  }

  async function kill(): Promise<void> {
    process.kill(Number(await readFile(path.join(cwd, 'pid'), 'utf8')), 'SIGKILL');
    await until('the agent to be gone', () => session.store.state.status === 'disconnected');
  }

  /** The conversation as the journal on disk has it, and the text of the journal. */
  async function onDisk(): Promise<{ readonly state: SessionState; readonly text: string }> {
    await sessions.flush();
    const files = (await readdir(path.join(cwd, 'store'), { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    assert.equal(files.length, 1);
    const text = await readFile(path.join(cwd, 'store', files[0]!), 'utf8');
    return { state: (await reducePortions(storage.portions(session.key)))!.state, text };
  }

  const turn = (number: number): Step[] => [{ say: `answer to turn ${number} word${number}` }];
  const told = (number: number): Step[] => [chunk('user', prompt(turn(number))), chunk('agent', `answer to turn ${number} word${number}`)];
  const writePid = (): Step[] => [{ writePid: path.join(cwd, 'pid') }];

  /** Thirty turns, a killed agent, and another message. The journal must still contain all of them. */
  async function thirty(method: 'load' | 'resume', replay: Step[]): Promise<string[]> {
    start(method, replay);
    await until('the session', () => session.store.state.status === 'ready');
    await say(writePid());
    for (let number = 2; number <= 30; number++) {
      await say(turn(number));
    }
    const before = await onDisk();
    const listed = (await storage.list({ limit: 9 })).summaries[0]!;
    await kill();
    await until('the time to pass', () => Date.now() > listed.changedAt! + 5);
    session.resume();
    await until('the session to be back', () => session.store.state.status === 'ready');
    await sessions.flush();
    const resumed = (await storage.list({ limit: 9 })).summaries[0]!;
    assert.deepEqual([resumed.title, resumed.changedAt, resumed.createdAt], [listed.title, listed.changedAt, listed.createdAt]);
    await say([{ say: 'after' }]);
    const { state, text } = await onDisk();
    assert.ok(text.startsWith(before.text), 'the journal was rewritten');
    assert.deepEqual([...state.entries], [...session.store.state.entries]);
    const lines = sessionLines(state);
    assert.deepEqual(lines.slice(0, sessionLines(before.state).length), sessionLines(before.state));
    return lines.slice(sessionLines(before.state).length);
  }

  const after = ['user: "@script …"', 'agent: "after"', 'turn end_turn'];

  for (const method of ['load', 'resume'] as const) {
    it(`keeps all turns after a ${method} that replays the last two`, async () => {
      assert.deepEqual(await thirty(method, [...told(29), ...told(30)]), after);
    });

    it(`keeps all turns after a ${method} that replays two from the middle, joined`, async () => {
      assert.deepEqual(await thirty(method, [...told(11), chunk('agent', 'answer to turn 12 word12'), ...told(20)]), after);
    });

    it(`keeps all turns after a ${method} that replays an answer only`, async () => {
      assert.deepEqual(await thirty(method, [chunk('agent', 'answer to turn 30 word30')]), after);
    });
  }

  it('keeps the additions of a load', async () => {
    const lines = await thirty('load', [...told(30), chunk('user', 'elsewhere'), chunk('agent', 'done there')]);
    assert.deepEqual(lines, ['user: "elsewhere"', 'agent: "done there"', ...after]);
  });

  const rich = (): Step[] => [
    ...writePid(),
    { think: 'thinking hard' },
    {
      tool: {
        toolCallId: 'r1',
        title: 'Read a.ts',
        kind: 'read',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'file text' } }],
      },
    },
    {
      tool: {
        toolCallId: 'r2',
        title: 'Edit b.ts',
        kind: 'edit',
        status: 'completed',
        content: [{ type: 'diff', path: '/tmp/b.ts', oldText: 'one\n', newText: 'two\n' }],
      },
    },
    { plan: [{ content: 'step one', priority: 'high', status: 'completed' }] },
    { say: 'All done here.' },
  ];
  const replays: Readonly<Record<string, () => Step[]>> = {
    'texts only': () => [chunk('user', prompt(rich())), chunk('agent', 'All done here.')],
    'the last status of tool calls only': () => [
      { toolUpdate: { toolCallId: 'r2', status: 'completed' } },
      { toolUpdate: { toolCallId: 'r1', status: 'completed' } },
    ],
    'a diff without a text, and an earlier plan': () => [
      {
        tool: {
          toolCallId: 'r2',
          title: 'Edit b.ts',
          kind: 'edit',
          status: 'completed',
          content: [{ type: 'diff', path: '/tmp/b.ts', oldText: 'one\n', newText: 'two\n' }],
        },
      },
      { plan: [{ content: 'step one', priority: 'high', status: 'pending' }] },
    ],
  };
  for (const [name, replay] of Object.entries(replays)) {
    it(`has thoughts, tool calls, diffs and plans after a load that replays ${name}`, async () => {
      start('load', replay());
      await until('the session', () => session.store.state.status === 'ready');
      await say(rich());
      const before = await onDisk();
      await kill();
      await say([{ say: 'after' }]);
      const { state, text } = await onDisk();
      assert.ok(text.startsWith(before.text), 'the journal was rewritten');
      assert.deepEqual([...state.entries].slice(0, before.state.entries.length), [...before.state.entries]);
      assert.deepEqual(sessionLines(state).slice(sessionLines(before.state).length), after);
    });
  }
});

/** Sessions whose agents have outlived the window before: which ones continue, and what the new window does not do. */
import assert from 'node:assert/strict';
import type { AdoptedAgent, KeptAgent } from '../../../src/core/keeper/keptAgent';
import type { ServerSource } from '../../../src/core/mcp/sessionServers';
import type { KeptRequest } from '../../../src/core/keeper/messages';
import { modeOf, type PermissionMode } from '../../../src/core/modes/permissionMode';
import { type Keeping, Sessions } from '../../../src/session/sessions';
import type { Session } from '../../../src/session/session';
import { agentSays, lines, setup, text } from './earlierScene';
import { type FakeAgent, fakeDependencies, launch } from './fakes';

const KEY = 'key-1';
/** The server of the earlier window. */
const SERVER = { type: 'http', name: 'vscode', url: 'http://127.0.0.1:1/mcp/x', headers: {} } as const;

const idleAgent: KeptAgent = {
  position: { id: 'K', handling: undefined, handled: 7, isRepeated: false },
  keeperPid: 1,
  startedAt: 42,
  nextId: 6,
  requests: [],
  onHandled: () => ({ dispose: () => undefined }),
  beforeSend: undefined,
  stored: () => undefined,
  note: () => undefined,
  leave: () => undefined,
};

/** The journal of a window that was killed. @param isBusy during a turn @param modes that the user set, in order */
async function killed(isBusy: boolean, canLoad: boolean, modes: readonly PermissionMode[] = []): Promise<string> {
  const { deps, agents, journals } = fakeDependencies();
  const sessions = new Sessions(deps);
  const session = sessions.create(launch(), setup);
  const agent = agents[0]!;
  if (canLoad) {
    agent.offer('load');
  }
  agent.open();
  session.prompt(text('question'));
  for (const mode of modes) {
    await session.setPermissionMode(mode);
  }
  agent.client.onUpdate('S', [agentSays('a', 'answer')]);
  if (!isBusy) {
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
  }
  await sessions.flush();
  return `${journals.get(KEY)!}{"kept":{"id":"K","frame":7}}\n`;
}

async function later(
  journal: string,
  requests: readonly KeptRequest[] = [{ id: 5, method: 'session/prompt', sessionId: 'S' }],
  isThere = true,
  servers?: ServerSource,
): Promise<{
  session: Session;
  state: string;
  mode: PermissionMode;
  conversation: string[];
  agents: FakeAgent[];
  settled: [string, boolean][];
  asked: string[];
  startedAt: number[];
  journal: () => string;
}> {
  const fakes = fakeDependencies();
  const settled: [string, boolean][] = [];
  const asked: string[] = [];
  const kept = { ...idleAgent, requests, ...(servers && { servers: { [KEY]: SERVER } }) };
  const adopted = { kept, settled: (key, isAdopted) => void settled.push([key, isAdopted]) } as AdoptedAgent;
  const keeping: Keeping = {
    adopt: async (id) => {
      asked.push(id);
      return isThere ? adopted : undefined;
    },
    remember: () => undefined,
  };
  fakes.journals.set(KEY, journal);
  const sessions = new Sessions({ ...fakes.deps, keeping, ...(servers && { servers }) });
  const session = (await sessions.restore(KEY, launch))!;
  const agent = fakes.agents[0];
  if (agent) {
    agent.dialect.adoptPrompt = () => ({ requestId: 5, cancel: () => undefined });
    agent.ready(agent.dialect);
  }
  await sessions.flush();
  const { status, turn, failure } = session.store.state;
  return {
    session,
    state: [status, turn ? 'turn' : 'idle', failure?.code].filter(Boolean).join(' '),
    mode: modeOf(session.store.state),
    conversation: lines(session),
    agents: fakes.agents,
    settled,
    asked,
    startedAt: [...sessions.agents.running.values()].map((running) => running.startedAt),
    journal: () => fakes.journals.get(KEY)!,
  };
}

describe('a session with an agent of an earlier window', () => {
  it('continues its turn, without a request to the agent', async () => {
    const { state, asked, settled, agents, conversation, startedAt } = await later(await killed(true, true));
    assert.deepEqual(startedAt, [42], 'the process is the one of the earlier window');
    assert.deepEqual([state, asked, settled], ['ready turn', ['K'], [[KEY, true]]]);
    assert.deepEqual([agents.length, agents[0]!.sent, conversation], [1, [], ['user: question', 'agent: answer']]);
  });

  it('says once that Allow everything has ended with the earlier window', async () => {
    const NOTICE = 'notice mode.ended';
    const journal = await killed(true, true, ['planOnly', 'allowEverything']);
    assert.doesNotMatch(journal, /allowEverything/);
    const first = await later(journal);
    assert.deepEqual([first.state, first.mode, first.conversation.at(-1)], ['ready turn', 'ask', NOTICE]);
    const second = await later(first.journal());
    assert.equal(second.conversation.filter((line) => line === NOTICE).length, 1);
    assert.equal(second.mode, 'ask');
  });

  it('says nothing about Allow everything that the user had left, or that ends with the session', async () => {
    const left = await later(await killed(true, true, ['allowEverything', 'acceptEdits']));
    assert.deepEqual([left.mode, left.conversation], ['acceptEdits', ['user: question', 'agent: answer']]);
    const ended = await later(await killed(true, true, ['allowEverything']), [], false);
    assert.deepEqual([ended.mode, ended.conversation.filter((line) => line.startsWith('notice mode'))], ['ask', []]);
    const again = await later(ended.journal());
    assert.deepEqual(
      again.conversation.filter((line) => line.startsWith('notice mode')),
      [],
    );
  });

  it('keeps the server that its agent knows, which ends with the session or waits for the next window', async () => {
    const calls: string[] = [];
    const servers: ServerSource = {
      isActive: () => true,
      resolve: async () => ({ servers: [], leftOut: [] }),
      continue: async ({ key, agentId }, { name }) => void calls.push(`continue ${key} ${agentId} ${name}`),
      ended: (key, isLeft) => void calls.push(`ended ${key} ${isLeft ? 'left' : ''}`.trimEnd()),
    };
    const ended = await later(await killed(true, true), undefined, true, servers);
    assert.deepEqual(ended.agents[0]!.redacted, [SERVER]);
    const ending = ended.session.end();
    ended.agents[0]!.closes.forEach((close) => close());
    await ending;
    const left = await later(await killed(true, true), undefined, true, servers);
    left.session.dispose();
    const continued = `continue ${KEY} ${launch().agentId} vscode`;
    assert.deepEqual(calls, [continued, `ended ${KEY}`, continued, `ended ${KEY} left`]);
  });

  it('says that its agent has lost the server, until the agent gets it again', async () => {
    const servers: ServerSource = {
      isActive: () => true,
      resolve: async () => ({ servers: [SERVER], leftOut: [] }),
      continue: () => Promise.reject(new Error('listen EADDRINUSE')),
      ended: () => undefined,
    };
    const { session, agents } = await later(await killed(true, true), undefined, true, servers);
    const notices = (): string[] =>
      session.store.state.entries.slice().flatMap((entry) => (entry.kind === 'notice' && 'failure' in entry ? entry.failure!.code : []));
    assert.deepEqual(notices(), ['mcp.not_continued']);
    session.restartAgent(true);
    const again = agents[1]!;
    again.dialect.mcpCapabilities = { ...again.dialect.mcpCapabilities, http: true };
    again.ready(again.dialect);
    for (let wait = 0; notices()[0] !== 'mcp.settled' && wait < 100; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(notices(), ['mcp.settled']);
  });

  it('says that its turn was interrupted when the agent never received the prompt', async () => {
    const { state, conversation } = await later(await killed(true, true), []);
    assert.deepEqual([state, conversation.at(-1)], ['ready idle', 'turn error']);
  });

  it('is left when no turn runs and its agent can open it again', async () => {
    const { state, settled, agents } = await later(await killed(false, true));
    assert.deepEqual([state, settled, agents.length], ['disconnected idle session.interrupted', [[KEY, false]], 0]);
  });

  it('continues without a turn when its agent could not open it again', async () => {
    const { state, settled } = await later(await killed(false, false));
    assert.deepEqual([state, settled], ['ready idle', [[KEY, true]]]);
  });

  it('is given to another window only when it is restored, and its agent then stays with the keeper', async () => {
    const fakes = fakeDependencies();
    const happened: string[] = [];
    const kept = { ...idleAgent, leave: () => void happened.push('left') };
    let connected: (agent: AdoptedAgent) => void = () => undefined;
    const keeping: Keeping = { adopt: () => new Promise((resolve) => (connected = resolve)), remember: () => undefined };
    let ask: (key: string, force: boolean) => Promise<boolean> = () => assert.fail();
    fakes.deps.journals.onRequested = (handler) => (ask = handler);
    fakes.journals.set(KEY, await killed(true, true));
    const sessions = new Sessions({ ...fakes.deps, keeping, isWindowThere: async () => false });
    const restored = sessions.restore(KEY, launch);
    await new Promise(setImmediate);
    const given = ask(KEY, false).then((isGiven) => happened.push(`given ${isGiven}`));
    await new Promise(setImmediate);
    assert.deepEqual(happened, []);
    connected({ kept, settled: () => undefined } as unknown as AdoptedAgent);
    const session = (await restored)!;
    await given;
    assert.deepEqual(happened, ['left', 'given true']);
    assert.equal(session.store.state.failure?.code, 'session.live_elsewhere');
  });

  it('is interrupted when the agent has ended, and no later window asks for it', async () => {
    const { state, agents, journal } = await later(await killed(true, true), [], false);
    assert.deepEqual([state, agents.length], ['disconnected idle session.interrupted', 0]);
    const { asked } = await later(journal());
    assert.deepEqual(asked, []);
  });
});

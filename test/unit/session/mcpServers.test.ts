/** The MCP servers of a session in each request that opens it. */
import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/core/mcp/mcpServer';
import { forkSession } from '../../../src/session/forkSession';
import type { LeftOut, ServerRequest, ServerSource, ServersOfSession } from '../../../src/core/mcp/sessionServers';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { back, lines } from './earlierScene';
import { type FakeAgent, fakeDependencies, launch, turn } from './fakes';

const files: McpServer = { type: 'stdio', name: 'Files', command: '/bin/files', args: [], env: { FILES_TOKEN: 'files-secret' } };
const issues: McpServer = {
  type: 'http',
  name: 'Issues',
  url: 'https://issues.example/mcp',
  headers: { Authorization: 'Bearer issues-secret' },
};
const events: McpServer = { type: 'sse', name: 'Events', url: 'https://events.example/sse', headers: { 'X-Key': 'events-secret' } };
const copy: McpServer = { ...files, command: '/bin/copy' };

const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [files, issues, events, copy] };

const http = (agent: FakeAgent): FakeAgent => {
  agent.dialect.mcpCapabilities = { stdio: true, http: true, sse: false, acp: false };
  return agent;
};

function created() {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup);
  const agent = http(fakes.agents[0]!);
  return { ...fakes, sessions, session, agent };
}

/** Answers `initialize` and, once it is there, `session/new`. */
async function open(agent: FakeAgent): Promise<void> {
  agent.ready(agent.dialect);
  await loaded();
  agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'S', events: [] } });
  await loaded();
}

const failures = ({ store }: Session) =>
  [...store.state.entries].flatMap((entry) => (entry.kind === 'notice' && 'failure' in entry && entry.failure ? entry.failure : []));

/** The code is loaded late. */
async function loaded(): Promise<void> {
  await import('../../../src/session/lifecycle/selectSessionServers');
  await turn();
}

describe('the MCP servers of a session', () => {
  it('go to the agent in `session/new`, as far as it takes them', async () => {
    const { session, agent } = created();
    await open(agent);
    assert.deepEqual(agent.setups[0]!.mcpServers, [files, issues]);
    assert.deepEqual(failures(session), [
      { code: 'mcp.unsupported', params: { agent: 'Fake', servers: 'Events' } },
      { code: 'mcp.duplicate_name', params: { agent: 'Fake', servers: 'Files' } },
    ]);
    assert.deepEqual(session.setup.mcpServers, setup.mcpServers, 'another agent may take the others');
  });

  for (const method of ['load', 'resume'] as const) {
    it(`are the same in \`session/${method}\`, by the capabilities of the new process`, async () => {
      const { session, agent, agents } = created();
      agent.offer(method);
      await open(agent);
      agent.end({ code: 'agent.exited' });
      session.act('restart');
      const next = agents.at(-1)!;
      next.offer(method);
      next.ready(next.dialect);
      await loaded();
      next.again[0]!(back('S'));
      assert.deepEqual(next.setups.at(-1)!.mcpServers, [files]);
    });
  }

  it('are the same in `session/fork`', async () => {
    const { session, sessions, agent, deps } = created();
    agent.offerFork();
    await open(agent);
    const fork = await forkSession(sessions, deps.journals, session, launch());
    fork.open();
    await loaded();
    assert.deepEqual(agent.sent.at(-1), ['fork', 'S']);
    assert.deepEqual(agent.setups.at(-1)!.mcpServers, [files, issues]);
    sessions.dispose();
  });

  it('have secrets, which are redacted before the request', async () => {
    const { agent } = created();
    let known: McpServer[] = [];
    const request = agent.dialect.newSession;
    agent.dialect.newSession = (...args) => {
      known = [...agent.redacted];
      return request(...args);
    };
    await open(agent);
    assert.deepEqual(known, [files, issues]);
  });

  it('are named when the agent reports on stderr that one has failed, once each', async () => {
    const { session, agent } = created();
    await open(agent);
    const before = failures(session).length;
    agent.stderr('Warning: MCP server(s) failed to start: Files, Other. Continuing with built-in tools.');
    agent.stderr('MCP server `Issues` failed to start: No such file or directory');
    agent.stderr('MCP server `Issues` failed to start: again');
    agent.stderr('The MCP server works.');
    assert.deepEqual(
      failures(session)
        .slice(before)
        .map(({ code, params, detail }) => [code, params?.['servers'], detail?.slice(-5)]),
      [
        ['mcp.failed', 'Files', 'ools.'],
        ['mcp.failed', 'Issues', 'again'],
      ],
    );
    session.store.append({ type: 'turn_started', turnId: 'turn-1', content: [] } as never);
    assert.equal(session.store.state.status, 'ready', 'nothing else is affected');
  });

  it('may be none', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), { ...setup, mcpServers: [] });
    const [agent] = fakes.agents;
    agent!.open();
    assert.deepEqual([agent!.setups[0]!.mcpServers, agent!.redacted, lines(session)], [[], [], []]);
  });
});

describe("the window's MCP servers of a session", () => {
  const search: McpServer = { type: 'stdio', name: 'Search', command: '/bin/search', args: [], env: {} };

  function scene(isActive = true, own = [files]) {
    const fakes = fakeDependencies();
    const requests: {
      request: ServerRequest;
      signal: { readonly aborted: boolean };
      settle: (servers: ServersOfSession) => void;
      fail: (error: Error) => void;
    }[] = [];
    const ended: string[] = [];
    const servers: ServerSource = {
      isActive: () => isActive,
      resolve: (request, signal) => new Promise((settle, fail) => requests.push({ request, signal, settle, fail })),
      ended: (key) => void ended.push(key),
    };
    const sessions = new Sessions({ ...fakes.deps, servers });
    const session = sessions.create(launch(), { ...setup, mcpServers: own });
    const agent = http(fakes.agents[0]!);
    return { ...fakes, sessions, session, agent, requests, ended };
  }

  it('are not asked for while none is active, and the request is sent at once', () => {
    const { agent, requests, ended, session } = scene(false, []);
    agent.ready(agent.dialect);
    assert.deepEqual([agent.setups.map(({ mcpServers }) => mcpServers), requests.length], [[[]], 0]);
    session.dispose();
    assert.deepEqual(ended, []);
  });

  it("follow the setup's servers, by the capabilities of the agent", async () => {
    const { agent, requests, session } = scene();
    agent.ready(agent.dialect);
    await turn();
    assert.deepEqual(
      [agent.setups, requests[0]!.request],
      [[], { key: 'key-1', agentId: 'Fake', agentName: 'Fake', roots: session.roots, capabilities: agent.dialect.mcpCapabilities }],
    );
    requests[0]!.settle({ servers: [search, events, copy], leftOut: [] });
    await turn();
    assert.deepEqual(agent.setups[0]!.mcpServers, [files, search]);
    assert.deepEqual(agent.redacted, [files, search]);
  });

  it('are asked for in every request for a session, and ended when it leaves the agent', async () => {
    const { agent, agents, requests, ended, session } = scene();
    agent.offer('resume');
    agent.ready(agent.dialect);
    await turn();
    requests[0]!.settle({ servers: [search], leftOut: [] });
    await turn();
    agent.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    agent.end({ code: 'agent.exited' });
    assert.deepEqual([ended, requests[0]!.signal.aborted], [['key-1'], true]);
    session.act('restart');
    const next = http(agents.at(-1)!);
    next.offer('resume');
    next.ready(next.dialect);
    await turn();
    assert.equal(requests[1]!.signal.aborted, false);
    requests[1]!.settle({ servers: [], leftOut: [] });
    await turn();
    assert.deepEqual(next.setups[0]!.mcpServers, [files]);
    session.dispose();
    assert.deepEqual(ended, ['key-1', 'key-1']);
  });

  it('are part of a fork', async () => {
    const { agent, requests, session, sessions, deps } = scene();
    agent.offerFork();
    agent.ready(agent.dialect);
    await turn();
    requests[0]!.settle({ servers: [], leftOut: [] });
    await turn();
    agent.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    const fork = await forkSession(sessions, deps.journals, session, launch());
    fork.open();
    await turn();
    requests[1]!.settle({ servers: [search], leftOut: [] });
    await turn();
    assert.deepEqual([requests[1]!.request.key, agent.setups.at(-1)!.mcpServers], [fork.key, [files, search]]);
    sessions.dispose();
  });

  it('do not reach an agent that the session has left', async () => {
    const { agent, requests, session } = scene();
    agent.ready(agent.dialect);
    await loaded();
    session.act('cancel_start');
    requests[0]!.settle({ servers: [search], leftOut: [] });
    await turn();
    assert.deepEqual(agent.setups, []);
  });

  it('are left out when they fail or take too long, and the session starts', async () => {
    for (const fail of [
      ({ requests }: ReturnType<typeof scene>) => requests[0]!.fail(new Error('broken')),
      ({ clock }: ReturnType<typeof scene>) => clock.pass(20_000),
    ]) {
      const all = scene();
      all.agent.ready(all.agent.dialect);
      await turn();
      fail(all);
      await turn();
      all.agent.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
      await loaded();
      assert.deepEqual(all.agent.setups[0]!.mcpServers, [files]);
      assert.deepEqual(
        failures(all.session).map(({ code }) => code),
        ['mcp.failed'],
      );
    }
  });

  it('are named in the conversation when they are left out, except those that the user has switched off', async () => {
    const { agent, requests, session } = scene();
    agent.ready(agent.dialect);
    await turn();
    const leftOut: LeftOut[] = [
      { name: 'One', reason: 'not_agreed' },
      { name: 'Off', reason: 'switched_off' },
      { name: 'Two', reason: 'not_agreed' },
      { name: 'Three', reason: 'not_found', detail: 'npx' },
      { name: 'Four', reason: 'not_found', detail: 'uvx' },
    ];
    requests[0]!.settle({ servers: [], leftOut });
    await turn();
    agent.newSession[0]!({ ok: true, value: { sessionId: 'S', events: [] } });
    await loaded();
    assert.deepEqual(failures(session), [
      { code: 'mcp.not_agreed', params: { agent: 'Fake', servers: 'One, Two' } },
      { code: 'mcp.not_found', params: { agent: 'Fake', servers: 'Three', subject: 'npx' } },
      { code: 'mcp.not_found', params: { agent: 'Fake', servers: 'Four', subject: 'uvx' } },
    ]);
  });
});

/** The MCP servers of a session in each request that opens it. */
import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/core/mcp/mcpServer';
import { forkSession } from '../../../src/session/forkSession';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { back, lines } from './earlierScene';
import { type FakeAgent, fakeDependencies, launch } from './fakes';

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

const failures = ({ store }: Session) =>
  [...store.state.entries].flatMap((entry) => (entry.kind === 'notice' && 'failure' in entry && entry.failure ? entry.failure : []));

describe('the MCP servers of a session', () => {
  it('go to the agent in `session/new`, as far as it takes them', () => {
    const { session, agent } = created();
    agent.open();
    assert.deepEqual(agent.setups[0]!.mcpServers, [files, issues]);
    assert.deepEqual(failures(session), [
      { code: 'mcp.unsupported', params: { agent: 'Fake', servers: 'Events' } },
      { code: 'mcp.duplicate_name', params: { agent: 'Fake', servers: 'Files' } },
    ]);
    assert.deepEqual(session.setup.mcpServers, setup.mcpServers, 'another agent may take the others');
  });

  for (const method of ['load', 'resume'] as const) {
    it(`are the same in \`session/${method}\`, by the capabilities of the new process`, () => {
      const { session, agent, agents } = created();
      agent.offer(method);
      agent.open();
      agent.end({ code: 'agent.exited' });
      session.act('restart');
      const next = agents.at(-1)!;
      next.offer(method);
      next.ready(next.dialect);
      next.again[0]!(back('S'));
      assert.deepEqual(next.setups.at(-1)!.mcpServers, [files]);
    });
  }

  it('are the same in `session/fork`', async () => {
    const { session, sessions, agent, deps } = created();
    agent.offerFork();
    agent.open();
    const fork = await forkSession(sessions, deps.journals, session, launch());
    fork.open();
    assert.deepEqual(agent.sent.at(-1), ['fork', 'S']);
    assert.deepEqual(agent.setups.at(-1)!.mcpServers, [files, issues]);
    sessions.dispose();
  });

  it('have secrets, which are redacted before the request', () => {
    const { agent } = created();
    let known: McpServer[] = [];
    const request = agent.dialect.newSession;
    agent.dialect.newSession = (...args) => {
      known = [...agent.redacted];
      return request(...args);
    };
    agent.open();
    assert.deepEqual(known, [files, issues]);
  });

  it('may be none', () => {
    const fakes = fakeDependencies();
    const session = new Sessions(fakes.deps).create(launch(), { ...setup, mcpServers: [] });
    const [agent] = fakes.agents;
    agent!.open();
    assert.deepEqual([agent!.setups[0]!.mcpServers, agent!.redacted, lines(session)], [[], [], []]);
  });
});

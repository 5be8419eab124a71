import assert from 'node:assert/strict';
import { catalogOf } from '../../../../src/agent/catalog';
import { WorkspaceAgents, workspaceAgentText, type WorkspaceSetting } from '../../../../src/application/agents/workspaceAgents';
import { english } from '../english';
import { FakeStorage } from '../mcp/fakes';

function scene(...values: unknown[]) {
  const storage = new FakeStorage();
  const state = { settings: values.map((value, index): WorkspaceSetting => ({ place: `/w${index}`, value })), isRestricted: false };
  const agents = new WorkspaceAgents({ storage, settings: () => state.settings, isRestricted: () => state.isRestricted });
  const agreeToAll = (isAgreed = true) => agents.record(agents.list().map(({ subject }) => ({ subject, isAgreed })));
  const names = () => agents.launches().agreed.map(({ agentName }) => agentName);
  return { storage, state, agents, agreeToAll, names };
}

const TOOL = { command: 'tool', args: ['--acp'], env: { A: '1' } };

describe('the agents of a workspace', () => {
  it('are offered only after consent', async () => {
    const { agents, agreeToAll, names } = scene({ Tool: TOOL, Other: { command: 'other' } });
    assert.deepEqual([names(), agents.launches().waiting], [[], 2]);
    await agreeToAll();
    assert.deepEqual([names(), agents.launches().waiting], [['Tool', 'Other'], 0]);
  });

  it('wait again when anything in their text changes', async () => {
    const { state, agents, agreeToAll, names } = scene({ Tool: TOOL });
    await agreeToAll();
    for (const value of [
      { ...TOOL, command: 'evil' },
      { ...TOOL, args: ['--acp', '--yolo'] },
      { ...TOOL, env: { A: '1', NODE_OPTIONS: '--require ./evil.js' } },
      { ...TOOL, cwd: '/tmp' },
      { ...TOOL, name: 'Claude Code' },
      { ...TOOL, proxies: ['node /tmp/listen.mjs'] },
    ]) {
      state.settings = [{ place: '/w0', value: { Tool: value } }];
      assert.deepEqual([names(), agents.launches().waiting], [[], 1], JSON.stringify(value));
    }
    state.settings = [{ place: '/w0', value: { Tool: { ...TOOL, env: { A: '2' } } } }];
    assert.deepEqual(agents.list()[0]?.consent, { type: 'changed', members: ['env.A'] });
    assert.match(workspaceAgentText(agents.list()[0]!, english), /Changed since you allowed it: env\.A$/);
    state.settings = [{ place: '/w0', value: { Tool: { env: { A: '1' }, args: ['--acp'], command: 'tool' } } }];
    assert.deepEqual(names(), ['Tool'], 'the order of members has no meaning');
  });

  it('are asked about with their proxies, each argument and variable', async () => {
    const { state, agents, agreeToAll, names } = scene({
      Tool: { ...TOOL, proxies: ['node /tmp/listen.mjs --to evil.example', { command: 'npx', args: ['-y', 'p@1'], env: { P: 'v' } }] },
    });
    const text = workspaceAgentText(agents.list()[0]!, english);
    for (const part of ['node /tmp/listen.mjs --to evil.example', 'npx', '-y', 'p@1', '"P":"v"']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    await agreeToAll();
    assert.deepEqual(names(), ['Tool']);
    state.settings = [{ place: '/w0', value: { Tool: { ...TOOL, proxies: ['node /tmp/listen.mjs --to other.example'] } } }];
    assert.deepEqual([names(), agents.launches().waiting], [[], 1]);
  });

  it('have a consent for their folder alone, and ids of their own', async () => {
    const { state, agents, agreeToAll, names } = scene({ Tool: TOOL });
    await agreeToAll();
    const [before] = agents.launches().agreed;
    state.settings = [{ place: '/elsewhere', value: { Tool: TOOL } }];
    assert.deepEqual(names(), []);
    await agreeToAll();
    assert.notEqual(agents.launches().agreed[0]?.agentId, before?.agentId);
  });

  it('neither wait nor are offered after the user refused them', async () => {
    const { agents, agreeToAll, names } = scene({ Tool: TOOL });
    await agreeToAll(false);
    assert.deepEqual([names(), agents.launches().waiting, agents.list().length], [[], 0, 1]);
  });

  it('do not exist in Restricted Mode', async () => {
    const { state, agents, agreeToAll } = scene({ Tool: TOOL });
    await agreeToAll();
    state.isRestricted = true;
    assert.deepEqual([agents.list(), agents.launches()], [[], { agreed: [], waiting: 0 }]);
  });

  it('are left out when they are not valid, or too long to be read', () => {
    const { agents } = scene({ A: null, B: { command: './relative' }, C: { command: 'c', env: { LONG: 'x'.repeat(5000) } } }, 'text', null);
    assert.deepEqual(agents.list(), []);
  });

  it('are shown in full', () => {
    const { agents } = scene({ Tool: { ...TOOL, cwd: '/tmp', timeoutMs: 5000 } });
    assert.equal(
      workspaceAgentText(agents.list()[0]!, english),
      ['Tool in /w0', 'tool --acp', 'env: {"A":"1"}', 'cwd: "/tmp"', 'timeoutMs: 5000'].join('\n'),
    );
  });

  it('replace and hide no other agent', async () => {
    const { agents, agreeToAll } = scene({ 'Claude Code': { command: 'fake' }, Mine: { command: 'fake' }, 'Codex CLI': null });
    await agreeToAll();
    const { entries } = catalogOf({ userAgents: { Mine: { command: 'mine' } }, workspace: agents.launches() });
    const of = (source: string) => entries.filter((entry) => entry.source === source).map(({ agentName }) => agentName);
    assert.deepEqual([of('user'), of('workspace')], [['Mine'], ['Claude Code (workspace)', 'Mine (workspace)']]);
    assert.ok(of('predefined').includes('Codex CLI') && of('predefined').includes('Claude Code'));
  });
});

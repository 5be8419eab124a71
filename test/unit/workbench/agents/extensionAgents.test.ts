/** Agents that other extensions contribute. */
import assert from 'node:assert/strict';
import type { AgentProvider } from '../../../../src/api';
import { catalogOf } from '../../../../src/agent/catalog';
import { ExtensionAgents } from '../../../../src/workbench/agents/extensionAgents';

const warnings: string[] = [];
const log = { debug: () => {}, info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };

describe('agents of other extensions', () => {
  beforeEach(() => void (warnings.length = 0));

  it('are listed by the rules of the settings, and called once when they are functions', async () => {
    let asked = 0;
    const later: AgentProvider = { id: 'b', label: 'Later', launch: async () => (asked++, { command: '/bin/later', args: ['--acp'] }) };
    const providers = new Set<AgentProvider>([
      { id: 'a', label: 'Now', launch: { command: 'now', env: { KEY: 'value' } } },
      later,
      { id: 'c', label: 'Relative', launch: { command: './x', env: { KEY: 'secret' } } },
      { id: 'd', label: 'Fails', launch: () => Promise.reject(new Error('no')) },
      { id: 'e', label: 'Throws', launch: () => assert.fail('thrown') },
    ]);
    const agents = new ExtensionAgents(providers, log);
    const names = () => agents.launches.map(({ launch }) => launch.agentName);
    assert.deepEqual(names(), ['Now'], 'nobody waits for the others');
    await agents.settle();
    await agents.settle();
    assert.deepEqual([names(), asked], [['Now', 'Later'], 1]);
    assert.deepEqual(agents.launches[1]!.launch, {
      agentId: 'extension/b',
      agentName: 'Later',
      command: '/bin/later',
      args: ['--acp'],
      env: {},
    });
    assert.ok(warnings.some((text) => text.includes('c: command')) && !warnings.some((text) => text.includes('secret')));
    providers.delete(later);
    assert.deepEqual(names(), ['Now']);
  });

  it('never take the name of another agent, and can be hidden', () => {
    const of = (agentName: string) => ({
      id: `id-${agentName}`,
      launch: { agentId: `extension/id-${agentName}`, agentName, command: 'x', args: [], env: {} },
    });
    const predefined = [{ ...of('Claude').launch, agentId: 'Claude' }];
    const userAgents = { Mine: { command: 'mine' }, Hidden: null };
    const { entries } = catalogOf({ userAgents, predefined, extensions: ['Claude', 'Mine', 'Hidden', 'New'].map(of) });
    assert.deepEqual(
      entries.map(({ agentName, source }) => `${source} ${agentName}`),
      ['user Mine', 'predefined Claude', 'extension Claude (id-Claude)', 'extension Mine (id-Mine)', 'extension New'],
    );
  });
});

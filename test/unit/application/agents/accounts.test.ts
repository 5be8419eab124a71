import assert from 'node:assert/strict';
import type { AgentSource, CatalogEntry } from '../../../../src/agent/catalog';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import { accountEntry, folderName, otherAccounts, takesAccounts } from '../../../../src/application/agents/accounts';
import type { ProcessLaunch } from '../../../../src/core/model/agentLaunch';

const predefined = (id: string): ProcessLaunch => PREDEFINED_AGENTS.find(({ agentId }) => agentId === id)!;
const entry = (launch: ProcessLaunch, source: AgentSource = 'predefined'): CatalogEntry => ({
  agentId: launch.agentId,
  agentName: launch.agentName,
  source,
  launch,
});
const account = (id: string, name: string, folder: string): CatalogEntry =>
  entry({ agentId: name, agentName: name, args: [], env: {}, ...accountEntry(predefined(id), folder)! }, 'user');

describe('accounts of an agent', () => {
  it('have state folders of their own, by the variables of the agent', () => {
    const envOf = (id: string) => accountEntry(predefined(id), '/s/work')?.env;
    assert.deepEqual(envOf('Claude Code'), { CLAUDE_CONFIG_DIR: '/s/work' });
    assert.deepEqual(envOf('Codex CLI'), { CODEX_HOME: '/s/work' });
    assert.deepEqual(envOf('Gemini CLI'), { GEMINI_CLI_HOME: '/s/work' });
    assert.deepEqual(Object.keys(envOf('OpenCode') ?? {}), ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']);
    const { command, args } = predefined('Claude Code');
    assert.deepEqual(accountEntry(predefined('Claude Code'), '/s/work'), { command, args, env: { CLAUDE_CONFIG_DIR: '/s/work' } });
  });

  it('are offered for agents whose state can be moved', () => {
    assert.equal(takesAccounts(entry(predefined('Pi'))), true);
    assert.equal(takesAccounts(entry(predefined('Mistral Vibe'))), false);
    const script = '/usr/lib/node_modules/@google/gemini-cli/dist/index.js';
    assert.equal(takesAccounts(entry({ agentId: 'G', agentName: 'G', command: 'node', args: [script, '--acp'], env: {} }, 'user')), true);
    assert.equal(takesAccounts(entry({ agentId: 'X', agentName: 'X', command: 'not-claude', args: ['claude'], env: {} }, 'user')), false);
  });

  it('are found among the agents, whatever their version', () => {
    const base = predefined('Claude Code');
    const work = account('Claude Code', 'Claude Code (work)', '/s/work');
    const older = entry(
      {
        ...base,
        agentId: 'Old',
        agentName: 'Old',
        args: ['--yes', '@agentclientprotocol/claude-agent-acp@0.90.0'],
        env: { CLAUDE_CONFIG_DIR: '/s/old' },
      },
      'user',
    );
    const same = entry({ ...base, agentId: 'Same', agentName: 'Same', env: { OTHER: '1' } }, 'user');
    const entries = [entry(base), work, older, same, entry(predefined('Codex CLI')), account('Codex CLI', 'Codex CLI (work)', '/s/codex')];
    const others = (id: string) => otherAccounts(entries, id).map(({ agentId }) => agentId);
    assert.deepEqual(others('Claude Code'), ['Claude Code (work)', 'Old']);
    assert.deepEqual(others('Claude Code (work)'), ['Claude Code', 'Old', 'Same']);
    assert.deepEqual(others('Codex CLI'), ['Codex CLI (work)']);
    assert.deepEqual([others('Goose'), others('gone')], [[], []]);
  });

  it('have folders with plain names', () => {
    assert.equal(folderName('Claude Code', 'Büro / ../x'), 'claude-code-bu-ro-x');
    assert.equal(folderName('日本', '語'), 'account');
  });
});

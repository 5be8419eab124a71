import assert from 'node:assert/strict';
import { type AgentSource, type CatalogEntry, catalogOf } from '../../../../src/agent/catalog';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import { accountEntry, accountRows, folderName, otherAccounts, takesAccounts } from '../../../../src/application/agents/accounts';
import { english } from '../english';
import type { ProcessLaunch } from '../../../../src/core/model/agentLaunch';

const predefined = (id: string): ProcessLaunch => PREDEFINED_AGENTS.find(({ agentId }) => agentId === id)!;
const entry = (launch: ProcessLaunch, source: AgentSource = 'predefined'): CatalogEntry => ({
  agentId: launch.agentId,
  agentName: launch.agentName,
  source,
  launch,
});
const account = (id: string, name: string, folder: string): CatalogEntry =>
  catalogOf({ userAgents: { [name]: accountEntry(predefined(id), undefined, folder) } }).entries.find(({ agentId }) => agentId === name)!;

describe('accounts of an agent', () => {
  it('have state folders of their own, by the variables of the agent', () => {
    const envOf = (id: string) => accountEntry(predefined(id), undefined, '/s/work')?.env;
    assert.deepEqual(envOf('Claude Code'), { CLAUDE_CONFIG_DIR: '/s/work' });
    assert.deepEqual(envOf('Codex CLI'), { CODEX_HOME: '/s/work' });
    assert.deepEqual(envOf('Gemini CLI'), { GEMINI_CLI_HOME: '/s/work' });
    assert.deepEqual(Object.keys(envOf('OpenCode') ?? {}), ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']);
  });

  it('refer to the agent, so that they get its updates', () => {
    const entryOf = (settings: unknown) => accountEntry(predefined('Claude Code'), settings, '/s/work');
    assert.deepEqual(entryOf(undefined), { agent: 'Claude Code', env: { CLAUDE_CONFIG_DIR: '/s/work' } });
    assert.deepEqual(entryOf({ command: 'claude', env: { A: '1' } }), { agent: 'Claude Code', env: { CLAUDE_CONFIG_DIR: '/s/work' } });
    assert.deepEqual(entryOf({ agent: 'Base', env: { A: '1' } }), { agent: 'Base', env: { A: '1', CLAUDE_CONFIG_DIR: '/s/work' } });
    const launchOf = (version: string) => {
      const agent = { ...predefined('Claude Code'), args: ['--yes', `claude-agent-acp@${version}`], env: { B: '2' } };
      const { entries, problems } = catalogOf({ userAgents: { Work: entryOf(undefined), Own: { command: 'own' } }, predefined: [agent] });
      assert.deepEqual(problems, []);
      assert.deepEqual(
        entries.map(({ agentId, source }) => `${agentId} ${source}`),
        ['Own user', 'Work user', 'Claude Code predefined'],
      );
      return entries[1]!.launch;
    };
    for (const version of ['1.0.0', '2.0.0']) {
      const { command } = predefined('Claude Code');
      const args = ['--yes', `claude-agent-acp@${version}`];
      assert.deepEqual(launchOf(version), {
        agentId: 'Work',
        agentName: 'Work',
        command,
        args,
        env: { B: '2', CLAUDE_CONFIG_DIR: '/s/work' },
      });
    }
  });

  it('are reported when their agent does not exist, or they name a program of their own', () => {
    const problemsOf = (entry: object, installed?: []) =>
      catalogOf({ userAgents: { X: entry }, predefined: [], ...(installed && { installed }) }).problems.map(
        ({ params }) => `${params!['field']} ${params!['expected']}`,
      );
    assert.deepEqual(problemsOf({ agent: 'gone' }, []), ['agent known']);
    assert.deepEqual(problemsOf({ agent: 'X' }, []), ['agent known'], 'itself');
    assert.deepEqual(problemsOf({ agent: 'gone' }), [], 'the installed agents are not read yet');
    assert.deepEqual(problemsOf({ agent: '', command: 'x' }, []), ['agent string', 'command alone']);
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

  it('are offered for every agent, or say why there can be none', () => {
    const mine = entry({ agentId: 'Mine', agentName: 'Mine', command: 'mine', args: [], env: {} }, 'user');
    const far = {
      ...mine,
      agentId: 'Far',
      agentName: 'Far',
      launch: { kind: 'websocket', agentId: 'Far', agentName: 'Far', url: 'wss://far.example', headers: {} },
    };
    const demo = entry({ agentId: 'Demo', agentName: 'Demo', command: 'demo', args: [], env: {} }, 'demo');
    const rows = accountRows([mine, far as CatalogEntry, demo, entry(predefined('Claude Code'))], english);
    assert.deepEqual(
      rows.map((row) => ('separator' in row ? `-- ${row.separator}` : `${row.label}: ${row.isPossible}`)),
      ['Claude Code: true', '-- Only in your settings', 'Mine: false', 'Far: false'],
    );
    const [, , own, remote] = rows;
    assert.match('detail' in own! ? own.detail : '', /variables/);
    assert.match('detail' in remote! ? remote.detail : '', /token/);
    assert.equal(accountRows([entry(predefined('Claude Code'))], english).length, 1);
  });
});

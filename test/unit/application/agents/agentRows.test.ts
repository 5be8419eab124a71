import assert from 'node:assert/strict';
import type { AgentSource, CatalogEntry } from '../../../../src/agent/catalog';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import { agentRows, type AgentRowsOptions } from '../../../../src/application/agents/agentRows';
import { ignoredNotice } from '../../../../src/application/agents/ignoredSettings';
import { english } from '../english';

const entry = (agentName: string, source: AgentSource, args: string[] = [], env = {}): CatalogEntry => ({
  agentId: agentName,
  agentName,
  source,
  launch: { agentId: agentName, agentName, command: 'npx', args, env },
});
const shown = (entries: CatalogEntry[], options: AgentRowsOptions = {}) =>
  agentRows(entries, options, english).map((row) => ('separator' in row ? `— ${row.separator}` : row.label));

describe('rows of the agents', () => {
  const entries = [entry('Mine', 'user'), entry('Claude', 'predefined'), entry('Codex', 'predefined'), entry('Demo', 'demo')];

  it('are grouped', () => {
    assert.deepEqual(shown([...entries, entry('Theirs', 'other')]), [
      ...['— Custom', 'Mine', '— Popular', 'Claude', 'Codex', "— From another extension's settings", 'Theirs', '— Built-in', 'Demo'],
    ]);
  });

  it('begin with the agent used last, once', () => {
    assert.deepEqual(shown(entries, { last: 'Codex' }), [
      ...['— Last used', 'Codex', '— Custom', 'Mine', '— Popular', 'Claude', '— Built-in', 'Demo'],
    ]);
    assert.deepEqual(shown(entries.slice(1), { last: 'Demo' }), ['— Last used', 'Demo', '— Popular', 'Claude', 'Codex']);
    assert.deepEqual(shown(entries, { last: 'gone' }), shown(entries));
  });

  it('begin with the demo agent for a user without agents, and never for another', () => {
    assert.deepEqual(shown(entries.slice(1)).slice(0, 3), ['— Built-in', 'Demo', '— Popular']);
    for (const count of [1, 3, 5, 30]) {
      const many = Array.from({ length: count }, (_, index) => entry(`Mine ${index}`, 'user'));
      // The demo also comes first when a catalog lists it first.
      for (const all of [
        [...many, ...entries.slice(1)],
        [entries.at(-1)!, ...many, ...entries.slice(1, -1)],
      ]) {
        for (const recent of [[], ['Codex'], ['Demo'], ['Demo', 'Mine 0']]) {
          const rows = shown(all, { recent }).filter((row) => !row.startsWith('—'));
          assert.equal(rows.at(-1), 'Demo', `${count} ${recent}: ${rows.join()}`);
          assert.equal(new Set(rows).size, count + 3);
        }
      }
    }
  });

  it('name the program on this machine, once where it is what starts', () => {
    const goose = {
      ...entry('Goose', 'predefined'),
      launch: { ...entry('Goose', 'predefined').launch, command: '/usr/bin/goose', args: ['acp'] },
    };
    const claude = entry('Claude Code', 'predefined', ['claude-agent-acp']);
    const installed = new Map([
      ['Goose', '/usr/bin/goose'],
      ['Claude Code', '/usr/bin/claude'],
      ['Mine', '/usr/bin/mine'],
    ]);
    const rows = agentRows([entry('Mine', 'user'), goose, claude], { installed }, english);
    assert.deepEqual(
      rows.flatMap((row) => ('entry' in row ? [row.detail] : [])),
      ['npx', 'Installed: /usr/bin/goose', 'Installed: /usr/bin/claude · npx claude-agent-acp'],
    );
  });

  it('name the maker of an agent before its command line', () => {
    const claude = entry('Claude Code', 'predefined', ['--yes', '@agentclientprotocol/claude-agent-acp@0.100.0']);
    const [, row] = agentRows([claude], { availability: new Map([['Claude Code', 'downloads']]) }, english);
    assert.ok(row && 'entry' in row);
    assert.deepEqual([row.label, row.description], ['Claude Code', 'Coding agent by Anthropic · Downloads on first use']);
    // The user may have a different agent of the same name.
    const [, own] = agentRows([entry('Claude Code', 'user')], {}, english);
    assert.ok(own && 'entry' in own && own.description === undefined);
  });

  it('name the maker of every agent that is offered without a setting', () => {
    const all = PREDEFINED_AGENTS.map(
      (launch): CatalogEntry => ({ agentId: launch.agentId, agentName: launch.agentName, launch, source: 'predefined' }),
    );
    const without = agentRows(all, {}, english).filter((row) => 'entry' in row && !row.description?.startsWith('Coding agent by '));
    assert.deepEqual(without, []);
  });

  it('distinguish installed agents from those that must be downloaded', () => {
    const all = [entry('Goose', 'predefined'), entry('Claude', 'predefined'), entry('Droid', 'predefined'), entry('Codex', 'predefined')];
    const availability = new Map([
      ['Goose', 'installed'],
      ['Claude', 'downloads'],
      ['Droid', 'not_installed'],
      ['Codex', 'no_runner'],
    ] as const);
    assert.deepEqual(shown(all, { availability }), ['— Installed', 'Goose', '— Popular', 'Claude', 'Droid', 'Codex']);
    assert.deepEqual(
      agentRows(all, { availability }, english).flatMap((row) => ('entry' in row ? [[row.description, row.icon]] : [])),
      [
        ['Coding agent by Block', 'terminal'],
        ['Downloads on first use', 'cloud-download'],
        ['Not installed', 'package'],
        ['Needs npx', 'package'],
      ],
    );
  });

  it('start with the name, show the command line below it, and never show an environment value', () => {
    const [, row] = agentRows([entry('Mine', 'user', ['-y', 'agent@1', 'a b'], { KEY: 'secret' })], {}, english);
    assert.ok(row && 'entry' in row);
    assert.equal(row.label, 'Mine');
    assert.equal(row.description, undefined);
    assert.equal(row.detail, "npx -y agent@1 'a b'");
  });

  it('describe the purpose of the demo agent', () => {
    const [, row] = agentRows([entry('Demo', 'demo')], {}, english);
    assert.ok(row && 'entry' in row);
    assert.equal(row.detail, 'Try it without an account (works offline)');
  });

  it('draw no icon from a name', () => {
    assert.doesNotMatch(shown([entry('$(verified) Claude', 'other')]).join(), /\$\(/);
  });
});

describe('notice of ignored settings', () => {
  it('names them and their source', () => {
    assert.equal(ignoredNotice([], english), undefined);
    assert.equal(
      ignoredNotice(
        [
          { setting: 'acpHost.agents', source: 'workspace' },
          { setting: 'acpHost.defaultAgent', source: 'workspace' },
          { setting: 'acpHost.agents', source: 'workspaceFolder', folder: 'web' },
          { setting: 'acpHost.agents', source: 'extensionDefault' },
          { setting: 'acpHost.agents', source: 'machine' },
        ],
        english,
      ),
      'Ignored acpHost.agents, acpHost.defaultAgent from this workspace, the folder web, another extension, the remote machine or dev container. Only your user settings apply.',
    );
  });
});

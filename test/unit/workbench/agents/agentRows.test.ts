import assert from 'node:assert/strict';
import type { AgentSource, CatalogEntry } from '../../../../src/agent/catalog';
import { agentRows, ignoredNotice } from '../../../../src/workbench/agents/agentRows';
import { english } from '../english';

const entry = (agentName: string, source: AgentSource, args: string[] = [], env = {}): CatalogEntry => ({
  agentName,
  source,
  launch: { agentName, command: 'npx', args, env },
});
const shown = (entries: CatalogEntry[], last?: string) =>
  agentRows(entries, last, english).map((row) => ('separator' in row ? `— ${row.separator}` : row.label));

describe('rows of the agents', () => {
  const entries = [entry('Mine', 'user'), entry('Claude', 'predefined'), entry('Codex', 'predefined'), entry('Demo', 'demo')];

  it('come as the catalog has them, under the name of their source', () => {
    assert.deepEqual(shown(entries), ['— Custom', 'Mine', '— Popular', 'Claude', 'Codex', '— Built-in', 'Demo']);
  });

  it('begin with the agent used last, once', () => {
    assert.deepEqual(shown(entries, 'Codex'), ['— Last used', 'Codex', '— Custom', 'Mine', '— Popular', 'Claude', '— Built-in', 'Demo']);
    assert.deepEqual(shown(entries, 'gone'), shown(entries));
  });

  it('show the command line, and never an environment value', () => {
    const [, row] = agentRows([entry('Mine', 'user', ['-y', 'agent@1', 'a b'], { KEY: 'secret' })], undefined, english);
    assert.ok(row && 'entry' in row);
    assert.equal(row.description, "npx -y agent@1 'a b'");
  });

  it('draw no icon that a name asks for', () => {
    assert.doesNotMatch(shown([entry('$(verified) Claude', 'other')]).join(), /\$\(/);
  });
});

describe('notice of settings that do not count', () => {
  it('names them and who set them', () => {
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

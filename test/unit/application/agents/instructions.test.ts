import assert from 'node:assert/strict';
import { instructionsFor } from '../../../../src/application/agents/instructions';

const AGENT = { agentId: 'claude', agentName: 'Claude Code' };

describe('acpHost.instructions', () => {
  const of = (user: unknown, ...folders: unknown[]) => instructionsFor(AGENT, user, folders);

  it('is a text for all agents, or texts by the name of the agent', () => {
    assert.deepEqual(of('Be brief.'), { mode: 'append', parts: [{ source: 'user', text: 'Be brief.' }] });
    assert.deepEqual(of({ 'Claude Code': 'C', '*': 'all', Codex: 'X' })?.parts, [
      { source: 'user', text: 'all' },
      { source: 'user', text: 'C' },
    ]);
    assert.deepEqual(of({ claude: 'by id', 'Claude Code': 'by name' })?.parts, [{ source: 'user', text: 'by id' }]);
  });

  it('puts the texts of the folder after those of the user', () => {
    assert.deepEqual(
      of('mine', { '*': 'workspace' }, 'folder')?.parts.map(({ source, text }) => `${source}: ${text}`),
      ['user: mine', 'folder: workspace', 'folder: folder'],
    );
  });

  it("replaces the agent's own system prompt only when the user's own settings say so", () => {
    const override = { '*': { text: 'all', mode: 'override' } };
    assert.equal(of(override)?.mode, 'override');
    assert.equal(of(undefined, override)?.mode, 'append');
    assert.equal(of('mine', override)?.mode, 'append');
  });

  it('is undefined without a text', () => {
    for (const value of [undefined, null, '', '  ', 5, [], {}, { '*': '' }, { '*': { text: 5 } }, { '*': null }, { Codex: 'X' }]) {
      assert.equal(of(value), undefined, JSON.stringify(value));
    }
  });
});

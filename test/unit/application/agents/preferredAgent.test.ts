import assert from 'node:assert/strict';
import { type AgentRow, agentRows } from '../../../../src/application/agents/agentRows';
import { preferredAgent } from '../../../../src/application/agents/preferredAgent';
import type { CatalogEntry } from '../../../../src/agent/catalog';
import { english } from '../english';

const entry = (agentName: string, source: string): CatalogEntry =>
  ({ agentId: agentName, agentName, source, launch: { command: agentName, args: [], env: {} } }) as unknown as CatalogEntry;

describe('the agent that Enter selects', () => {
  const entries = [entry('Codex CLI', 'predefined'), entry('codex-acp', 'user'), entry('Gemini CLI', 'predefined')];
  const rows = (recent: string[] = []): readonly AgentRow[] => agentRows(entries, { recent }, english);
  const named = (typed: string, recent?: string[]): string | undefined => {
    const row = preferredAgent(rows(recent), typed);
    return row && 'label' in row ? row.label : undefined;
  };

  it("is the user's own before a predefined one", () => {
    assert.equal(named('codex'), 'codex-acp');
    assert.equal(named('Codex-'), 'codex-acp');
  });

  it('is the one whose name goes on as typed', () => {
    assert.equal(named('codex c'), 'Codex CLI');
    assert.equal(named('gem'), 'Gemini CLI');
  });

  it('is the one used last', () => {
    assert.equal(named('codex', ['Codex CLI']), 'Codex CLI');
  });

  it("is VS Code's choice for an empty text, a whole name and other texts", () => {
    for (const typed of ['', '  ', 'codex cli', 'acp', 'npx']) {
      assert.equal(named(typed), undefined, typed);
    }
  });
});

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentSource, CatalogEntry } from '../../../../src/agent/catalog';
import { availabilityOf } from '../../../../src/application/agents/availability';

const entry = (agentName: string, command: string, source: AgentSource = 'predefined'): CatalogEntry => ({
  agentId: agentName,
  agentName,
  source,
  launch: { agentId: agentName, agentName, command, args: ['x'], env: {} },
});

describe('the availability of agents', () => {
  let folder: string;
  const program = (name: string, mode = 0o755): void => {
    const file = path.join(folder, process.platform === 'win32' ? `${name}.cmd` : name);
    writeFileSync(file, '');
    chmodSync(file, mode);
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'availability-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is looked up on the PATH, for agents that are not the user’s own', async () => {
    program('goose');
    const entries = [entry('Goose', 'goose'), entry('Kimi', 'kimi'), entry('Claude', 'npx'), entry('Mine', 'mine', 'user')];
    const known = async () => [...(await availabilityOf(entries, { PATH: folder }, 30_000))];
    assert.deepEqual(await known(), [
      ['Goose', 'installed'],
      ['Kimi', 'not_installed'],
      ['Claude', 'no_runner'],
    ]);
    program('npx');
    assert.equal(new Map(await known()).get('Claude'), 'downloads');
  });

  it('is unknown when the lookup takes too long', async () => {
    const slow = Array.from({ length: 3000 }, (_, index) => path.join(folder, String(index))).join(path.delimiter);
    assert.equal((await availabilityOf([entry('Kimi', 'kimi')], { PATH: slow }, 0)).size, 0);
  });
});

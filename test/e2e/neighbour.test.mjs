// The extension that is installed in addition to ours has the ids of a simpler client: see test/harness/neighbour.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { openWorkspace } from './stage.mjs';

describe('beside an extension that contributes acp.agents and acp.* commands', () => {
  it('both activate, and the journey works', async () => {
    const { window, folder } = await openWorkspace({
      userSettings: { 'acp.agents': { 'Of the neighbour': { command: 'node', args: ['--version'] } } },
    });
    await window.command('ACP Neighbour: New Session');
    await window.notification('neighbour is active');

    const file = join(folder, 'src', 'calc.js');
    const conversation = await newSession(window, 'Demo');
    await conversation.prompt('/edit src/calc.js');
    await conversation.answer('Fix add', 'Allow');
    await conversation.turnEnd();
    await until('the edit on disk', () => readFileSync(file, 'utf8').includes('return a + b;'));

    await window.command('ACP Neighbour: New Session');
    assert.ok((await window.notifications()).some((text) => text.includes('neighbour is active')));
  });
});

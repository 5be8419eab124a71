// An installed extension whose native module does not load: commands still run, and the user is told.
import assert from 'node:assert/strict';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { newSession, shows } from '../harness/lib/journey.mjs';
import { scripted } from './agents.mjs';
import { openWorkspace, theStage } from './stage.mjs';

const terminal = [
  { tool: { toolCallId: 'run', title: 'Compute', kind: 'execute', status: 'pending' } },
  {
    terminal: {
      command: process.execPath,
      args: ['-e', 'console.log(`6 x 7 = ${6 * 7}`); console.error(process.stdout.isTTY ? "a tty" : "no tty")'],
      toolCallId: 'run',
    },
  },
  { toolUpdate: { toolCallId: 'run', status: 'completed' } },
];

describe('without the native part of node-pty', () => {
  let native;

  before(async () => {
    const { dir } = await theStage();
    const [extension] = readdirSync(join(dir, 'ext')).filter((name) => name.startsWith('acp-host.acp-host'));
    native = join(dir, 'ext', extension, 'node_modules', 'node-pty', 'prebuilds');
    renameSync(native, `${native}-gone`);
  });
  // The extension hosts of windows that come later load it anew.
  after(() => renameSync(`${native}-gone`, native));

  it('a command of an agent runs on a pipe, and the card says so', async () => {
    const { window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Runner: scripted({ script: terminal }, 'runner') },
        'acpHost.askBeforeCommands': { Runner: 'never' },
      },
      // In a window of its own, whose extension host has not loaded it.
      prepare: (workspace) => workspace,
    });
    const conversation = await newSession(window, 'Runner');
    await conversation.prompt('Run it');
    await conversation.says(/terminal: exit 0 ".*6 x 7 = 42/);
    await conversation.turnEnd();
    const card = conversation.toolCall('Compute');
    assert.ok(await shows(card, /6 x 7 = 42/), 'the output is not in the card');
    assert.match(await card.innerText(), /no tty/);
    assert.match(await card.innerText(), /Using a pipe/);
    await window.screenshot('failures/no-pty');
  });
});

// An installed extension whose native module does not load: commands still run, and the user is told.
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow } from '../harness/lib/driver.mjs';
import { newSession, shows } from '../harness/lib/journey.mjs';
import { vsix } from '../harness/lib/paths.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import { installExtension, startServer } from '../harness/lib/vscode.mjs';
import { scripted } from './agents.mjs';
import { theStage } from './stage.mjs';

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
  it('a command of an agent runs on a pipe, and the card says so', async () => {
    const { install, browser } = await theStage();
    const dir = tempDir('no-pty');
    await installExtension(install, dir, vsix);
    const [extension] = readdirSync(join(dir, 'ext')).filter((name) => name.startsWith('acp-host.acp-host'));
    rmSync(join(dir, 'ext', extension, 'node_modules', 'node-pty', 'prebuilds'), { recursive: true });
    const server = await startServer(install, {
      dir,
      settings: {
        'acpHost.agents': { Runner: scripted({ script: terminal }, 'runner') },
        'acpHost.askBeforeCommands': { Runner: 'never' },
      },
    });
    const window = await openWindow(browser, server.url);
    try {
      await window.openFolder(copyWorkspace());
      const conversation = await newSession(window, 'Runner');
      await conversation.prompt('Run it');
      await conversation.says(/terminal: exit 0 ".*6 x 7 = 42/);
      await conversation.turnEnd();
      const card = conversation.toolCall('Compute');
      assert.ok(await shows(card, /6 x 7 = 42/), 'the output is not in the card');
      assert.match(await card.innerText(), /no tty/);
      assert.match(await card.innerText(), /Using a pipe/);
      await window.screenshot('failures/no-pty');
    } catch (error) {
      await window.leaveEvidence('e2e-no-pty');
      throw error;
    } finally {
      await window.close();
      await server.stop();
    }
  });
});

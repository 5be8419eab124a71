// A machine where bubblewrap does not run. It needs a server and a window of its own, 16 s of processor time for one card. The gate checks
// the failure of such a start in test/agent/sandbox.test.ts, and its words in test/unit/text/messages/advice.test.ts.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, openWindow } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { vsix } from '../harness/lib/paths.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import { installExtension, startServer } from '../harness/lib/vscode.mjs';
import { processesOf, scripted } from '../e2e/agents.mjs';
import { theStage } from '../e2e/stage.mjs';

const TAG = 'sandbox-none';
const settings = {
  'acpHost.agents': { Scripted: scripted({}, TAG) },
  'acpHost.askBeforeCommands': { '*': 'never' },
  'acpHost.sandbox': { Scripted: 'agent' },
};

(process.platform === 'linux' ? describe : describe.skip)('a machine where bubblewrap does not run', () => {
  it('starts no agent in a sandbox, and says what to do', async () => {
    const { install, browser } = await theStage();
    const dir = tempDir('no-sandbox');
    const broken = tempDir('broken-bwrap');
    writeFileSync(join(broken, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n', {
      mode: 0o755,
    });
    // The extension host has the PATH of a login shell.
    const home = tempDir('no-sandbox-home');
    writeFileSync(join(home, '.bash_profile'), `export PATH=${broken}:$PATH\n`);
    await installExtension(install, dir, vsix);
    const server = await startServer(install, {
      dir,
      settings,
      env: { PATH: `${broken}:${process.env.PATH}`, HOME: home, SHELL: '/bin/bash' },
    });
    const window = await openWindow(browser, server.url);
    try {
      await window.openFolder(copyWorkspace());
      const conversation = await newSession(window, 'Scripted');
      const failed = conversation.frame.getByRole('group', { name: "Couldn't start the agent" });
      await appears(failed);
      const text = await failed.innerText();
      assert.match(text, /The sandbox can't start/);
      assert.match(text, /sudo sysctl/);
      assert.ok(await failed.getByRole('button', { name: 'Open Settings' }).isVisible());
      assert.equal(processesOf(TAG).length, 0);
      await window.screenshot('sandbox/no-sandbox');
    } catch (error) {
      await window.leaveEvidence('e2e-no-sandbox');
      throw error;
    } finally {
      await window.close();
      await server.stop();
    }
  });
});

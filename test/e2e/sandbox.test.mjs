// The sandbox of the operating system, with the scripted agent. Skipped by name where bubblewrap does not run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { noneLeft, script, scripted } from './agents.mjs';
import { openWorkspace, runCommands, theStage } from './stage.mjs';

const missing = missingSandbox();
const name = `a sandbox${missing === undefined ? '' : ` (skipped: ${missing})`}`;

(missing === undefined ? describe : describe.skip)(name, () => {
  const outside = join('/', `acp-host-e2e-outside-${process.pid}`);

  afterEach(async () => {
    rmSync(outside, { recursive: true, force: true });
    // Other tests of the window expect no changes.
    await runCommands('acpHost.keepAllChanges');
  });

  it('holds the agent’s commands, shows what it refused, and allows a host at once', async () => {
    const { window, folder } = await openWorkspace({
      userSettings: { ...settingsFor('commands'), 'acpHost.sandboxHosts': [] },
      files: { '.env': 'KEY=4711\n' },
    });
    const conversation = await newSession(window, 'Scripted');
    await appears(conversation.frame.getByText('Sandbox: Commands'));
    const lines = [
      `echo planted > ${outside}`,
      'cat .env',
      'echo inside > inside.txt',
      'curl -sS -m 5 http://unlisted.example/ ; echo tried',
    ];
    await conversation.prompt(
      script(
        { tool: { toolCallId: 'shell', title: 'Try it', kind: 'execute', status: 'in_progress', content: [] } },
        { terminal: { command: lines.join('; '), toolCallId: 'shell' } },
        { toolUpdate: { toolCallId: 'shell', status: 'completed' } },
        { say: 'all tried' },
      ),
    );
    await conversation.says('all tried');
    await conversation.turnEnd();
    assert.equal(existsSync(outside), false);
    assert.equal(readFileSync(join(folder, 'inside.txt'), 'utf8'), 'inside\n');
    const refusals = conversation.log.getByRole('list', { name: 'Refused by the sandbox' });
    await appears(refusals);
    await until('all refusals', async () => (await refusals.getByRole('listitem').count()) === 3);
    const text = await refusals.innerText();
    assert.match(text, /refused to write .*acp-host-e2e-outside/);
    assert.match(text, /refused to read .*\.env/);
    assert.match(text, /refused a connection to unlisted\.example/);
    assert.doesNotMatch(await conversation.log.innerText(), /4711/);
    await window.screenshot('sandbox/refusals');
    await refusals.getByRole('button', { name: 'Allow This Host' }).click();
    await until('the notice', async () => (await window.notifications()).some((text) => text.includes('can connect to unlisted.example')));
    const { dir } = await theStage();
    assert.match(readFileSync(join(dir, 'data', 'User', 'settings.json'), 'utf8'), /"unlisted\.example"/);
  });

  it('holds the agent’s own process, and ends what it leaves behind', async () => {
    const { window, folder } = await openWorkspace({ userSettings: settingsFor('agent'), files: { '.env': 'KEY=4711\n' } });
    const conversation = await newSession(window, 'Scripted');
    await appears(conversation.frame.getByText('Sandbox: Agent'));
    await conversation.prompt(
      script(
        { tool: { toolCallId: 'own', title: 'Its own shell', kind: 'execute', status: 'in_progress' } },
        { shell: `(echo planted > ${outside}; cat .env; node -e "console.log(6 * 7)"; echo inside > inside.txt) > result.txt 2>&1; true` },
        { shell: 'setsid nohup sleep 4711 >/dev/null 2>&1 &' },
        {
          toolUpdate: {
            toolCallId: 'own',
            status: 'completed',
            content: [{ type: 'content', content: { type: 'text', text: `bash: line 1: ${outside}: Read-only file system` } }],
          },
        },
        { say: 'all tried' },
      ),
    );
    await conversation.says('all tried');
    await conversation.turnEnd();
    assert.equal(existsSync(outside), false);
    const result = readFileSync(join(folder, 'result.txt'), 'utf8');
    assert.match(result, /Read-only file system/);
    assert.match(result, /\.env: Permission denied/);
    assert.match(result, /^42$/m);
    await appears(
      conversation.log
        .getByRole('button', { name: 'Allow This Folder' })
        .or(conversation.log.getByText(/refused to write/))
        .first(),
    );
    await window.command('ACP: End Session');
    await noneLeft('sleep 4711');
  });

  it('is chosen for one session in its menu, and restarts the agent', async () => {
    const resumes = { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } };
    const { window, folder } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Scripted: scripted({ initialize: resumes, keeps: true }, 'sandbox-chosen') },
        'acpHost.askBeforeCommands': { '*': 'never' },
      },
    });
    const conversation = await newSession(window, 'Scripted');
    await conversation.prompt(script({ say: 'outside' }));
    await conversation.says('outside');
    await conversation.turnEnd();
    await conversation.frame.getByRole('button', { name: 'More Actions…' }).click();
    await conversation.frame.getByRole('menuitem', { name: 'Sandbox: Off…' }).click();
    const row = window.page.locator('.quick-input-widget:visible').getByRole('option', { name: /^Agent/ });
    await row.waitFor();
    await window.screenshot('sandbox/modes');
    await row.click();
    await appears(conversation.frame.getByText('Sandbox: Agent'));
    await conversation.prompt(script({ shell: `echo planted > ${outside}; echo inside > chosen.txt; true` }, { say: 'done inside' }));
    await until('the file', () => existsSync(join(folder, 'chosen.txt')), { timeoutMs: 30_000 });
    assert.equal(existsSync(outside), false);
  });
});

function settingsFor(mode, tag = `sandbox-${mode}`) {
  return {
    'acpHost.agents': { Scripted: scripted({}, tag) },
    'acpHost.askBeforeCommands': { '*': 'never' },
    'acpHost.sandbox': { Scripted: mode },
  };
}

/** Why this machine has no sandbox; undefined when it has one. */
function missingSandbox() {
  try {
    const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true'];
    execFileSync('bwrap', args, { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `bubblewrap does not run here: ${error.message.split('\n')[0]}`;
  }
}

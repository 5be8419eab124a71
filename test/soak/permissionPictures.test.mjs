// Pictures for people, under test-results/permissions/: the modes, the rules with Recently Denied, a list of ten questions, and the refusals of the
// sandbox, in four themes. The last are left out where bubblewrap does not run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { changeSettings, openWorkspace, runCommands, startCommand } from '../e2e/stage.mjs';
import { inFourThemes } from './fourThemes.mjs';

const run = (command) => ({ permission: { toolCall: { toolCallId: command, title: command, kind: 'execute', rawInput: { command } } } });
const rules = [
  { effect: 'deny', command: 'git push *', message: 'Ask me before you push.' },
  { effect: 'ask', tool: 'fetch' },
  { effect: 'allow', command: 'npm test *' },
];
const settings = {
  'acpHost.permissions.rules': rules,
  'acpHost.agents': { Scripted: scripted({}, 'permission-pictures') },
  'acpHost.permissions.present': 'card',
  'acpHost.askBeforeCommands': { '*': 'never' },
  'acpHost.sandbox': { Scripted: 'commands' },
};

describe('pictures of permissions in four themes', function () {
  this.timeout(300_000);
  this.retries(0);
  const outside = join('/', `acp-host-pictures-outside-${process.pid}`);
  let window;
  let conversation;

  const pictures = (name) => inFourThemes(window, settings, `permissions/four/${name}`);
  const mode = async (choice) => {
    await chooseOption(conversation.frame, 'Permission mode', choice);
    const button = conversation.frame.getByRole('combobox', { name: 'Permission mode' });
    await until(choice, async () => (await button.innerText()).trim() === choice);
  };

  before(async () => {
    const files = { '.env': 'KEY=4711\n' };
    ({ window } = await openWorkspace({ userSettings: settings, machineSettings: { 'acpHost.permissions.rules': rules }, files }));
    await window.page.setViewportSize({ width: 1280, height: 800 });
    conversation = await newSession(window, 'Scripted');
  });

  after(async () => {
    rmSync(outside, { force: true });
    await changeSettings({});
    await window.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('the rules, and what was denied', async () => {
    await conversation.prompt(script(run('git push origin main'), run('npm run deploy'), { say: 'Both were asked.' }));
    await conversation.answer('npm run deploy', 'Reject');
    await conversation.says('permission: selected reject');
    await conversation.turnEnd();
    await mode('Plan only');
    await conversation.prompt(script(run('npm run build'), { say: 'It was refused.' }));
    await conversation.turnEnd();
    await mode('Ask');
    await runCommands('acpHost.showPermissionRules', 'notifications.clearAll');
    await window.page.locator('.sidebar .pane-header', { hasText: 'Sessions' }).click();
    await window.page.locator('.sidebar .monaco-list-row', { hasText: 'by the permission mode Plan only' }).first().hover();
    await pictures('rules');
  });

  it('the modes, in the quick pick and beside the message box', async () => {
    await startCommand('acpHost.setPermissionMode');
    await window.page
      .locator('.quick-input-widget:visible')
      .getByRole('option', { name: /^Allow everything/ })
      .waitFor();
    await pictures('mode-pick');
    await window.dismiss();
    await conversation.frame.getByRole('combobox', { name: 'Permission mode' }).click();
    await conversation.frame.getByRole('listbox', { name: 'Permission mode' }).waitFor();
    await pictures('mode-list');
    await window.page.keyboard.press('Escape');
  });

  it('everything allowed', async () => {
    await chooseOption(conversation.frame, 'Permission mode', 'Allow everything');
    const input = window.page.locator('.quick-input-widget:visible input');
    await input.waitFor();
    await pictures('everything-word');
    await input.fill('everything');
    await window.page.keyboard.press('Enter');
    await conversation.frame.locator('.header-mode').waitFor();
    await conversation.prompt(script(run('npm run build'), { say: 'It was allowed.' }));
    await conversation.says('permission: selected allow');
    await conversation.turnEnd();
    await pictures('everything');
    await conversation.frame.locator('.header-mode').click();
  });

  it('ten questions in one list', async () => {
    const questions = Array.from({ length: 10 }, (_, index) => run(`npm run package-${index}`));
    await conversation.prompt(script({ together: questions }, { say: 'All were answered.' }));
    const list = conversation.frame.getByRole('group', { name: '10 questions wait' });
    await list.waitFor();
    await until('answers that count', async () => (await list.locator('[aria-disabled]').count()) === 0);
    await pictures('flood');
    await list.getByRole('button', { name: 'Reject 10' }).click();
    await conversation.turnEnd();
  });

  it('the refusals of the sandbox', async function () {
    if (!hasSandbox()) this.skip();
    const lines = [`echo planted > ${outside}`, 'cat .env', 'curl -sS -m 5 http://unlisted.example/ ; echo tried'];
    await conversation.prompt(
      script(
        { tool: { toolCallId: 'shell', title: 'Try it', kind: 'execute', status: 'in_progress', content: [] } },
        { terminal: { command: lines.join('; '), toolCallId: 'shell' } },
        { toolUpdate: { toolCallId: 'shell', status: 'completed' } },
        { say: 'all tried' },
      ),
    );
    // The command names a protected file.
    await conversation.frame.getByRole('button', { name: 'Allow Once' }).click();
    await conversation.turnEnd();
    const refusals = conversation.log.getByRole('list', { name: 'Refused by the sandbox' });
    await until('all refusals', async () => (await refusals.getByRole('listitem').count()) === 3);
    assert.equal((await refusals.getByRole('button').count()) > 0, true);
    await pictures('refusals');
  });
});

function hasSandbox() {
  try {
    const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true'];
    execFileSync('bwrap', args, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

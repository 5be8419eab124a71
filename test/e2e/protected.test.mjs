// Operations for which the user is asked although the agent did not ask: protected files, by any name, and commands.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace } from './stage.mjs';

const write = (name, content) => ({ write: { path: `\${cwd}/${name}`, content } });

describe('a protected file', () => {
  it('is confirmed in card and quick pick, which name the rule, before anything happens', async () => {
    const { window, folder } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Scripted: scripted({}, 'protected') },
        'acpHost.permissions.present': 'both',
        'acpHost.protectedPaths': { 'src/calc.js': 'write' },
      },
      files: { '.env': 'KEY=4711\n', '.vscode/settings.json': '{}\n', '.husky/keep': '' },
    });
    symlinkSync('../.husky', join(folder, 'src', 'hooks'));
    const conversation = await newSession(window, 'Scripted');
    const widget = window.page.locator('.quick-input-widget:visible');
    const calc = readFileSync(join(folder, 'src/calc.js'), 'utf8');
    await conversation.prompt(
      script(
        write('src/hooks/pre-commit', '#!/bin/sh\necho planted\n'),
        write('src/../.VSCODE/settings.json', '{ "task.allowAutomaticTasks": "on" }\n'),
        { read: '${cwd}/.env' },
        write('src/calc.js', 'mine\n'),
        { terminal: { command: 'touch touched && echo ran', env: [{ name: 'GIT_DIR', value: 'x' }] } },
        { say: 'all tried' },
      ),
    );

    const hook = conversation.permission('Write a protected file (pre-commit)');
    await appears(hook);
    assert.match(
      await hook.innerText(),
      /ACP Host is asking because .*src\/hooks\/pre-commit is protected by the rule \.husky\. It links to .*\.husky\/pre-commit\./,
    );
    await until('what it would write', async () => /echo planted/.test(await hook.innerText()));
    await until(
      'the quick pick',
      async () => (await widget.isVisible()) && (await widget.innerText()).includes('Write a protected file (pre-commit)'),
    );
    assert.match(
      (await widget.innerText()).replace(/\u200b/g, ''),
      /Create \.husky\/pre-commit \(\+2 −0\) — requested as src\/hooks\/pre-commit/,
    );
    assert.equal(existsSync(join(folder, '.husky/pre-commit')), false);
    await window.screenshot('permissions/protected-write');
    await wait(700);
    await widget.getByRole('option', { name: /^Reject/ }).click();

    await conversation.answer('Write a protected file (settings.json)', 'Reject');
    await appears(conversation.permission('Read a protected file (.env)'));
    await conversation.answer('Read a protected file (.env)', 'Allow Once');
    await conversation.says(/read: "KEY=4711/);
    await appears(conversation.permission('Write a protected file (calc.js)'));
    assert.equal(readFileSync(join(folder, 'src/calc.js'), 'utf8'), calc);
    await conversation.answer('Write a protected file (calc.js)', 'Allow This File in This Session');

    const command = conversation.permission('Run a command');
    await appears(command);
    const text = await command.innerText();
    assert.match(text, /the agent didn't ask for permission/);
    assert.match(text, /touch touched && echo ran/);
    assert.match(text, /GIT_DIR=x/);
    assert.equal(existsSync(join(folder, 'touched')), false);
    await window.screenshot('permissions/command');
    await conversation.answer('Run a command', 'Allow Once');
    await conversation.says('all tried');
    await conversation.turnEnd();

    assert.equal(existsSync(join(folder, '.husky/pre-commit')), false);
    assert.equal(existsSync(join(folder, '.VSCODE')), false);
    assert.equal(readFileSync(join(folder, '.vscode/settings.json'), 'utf8'), '{}\n');
    assert.equal(readFileSync(join(folder, 'src/calc.js'), 'utf8'), 'mine\n');
    assert.ok(existsSync(join(folder, 'touched')));
  });
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { openWorkspace } from './stage.mjs';

describe('a workspace that brings agents of its own', () => {
  it('has none of them listed or started', async () => {
    const marker = join(tempDir('marker'), 'started');
    const planted = { command: process.execPath, args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`] };
    const { window, folder } = await openWorkspace({
      files: {
        '.vscode/settings.json': JSON.stringify({
          'acpHost.agents': { 'Planted agent': planted, Demo: planted, 'Demo agent': planted },
          'acpHost.defaultAgent': 'Planted agent',
        }),
      },
    });
    assert.ok(readdirSync(folder).includes('.vscode'));

    await window.command('ACP: New Session');
    const rows = await window.quickPickRows();
    assert.ok(
      rows.some((row) => row.startsWith('Demo')),
      `the demo agent is offered: ${rows.join(' | ')}`,
    );
    assert.deepEqual(
      rows.filter((row) => /planted/i.test(row)),
      [],
    );
    await window.page.keyboard.press('Escape');

    const conversation = await newSession(window, 'Demo');
    await conversation.prompt('/help');
    await conversation.turnEnd();
    await conversation.says('acpHost.agents');
    assert.equal(existsSync(marker), false, 'the planted command ran');
    await until('a notice that the workspace was ignored', async () =>
      (await window.notifications()).some((text) => /workspace|folder/i.test(text)),
    );
    assert.equal(existsSync(marker), false, 'the planted command ran');
  });

  it('is refused aloud as one folder of several too, and the session works in the folder that was picked', async () => {
    const planted = { 'acpHost.agents': { 'Planted agent': { command: 'planted' } } };
    const { window, folder } = await openWorkspace({ files: { 'one/.vscode/settings.json': JSON.stringify(planted), 'two/two.txt': '' } });
    const workspace = join(folder, 'both.code-workspace');
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'one' }, { path: 'two' }] }));
    await window.openFolder(workspace);

    await window.command('ACP: New Session');
    const rows = await window.quickPickRows();
    assert.deepEqual(
      rows.filter((row) => /planted/i.test(row)),
      [],
    );
    await window.pickRow('Demo');
    await window.pickRow('two');
    const frame = await window.panel();
    await frame.getByText('two', { exact: true }).first().waitFor();
    await window.notification('the folder one');
  });

  it('has none of them listed or started that its dev container brings, and the user’s own stay as they are', async () => {
    const marker = join(tempDir('marker'), 'started');
    const planted = { command: process.execPath, args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`] };
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Mine: { command: 'mine' }, Changed: { command: 'as-written', args: ['own'] } } },
      machineSettings: {
        'acpHost.agents': { 'Planted agent': planted, Changed: planted, Mine: { env: { NODE_OPTIONS: '--require /planted.js' } } },
        'acpHost.defaultAgent': 'Planted agent',
        'acp.agents': { 'Planted other': planted },
      },
    });
    await window.command('ACP: New Session');
    const rows = await window.quickPickRows();
    assert.deepEqual(
      rows.filter((row) => /planted/i.test(row)),
      [],
    );
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Changed' }).getByText('as-written own').waitFor();
    await window.pickRow('Changed');
    await window.notification('the remote machine or dev container');
    await window.panel();
    assert.equal(existsSync(marker), false, 'the planted command ran');
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { mustRun } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { installExtension } from '../harness/lib/vscode.mjs';
import { openWorkspace, theStage } from './stage.mjs';

describe('beside an extension that contributes acp.agents and acp.* commands', () => {
  it('both activate and the journey works', async () => {
    const { install, dir } = await theStage();
    await installExtension(install, dir, await packNeighbour());
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

/** Packs a tiny extension that uses the ids a simpler client would. Absolute path of its VSIX. */
async function packNeighbour() {
  const folder = join(tempDir('neighbour'), 'neighbour');
  mkdirSync(folder);
  const manifest = {
    name: 'neighbour',
    publisher: 'acp-neighbour',
    version: '1.0.0',
    license: 'MIT',
    engines: { vscode: '^1.100.0' },
    main: './main.js',
    activationEvents: ['onStartupFinished'],
    contributes: {
      commands: [
        { command: 'acp.newSession', category: 'ACP Neighbour', title: 'New Session' },
        { command: 'acp.stopTurn', category: 'ACP Neighbour', title: 'Stop' },
      ],
      configuration: { title: 'ACP', properties: { 'acp.agents': { type: 'object', default: { Theirs: { command: 'theirs' } } } } },
    },
  };
  const main = `
    const vscode = require('vscode');
    exports.activate = (context) => {
      const say = () => void vscode.window.showInformationMessage('neighbour is active');
      for (const id of ['acp.newSession', 'acp.stopTurn']) context.subscriptions.push(vscode.commands.registerCommand(id, say));
    };`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.js'), main);
  writeFileSync(join(folder, 'LICENSE'), 'MIT');
  const out = join(folder, 'neighbour.vsix');
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  await mustRun(process.execPath, [vsce, 'package', '--allow-missing-repository', '--out', out], { cwd: folder, timeoutMs: 60_000 });
  return out;
}

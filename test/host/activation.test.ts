import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

const extensionId = 'acp-host.acp-host';

describe('activation', () => {
  it('declares every command with the category and prefix that users search for', () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string; category: string }[] } };
    const commands = manifest.contributes.commands;
    assert.ok(commands.length > 0);
    for (const { command, category } of commands) {
      assert.match(command, /^acpHost\./);
      // This command must be found by VS Code's own term.
      assert.equal(category, command === 'acpHost.newAgentSession' ? 'Chat' : 'ACP');
    }
  });

  it('returns an api object', async () => {
    const api: unknown = await extension().activate();
    assert.equal(typeof api, 'object');
    assert.notEqual(api, null);
  });

  it('registers every declared command', async () => {
    await extension().activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const missing = manifest.contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });
});

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(extensionId);
  assert.ok(found, `${extensionId} is not installed`);
  return found;
}

import { strict as assert } from 'node:assert';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';

describe('a conversation outside of its panel', () => {
  let session: AcpSession;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversation-'));
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    session = (await api.newSession({ agentName: 'Demo Agent', folder: vscode.workspace.workspaceFolders![0]!.uri }))!;
    await until('a session', () => session.status === 'ready');
    await session.prompt('help');
  });

  after(async () => {
    await session.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  async function until(what: string, holds: () => boolean): Promise<void> {
    for (let tries = 0; tries < 60; tries++) {
      if (holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    assert.fail(`no ${what}`);
  }

  const shown = () => vscode.window.activeTextEditor?.document;

  it('is read as a document at the place where one is, and goes on when a turn ends', async () => {
    await vscode.commands.executeCommand('acpHost.openAsDocument');
    const document = shown()!;
    assert.equal(document.uri.scheme, 'acp-host-transcript');
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /^## You\n\nhelp\n\n## Demo Agent\n\n/);
    const before = document.getText().length;
    await session.prompt('help');
    await until('more text', () => document.getText().length > before);
    assert.equal(document.getText().match(/^## You$/gm)?.length, 2);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('has a help that says the keys', async () => {
    await vscode.commands.executeCommand('acpHost.showAccessibilityHelp');
    assert.match(shown()!.getText(), /Alt\+F2/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is copied as markdown', async () => {
    await session.show();
    await vscode.commands.executeCommand('acpHost.copyConversation');
    assert.match(await vscode.env.clipboard.readText(), /^# .*\n\n## You\n\nhelp\n/);
  });

  it('is exported in each form, for the user’s eyes only', async () => {
    const save = async (name: string): Promise<string> => {
      const uri = vscode.Uri.file(join(folder, name));
      await session.show();
      await vscode.commands.executeCommand('acpHost.exportConversation', uri);
      if (process.platform !== 'win32') assert.equal((await stat(uri.fsPath)).mode & 0o777, 0o600);
      return readFile(uri.fsPath, 'utf8');
    };
    assert.match(await save('a.md'), /## You\n\nhelp\n\n## Demo Agent/);
    const { header, events } = JSON.parse(await save('a.json')) as { header: { agentName: string }; events: { type: string }[] };
    assert.equal(header.agentName, 'Demo Agent');
    assert.equal(events.filter(({ type }) => type === 'turn_ended').length, 2);
    const [first, ...lines] = (await save('a.jsonl')).trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([first?.['acpHostBundle'], first?.['vscode']], [1, vscode.version]);
    assert.ok(lines.some((line) => line['event']) && lines.some((line) => line['acpHostTrace']) && lines.some((line) => line['dir'] === 'a2c'));
    assert.deepEqual((await readdir(folder)).sort(), ['a.json', 'a.jsonl', 'a.md']);
  });
});

/** Permission modes and the audit in the real window, with the demo agent. */
import { strict as assert } from 'node:assert';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';

describe('a permission mode in the window', () => {
  let session: AcpSession;
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = (): string => join(folder(), 'modes.md');

  before(async () => {
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    session = (await api.newSession({ agentName: 'Demo Agent', folder: vscode.workspace.workspaceFolders![0]!.uri }))!;
    await until('a session', () => session.status === 'ready');
  });

  after(async () => {
    await session.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(file(), { force: true });
  });

  async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 60; tries++) {
      if (await holds()) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    assert.fail(`no ${what}`);
  }

  /** Chooses the mode at this row of the command's quick pick. The page of the chat may take the focus, which closes the pick. */
  async function choose(row: number, mode: string): Promise<void> {
    await session.show();
    await until(mode, async () => {
      let isDone = false;
      const done = vscode.commands.executeCommand('acpHost.setPermissionMode').then(() => (isDone = true));
      await new Promise((resolve) => setTimeout(resolve, 500));
      await vscode.commands.executeCommand('quickInput.first');
      for (let at = 0; at < row; at++) {
        await vscode.commands.executeCommand('workbench.action.quickOpenNavigateNext');
      }
      await until('an end of the pick', async () => {
        if (!isDone) {
          await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        }
        return isDone;
      });
      await done;
      // The newest entry comes first.
      return (await auditText()).split('Permission mode: ')[1]?.startsWith(mode) === true;
    });
  }

  async function auditText(): Promise<string> {
    await vscode.commands.executeCommand('acpHost.showPermissionAudit', session.key);
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.uri.scheme, 'acp-host-audit');
    assert.equal(document.languageId, 'plaintext');
    const text = document.getText();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    return text;
  }

  it('accepts edits without a question, and the audit says so', async () => {
    await writeFile(file(), '# Modes\n');
    await choose(1, 'Accept edits');
    await session.prompt('edit modes.md');
    assert.match(await readFile(file(), 'utf8'), /TODO: say in one line what modes.md is for/);
    let text = '';
    // A document that was shown before gets its new text a moment later.
    await until('the entry of the edit', async () => {
      text = await auditText();
      return /Allowed by the permission mode: Accept edits: /.test(text);
    });
    assert.match(text, /Permission mode: Accept edits/);
    assert.doesNotMatch(text, /Asked/);
  });

  it('refuses edits and commands while it only plans', async () => {
    await choose(2, 'Plan only');
    const before = await readFile(file(), 'utf8');
    await session.prompt('run `node --version`');
    await until('an end of the turn', () => !session.busy);
    await session.prompt('edit modes.md');
    assert.equal(await readFile(file(), 'utf8'), before);
    const text = await auditText();
    assert.match(text, /Permission mode: Plan only/);
    assert.doesNotMatch(text, /Asked/);
  });
});

/** An agent's direct writes to the disk, reviewed in the editor. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';
import { numberedLines, until } from './reviewFixture';

describe('the review of changes', () => {
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = (name: string) => path.join(folder().fsPath, `reviewed-${name}.txt`);
  const uri = (name: string) => vscode.Uri.file(file(name));
  const lines = (...changed: readonly string[]) => numberedLines(30, changed);
  let session: AcpSession;
  let agent: vscode.Disposable;

  const lenses = async (name: string): Promise<string[]> => {
    await vscode.workspace.openTextDocument(uri(name));
    return ((await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri(name))) ?? []).flatMap(
      ({ range, command }) => (command?.command.startsWith('acpHost.') ? [`${range.start.line} ${command.title}`] : []),
    );
  };
  const lensesAre = (name: string, wanted: readonly string[]) =>
    until(
      `lenses of ${name}`,
      () => lenses(name),
      (now) => now.join() === wanted.join(),
    );
  const stored = (name: string) => readFileSync(file(name), 'utf8');
  const write = (texts: Record<string, string>) =>
    session.prompt(`write ${JSON.stringify(Object.fromEntries(Object.entries(texts).map(([name, text]) => [file(name), text])))}`);
  async function cursorAt(name: string, line: number): Promise<vscode.TextEditor> {
    const editor = await vscode.window.showTextDocument(uri(name), { preview: false });
    editor.selection = new vscode.Selection(line, 0, line, 0);
    return editor;
  }

  before(async () => {
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    const { extensionPath } = vscode.extensions.getExtension('acp-host.acp-host-sample')!;
    const launch = { command: process.execPath, args: [path.join(extensionPath, 'agent.mjs')], env: { ELECTRON_RUN_AS_NODE: '1' } };
    agent = api.registerAgentProvider({ id: 'test.review', label: 'Reviewed', launch });
    for (const name of ['a', 'b', 'c']) {
      writeFileSync(file(name), lines());
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    session = (await api.newSession({ agentName: 'Reviewed', folder: folder() }))!;
    await until(
      'ready',
      () => session.status,
      (status) => status === 'ready',
    );
    await cursorAt('a', 0);
  });

  after(async () => {
    await session.end();
    agent.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    ['a', 'b', 'c', 'new'].forEach((name) => rmSync(file(name), { force: true }));
  });

  it('has a Keep and an Undo above each change that the agent wrote to disk', async () => {
    await write({ a: lines('3 changed', '20 changed'), b: lines('5 changed'), new: 'made\n' });
    await lensesAre('a', ['3 Keep', '3 Undo', '20 Keep', '20 Undo']);
    await lensesAre('b', ['5 Keep', '5 Undo']);
    await lensesAre('new', ['0 Keep', '0 Undo']);
  });

  it('undoes one change by an undoable edit, and leaves the other and the user’s typing', async () => {
    const editor = await cursorAt('a', 3);
    await until(
      'reloaded',
      () => editor.document.getText(),
      (text) => text === lines('3 changed', '20 changed'),
    );
    await editor.edit((edit) => edit.insert(new vscode.Position(10, 0), 'mine '));
    const typed = lines('3 changed', '20 changed').replace('10 same', 'mine 10 same');
    await lensesAre('a', ['3 Keep', '3 Undo', '20 Keep', '20 Undo']);
    await vscode.commands.executeCommand('acpHost.undoChange');
    assert.equal(editor.document.getText(), typed.replace('3 changed', '3 same'));
    await lensesAre('a', ['20 Keep', '20 Undo']);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), typed);
    await lensesAre('a', ['3 Keep', '3 Undo', '20 Keep', '20 Undo']);
  });

  it('saves a file in which two changes are undone at once', async () => {
    await write({ c: lines('2 one', '9 two') });
    await write({ c: lines('2 other', '9 other', '25 more') });
    await lensesAre('c', ['2 Keep', '2 Undo', '9 Keep', '9 Undo', '25 Keep', '25 Undo']);
    const document = await vscode.workspace.openTextDocument(uri('c'));
    const all = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri('c'))) ?? [];
    const undos = all.flatMap(({ command }) => (command?.command === 'acpHost.undoChange' ? [command] : []));
    await Promise.all(undos.map(({ command, arguments: args = [] }) => vscode.commands.executeCommand(command, ...(args as unknown[]))));
    assert.equal(document.getText(), lines());
    assert.equal(document.isDirty, false);
    assert.equal(stored('c'), lines());
  });

  it('moves from change to change, across files', async () => {
    const place = (): string => {
      const { document, selection } = vscode.window.activeTextEditor!;
      return `${path.basename(document.uri.fsPath)} ${selection.active.line}`;
    };
    await cursorAt('a', 0);
    const seen: string[] = [];
    for (const command of ['nextChange', 'nextChange', 'nextChange', 'previousChange']) {
      await vscode.commands.executeCommand(`acpHost.${command}`);
      seen.push(place());
    }
    assert.deepEqual(seen, ['reviewed-a.txt 3', 'reviewed-a.txt 20', 'reviewed-b.txt 5', 'reviewed-a.txt 20']);
  });

  it('opens the diff against the earlier version', async () => {
    await vscode.commands.executeCommand('acpHost.openFileChanges', uri('b'));
    const input = await until(
      'a diff',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.input,
      (tab) => tab instanceof vscode.TabInputTextDiff,
    );
    const { original, modified } = input as vscode.TabInputTextDiff;
    assert.equal((await vscode.workspace.openTextDocument(original)).getText(), lines());
    assert.equal(modified.fsPath, file('b'));
  });

  it('keeps accepted changes, and undoes a whole file, also a created one', async () => {
    await cursorAt('a', 20);
    await vscode.commands.executeCommand('acpHost.keepChange');
    await lensesAre('a', ['3 Keep', '3 Undo']);
    await vscode.commands.executeCommand('acpHost.undoFileChanges', uri('b'));
    assert.equal(stored('b'), lines());
    await vscode.commands.executeCommand('acpHost.undoFileChanges', uri('new'));
    assert.equal(existsSync(file('new')), false);
    await vscode.commands.executeCommand('acpHost.keepAllChanges');
    await lensesAre('a', []);
    assert.ok(
      vscode.workspace.textDocuments
        .find(({ uri: { fsPath } }) => fsPath === file('a'))!
        .getText()
        .includes('3 changed'),
    );
  });

  it('restores files to the state before a message, and undoes that', async () => {
    await write({ b: lines('7 later') });
    await lensesAre('b', ['7 Keep', '7 Undo']);
    const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    // Each step is a quick pick. One that is accepted before it is open is tried again.
    const choose = async (command: string, wanted: string): Promise<void> => {
      const done = vscode.commands.executeCommand(command);
      for (let tries = 0; stored('b') !== wanted; tries++) {
        assert.ok(tries < 30, stored('b'));
        await new Promise((resolve) => setTimeout(resolve, 300));
        await accept();
      }
      void done;
    };
    await choose('acpHost.restoreCheckpoint', lines());
    await lensesAre('b', []);
    await choose('acpHost.undoRestore', lines('7 later'));
    await lensesAre('b', ['7 Keep', '7 Undo']);
  });
});

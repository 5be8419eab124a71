/** Restored files that are open in the editor. */
import { strict as assert } from 'node:assert';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { RestoreWriter } from '../../src/workbench/changes/files/restoreWriter';
import { unsavedFiles } from '../../src/workbench/changes/files/unsavedFiles';

describe('a restored file', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);
  const documentOf = (real: string): vscode.TextDocument | undefined =>
    vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.fsPath === real);
  const writer = new RestoreWriter(documentOf);

  async function open(name: string, content: string | Uint8Array): Promise<vscode.TextDocument> {
    writeFileSync(at(name), content);
    const document = await vscode.workspace.openTextDocument(at(name));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }
  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'restored-')))));
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the exact bytes on disk, and can be undone in the editor', async () => {
    for (const [name, bytes] of [
      ['mixed.txt', Buffer.from('one\r\ntwo\nthree\r')],
      ['latin.txt', Buffer.from('caf\xe9\n', 'latin1')],
      ['bom.txt', Buffer.from('\ufeffwith a mark\n')],
    ] as const) {
      const document = await open(name, 'by the agent\n');
      await writer.write(at(name), bytes, 0o755);
      assert.deepEqual(readFileSync(at(name)), bytes, name);
      assert.equal(statSync(at(name)).mode & 0o777, 0o755, name);
      assert.equal(document.isDirty, false, name);
    }
    const document = await open('text.txt', 'by the agent\n');
    await writer.write(at('text.txt'), Buffer.from('before\n'), 0o644);
    assert.equal(document.getText(), 'before\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'by the agent\n');
  });

  it('is skipped while it has unsaved changes', async () => {
    const document = await open('typed.txt', 'by the agent\n');
    await type(document, 'typed\n');
    assert.deepEqual([...(await unsavedFiles())], [[at('typed.txt'), 'text']]);
    const isLeft = (error: NodeJS.ErrnoException): boolean => error.code === 'ECHANGED';
    await assert.rejects(writer.write(at('typed.txt'), Buffer.from('before\n'), 0o644), isLeft);
    await assert.rejects(writer.link(at('typed.txt'), 'before'), isLeft);
    await assert.rejects(writer.remove(at('typed.txt')), isLeft);
    assert.equal(readFileSync(at('typed.txt'), 'utf8'), 'by the agent\n');
    assert.equal(document.getText(), 'typed\nby the agent\n');
  });

  it('is skipped with its document when it cannot be saved', async () => {
    const document = await open('locked.txt', 'by the agent\n');
    chmodSync(at('locked.txt'), 0o444);
    await assert.rejects(
      writer.write(at('locked.txt'), Buffer.from('before\n'), 0o644),
      (error: NodeJS.ErrnoException) => error.code === 'EACCES',
    );
    assert.deepEqual(
      [document.getText(), document.isDirty, readFileSync(at('locked.txt'), 'utf8')],
      ['by the agent\n', false, 'by the agent\n'],
    );
  });

  it('is private again', async () => {
    await open('private.txt', 'by the agent\n');
    chmodSync(at('private.txt'), 0o644);
    await writer.write(at('private.txt'), Buffer.from('before\n'), 0o640);
    assert.deepEqual([readFileSync(at('private.txt'), 'utf8'), statSync(at('private.txt')).mode & 0o777], ['before\n', 0o640]);
  });

  it('is not written through a link that replaced it', async () => {
    await open('link.txt', 'by the agent\n');
    renameSync(at('link.txt'), at('victim.txt'));
    symlinkSync('victim.txt', at('link.txt'));
    await writer.write(at('link.txt'), Buffer.from('before\n'), 0o644);
    assert.equal(readFileSync(at('victim.txt'), 'utf8'), 'by the agent\n');
    assert.equal(readFileSync(at('link.txt'), 'utf8'), 'before\n');
  });
});

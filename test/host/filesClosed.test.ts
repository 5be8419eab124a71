import { strict as assert } from 'node:assert';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { codeOf, configure, eventually, FilesFixture, type } from './filesFixture';

describe('files', () => {
  const files = new FilesFixture();

  describe('refused', () => {
    it('when the document is dirty and the agent never read it', async () => {
      await writeFile(files.path, 'a\nb\n');
      const editor = await files.edit();
      await type(editor, 1, 1, ' typed');
      assert.equal(await codeOf(files.room.write({ path: files.path, content: 'x\n' })), 'fs.conflict');
      assert.equal(editor.document.getText(), 'a\nb typed\n');
    });

    it('outside the roots, also through a symlink', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'outside-'));
      try {
        await writeFile(join(outside, 'secret.txt'), 'secret');
        await symlink(outside, join(files.folder, 'link'));
        await symlink(join(outside, 'new.txt'), join(files.folder, 'dangling.txt'));
        for (const name of ['link/secret.txt', 'link/new.txt', 'dangling.txt', '../outside.txt']) {
          assert.equal(await codeOf(files.room.read({ path: `${files.folder}/${name}` })), 'fs.outside_roots', name);
          assert.equal(await codeOf(files.room.write({ path: `${files.folder}/${name}`, content: 'x' })), 'fs.outside_roots', name);
        }
        assert.equal(await readFile(join(outside, 'secret.txt'), 'utf8'), 'secret');
      } finally {
        await rm(outside, { recursive: true });
      }
    });

    it('when read-only, by setting or by permission', async () => {
      await writeFile(files.path, 'a\n');
      await configure('files.readonlyInclude', { '**/notes.txt': true });
      try {
        const editor = await files.edit();
        assert.equal(await codeOf(files.room.write({ path: files.path, content: 'b\n' })), 'fs.read_only');
        assert.equal(editor.document.getText(), 'a\n');
      } finally {
        await configure('files.readonlyInclude', undefined);
      }
      await chmod(files.path, 0o444);
      assert.equal(await codeOf(files.room.write({ path: files.path, content: 'b\n' })), 'fs.read_only');
      const closed = join(files.folder, 'closed.txt');
      await writeFile(closed, 'a\n', { mode: 0o444 });
      assert.equal(await codeOf(files.room.write({ path: closed, content: 'b\n' })), 'fs.read_only');
      assert.equal(await readFile(closed, 'utf8'), 'a\n');
      assert.equal(await files.stored(), 'a\n');
    });

    it('when it is a notebook with unsaved changes', async () => {
      files.path = join(files.folder, 'book.ipynb');
      const content = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
      await writeFile(files.path, content);
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(files.path));
      await vscode.window.showNotebookDocument(notebook);
      const added = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'typed', 'python');
      added.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
      assert.ok(await vscode.workspace.applyEdit(added));
      await eventually('dirty', () => notebook.isDirty);
      assert.equal(await codeOf(files.room.write({ path: files.path, content: '{}' })), 'fs.notebook_dirty');
      assert.equal(await files.stored(), content);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('when it has no content, or is not text', async () => {
      assert.equal(await codeOf(files.room.read({ path: files.path })), 'fs.not_found');
      assert.equal(await codeOf(files.room.read({ path: files.folder })), 'fs.is_directory');
      await writeFile(files.path, Buffer.from([0x89, 0x50, 0, 0, 1, 2, 0xff, 0xfe, 0, 0]));
      assert.equal(await codeOf(files.room.read({ path: files.path })), 'fs.binary');
      await writeFile(files.path, Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
      assert.equal(await codeOf(files.room.read({ path: files.path })), 'fs.too_large');
    });
  });

  describe('not in an editor', () => {
    it('counts a document that is open but not shown', async () => {
      await writeFile(files.path, 'a\nb\n');
      const document = await vscode.workspace.openTextDocument(files.path);
      await files.room.read({ path: files.path });
      await files.room.write({ path: files.path, content: 'a\nB\n' });
      assert.equal(document.getText(), 'a\nB\n');
      assert.equal(document.isDirty, false);
      assert.deepEqual(vscode.window.visibleTextEditors, []);
    });

    it('finds a document by the file that a symlink leads to', async () => {
      await writeFile(files.path, 'a\nb\n');
      const file = files.path;
      files.path = join(files.folder, 'link.txt');
      await symlink(file, files.path);
      const editor = await files.edit();
      await type(editor, 0, 1, ' typed');
      assert.equal(await files.room.read({ path: file }), 'a typed\nb\n');
      await files.room.write({ path: file, content: 'a typed\nB\n' });
      assert.equal(editor.document.getText(), 'a typed\nB\n');
      assert.equal(await readFile(file, 'utf8'), 'a typed\nB\n');
    });

    it('creates, merges and recreates, without opening an editor', async () => {
      files.path = join(files.folder, 'new/deep/notes.txt');
      await files.room.write({ path: files.path, content: 'a\nb\nc\n' });
      assert.equal(await files.stored(), 'a\nb\nc\n');
      await writeFile(files.path, 'A\nb\nc\n');
      await files.room.write({ path: files.path, content: 'a\nb\nC\n' });
      assert.equal(await files.stored(), 'A\nb\nC\n');
      await writeFile(files.path, 'A\nb\nother\n');
      assert.equal(await codeOf(files.room.write({ path: files.path, content: 'a\nb\nCC\n' })), 'fs.conflict');
      await rm(join(files.folder, 'new'), { recursive: true });
      await mkdir(files.folder, { recursive: true });
      await files.room.write({ path: files.path, content: 'again\n' });
      assert.equal(await files.stored(), 'again\n');
      assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === files.path));
      assert.deepEqual(
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
        [],
      );
    });

    it('keeps bytes of another encoding that VS Code cannot read', async () => {
      await writeFile(files.path, Buffer.from('caf\xe9\ntwo\n', 'latin1'));
      const text = await files.room.read({ path: files.path });
      await files.room.write({ path: files.path, content: text.replace('two', 'TWO') });
      assert.deepEqual(await readFile(files.path), Buffer.from('caf\xe9\nTWO\n', 'latin1'));
      assert.equal(await codeOf(files.room.write({ path: files.path, content: text.replace('two', 'zwölf') })), 'fs.write_failed');
    });
  });
});

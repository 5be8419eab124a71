import { strict as assert } from 'node:assert';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { failureOf } from '../../src/core/failure';
import { FileRoom } from '../../src/fs/room';
import { realPathOf } from '../../src/util/realPath';
import { RootCheck } from '../../src/util/roots';
import { EditorBuffers } from '../../src/workbench/buffers';

let buffers: EditorBuffers;
let folder: string;
let room: FileRoom;
let path: string;

const newRoom = () => new FileRoom(buffers, new RootCheck({ cwd: folder, additionalDirectories: [] }));

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => failureOf(error).code,
  );
}

/** Opens `path` in an editor that has the focus. */
async function edit(options?: { encoding: string }): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path), options);
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Types as a person does: at the cursor of the editor that has the focus. */
async function type(editor: vscode.TextEditor, line: number, character: number, text: string): Promise<void> {
  const at = editor.document.validatePosition(new vscode.Position(line, character));
  editor.selection = new vscode.Selection(at, at);
  await vscode.commands.executeCommand('type', { text });
}

async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 8000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (await check()) return;
  }
  assert.fail(what);
}

const stored = () => readFile(path, 'utf8');

async function configure(section: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(section, value, vscode.ConfigurationTarget.Workspace);
}

describe('files', () => {
  before(async () => {
    await vscode.workspace.getConfiguration().update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
    await vscode.workspace.getConfiguration().update('editor.autoIndent', 'none', vscode.ConfigurationTarget.Global);
  });

  beforeEach(async () => {
    const top = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(top);
    folder = await realPathOf(await mkdtemp(join(top, 'files-')));
    path = join(folder, 'notes.txt');
    buffers = new EditorBuffers();
    room = newRoom();
  });

  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    buffers.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [name, eol, encoding] of [
    ['UTF-8', '\n', 'utf8'],
    ['CRLF', '\r\n', 'utf8'],
    ['UTF-16 with a byte order mark', '\r\n', 'utf16le'],
    ['Latin-1', '\n', 'iso88591'],
  ] as const) {
    describe(`open, ${name}`, () => {
      const bytes = async (text: string) => Buffer.from(await vscode.workspace.encode(text.replaceAll('\n', eol), { encoding }));
      let editor: vscode.TextEditor;

      beforeEach(async () => {
        await writeFile(path, await bytes('grün\ntwo\nthree\nfour\n'));
        editor = await edit({ encoding });
        assert.equal(editor.document.encoding, encoding);
      });

      it('reads unsaved text, keeps what is typed before the write, and one undo takes back the edit alone', async () => {
        await type(editor, 0, 0, 'unsaved ');
        assert.equal(await room.read({ path, line: 1, limit: 2 }), `unsaved grün${eol}two${eol}`);
        await type(editor, 3, 4, ' typed');
        await room.write({ path, content: 'unsaved grün\nTWÖ\nthree\nfour\nfive\n' });
        const both = 'unsaved grün\nTWÖ\nthree\nfour typed\nfive\n'.replaceAll('\n', eol);
        assert.equal(editor.document.getText(), both);
        assert.equal(editor.document.isDirty, false);
        assert.deepEqual(await readFile(path), await bytes('unsaved grün\nTWÖ\nthree\nfour typed\nfive\n'));
        await vscode.commands.executeCommand('undo');
        assert.equal(editor.document.getText(), 'unsaved grün\ntwo\nthree\nfour typed\n'.replaceAll('\n', eol));
        await vscode.commands.executeCommand('redo');
        assert.equal(editor.document.getText(), both);
      });

      it('refuses lines that were typed in, and leaves text, file and undo alone', async () => {
        await room.read({ path });
        await type(editor, 1, 3, ' typed');
        const before = editor.document.getText();
        const version = editor.document.version;
        await assert.rejects(room.write({ path, content: 'grün\nTWO\nthree\nfour\n' }), (error) => {
          assert.deepEqual(failureOf(error), { code: 'fs.conflict', params: { path, lines: '2' } });
          return true;
        });
        assert.equal(editor.document.getText(), before);
        assert.equal(editor.document.version, version);
        assert.deepEqual(await readFile(path), await bytes('grün\ntwo\nthree\nfour\n'));
      });

      it('keeps the encoding of the file when it is closed', async () => {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await configure('files.encoding', encoding === 'iso88591' ? encoding : undefined);
        try {
          await writeFile(path, await bytes('grün\ntwo\n'));
          const closed = join(folder, 'closed.txt');
          await rename(path, closed);
          assert.equal(await room.read({ path: closed }), `grün${eol}two${eol}`);
          await room.write({ path: closed, content: 'grün\nTWÖ\n' });
          assert.deepEqual(await readFile(closed), await bytes('grün\nTWÖ\n'));
          assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === closed));
        } finally {
          await configure('files.encoding', undefined);
        }
      });
    });
  }

  describe('typing on its way', () => {
    it('loses no keystroke and no edit, whichever comes first', async function () {
      this.timeout(60_000);
      await writeFile(path, Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join(''));
      const editor = await edit();
      let known = await room.read({ path });
      const typed: string[] = [];
      const written: string[] = [];
      for (let round = 0; round < 12; round++) {
        const keys = (async () => {
          for (let key = 0; key < 3; key++) {
            const word = ` typed${round}.${key}`;
            await type(editor, round, 1000, word);
            typed.push(word);
          }
        })();
        const word = `written${round}`;
        known = known.replace(/\n$/, `\n${word}\n`);
        await room.write({ path, content: known });
        written.push(word);
        await keys;
      }
      const text = editor.document.getText();
      for (const word of [...typed, ...written]) assert.ok(text.includes(word), `${word} is missing in ${text}`);
    });

    it('puts two writes at once one after the other', async () => {
      await writeFile(path, 'a\nb\nc\n');
      const editor = await edit();
      const other = newRoom();
      await Promise.all([room.read({ path }), other.read({ path })]);
      await Promise.all([
        room.write({ path, content: 'A\nb\nc\n' }),
        other.write({ path, content: 'a\nb\nC\n' }),
        room.write({ path, content: 'A\nB\nc\n' }),
      ]);
      assert.equal(editor.document.getText(), 'A\nB\nC\n');
      assert.equal(await stored(), 'A\nB\nC\n');
    });
  });

  describe('saving', () => {
    it('knows what save participants made of its text', async () => {
      await writeFile(path, 'a\nb\n');
      const participant = vscode.workspace.onWillSaveTextDocument((event) => {
        const text = event.document.getText();
        const all = new vscode.Range(new vscode.Position(0, 0), event.document.positionAt(text.length));
        event.waitUntil(Promise.resolve([vscode.TextEdit.replace(all, text.replace(/(\w)=(\w)/g, '$1 = $2'))]));
      });
      try {
        await edit();
        await room.read({ path });
        await room.write({ path, content: 'a\nx=1\n' });
        assert.equal(await stored(), 'a\nx = 1\n');
        await room.write({ path, content: 'a\nx=2\n' });
        assert.equal(await stored(), 'a\nx = 2\n');
      } finally {
        participant.dispose();
      }
    });

    it('leaves the edit to be undone, and the file alone, when another program wrote it: also with the same size', async () => {
      for (const other of ['two\nfour\nand more\n', 'TWO\nFOUR\n']) {
        await writeFile(path, 'one\nfour\n');
        const editor = await edit();
        await eventually('loaded', () => editor.document.getText() === 'one\nfour\n');
        await type(editor, 0, 3, ' typed');
        await room.read({ path });
        await writeFile(path, other);
        assert.equal(await codeOf(room.write({ path, content: 'one typed\nFIVE\n' })), 'fs.stale_on_disk');
        assert.equal(await stored(), other);
        assert.equal(editor.document.getText(), 'one typed\nFIVE\n');
        await vscode.commands.executeCommand('undo');
        assert.equal(editor.document.getText(), 'one typed\nfour\n');
        await vscode.commands.executeCommand('workbench.action.files.revert');
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      }
    });

    it('saves a document with unsaved text whose file is gone', async () => {
      await writeFile(path, 'a\nb\n');
      const editor = await edit();
      await type(editor, 0, 1, ' typed');
      await room.read({ path });
      await rm(path);
      await room.write({ path, content: 'a typed\nB\n' });
      assert.equal(await stored(), 'a typed\nB\n');
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'a typed\nb\n');
    });

    it('merges with a clean document whose file has just changed', async () => {
      await writeFile(path, 'a\nb\nc\n');
      const editor = await edit();
      await room.read({ path });
      await writeFile(path, 'A\nb\nc\n');
      await room.write({ path, content: 'a\nb\nC\n' });
      assert.equal(editor.document.getText(), 'A\nb\nC\n');
      assert.equal(await stored(), 'A\nb\nC\n');
      await writeFile(path, 'changed by a command\n');
      assert.equal(await room.read({ path }), 'changed by a command\n');
    });
  });

  describe('refused', () => {
    it('when the document is dirty and the agent never read it', async () => {
      await writeFile(path, 'a\nb\n');
      const editor = await edit();
      await type(editor, 1, 1, ' typed');
      assert.equal(await codeOf(room.write({ path, content: 'x\n' })), 'fs.conflict');
      assert.equal(editor.document.getText(), 'a\nb typed\n');
    });

    it('outside the roots, also through a symlink', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'outside-'));
      try {
        await writeFile(join(outside, 'secret.txt'), 'secret');
        await symlink(outside, join(folder, 'link'));
        await symlink(join(outside, 'new.txt'), join(folder, 'dangling.txt'));
        for (const name of ['link/secret.txt', 'link/new.txt', 'dangling.txt', '../outside.txt']) {
          assert.equal(await codeOf(room.read({ path: `${folder}/${name}` })), 'fs.outside_roots', name);
          assert.equal(await codeOf(room.write({ path: `${folder}/${name}`, content: 'x' })), 'fs.outside_roots', name);
        }
        assert.equal(await readFile(join(outside, 'secret.txt'), 'utf8'), 'secret');
      } finally {
        await rm(outside, { recursive: true });
      }
    });

    it('when read-only, by setting or by permission', async () => {
      await writeFile(path, 'a\n');
      await configure('files.readonlyInclude', { '**/notes.txt': true });
      try {
        const editor = await edit();
        assert.equal(await codeOf(room.write({ path, content: 'b\n' })), 'fs.read_only');
        assert.equal(editor.document.getText(), 'a\n');
      } finally {
        await configure('files.readonlyInclude', undefined);
      }
      await chmod(path, 0o444);
      assert.equal(await codeOf(room.write({ path, content: 'b\n' })), 'fs.read_only');
      const closed = join(folder, 'closed.txt');
      await writeFile(closed, 'a\n', { mode: 0o444 });
      assert.equal(await codeOf(room.write({ path: closed, content: 'b\n' })), 'fs.read_only');
      assert.equal(await readFile(closed, 'utf8'), 'a\n');
      assert.equal(await stored(), 'a\n');
    });

    it('when it is a notebook with unsaved changes', async () => {
      path = join(folder, 'book.ipynb');
      const content = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
      await writeFile(path, content);
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
      await vscode.window.showNotebookDocument(notebook);
      const added = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'typed', 'python');
      added.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
      assert.ok(await vscode.workspace.applyEdit(added));
      await eventually('dirty', () => notebook.isDirty);
      assert.equal(await codeOf(room.write({ path, content: '{}' })), 'fs.notebook_dirty');
      assert.equal(await stored(), content);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('when there is nothing to read, or no text', async () => {
      assert.equal(await codeOf(room.read({ path })), 'fs.not_found');
      assert.equal(await codeOf(room.read({ path: folder })), 'fs.is_directory');
      await writeFile(path, Buffer.from([0x89, 0x50, 0, 0, 1, 2, 0xff, 0xfe, 0, 0]));
      assert.equal(await codeOf(room.read({ path })), 'fs.binary');
      await writeFile(path, Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
      assert.equal(await codeOf(room.read({ path })), 'fs.too_large');
    });
  });

  describe('not in an editor', () => {
    it('counts a document that is open but not shown', async () => {
      await writeFile(path, 'a\nb\n');
      const document = await vscode.workspace.openTextDocument(path);
      await room.read({ path });
      await room.write({ path, content: 'a\nB\n' });
      assert.equal(document.getText(), 'a\nB\n');
      assert.equal(document.isDirty, false);
      assert.deepEqual(vscode.window.visibleTextEditors, []);
    });

    it('finds a document by the file a symlink leads to', async () => {
      await writeFile(path, 'a\nb\n');
      const file = path;
      path = join(folder, 'link.txt');
      await symlink(file, path);
      const editor = await edit();
      await type(editor, 0, 1, ' typed');
      assert.equal(await room.read({ path: file }), 'a typed\nb\n');
      await room.write({ path: file, content: 'a typed\nB\n' });
      assert.equal(editor.document.getText(), 'a typed\nB\n');
      assert.equal(await readFile(file, 'utf8'), 'a typed\nB\n');
    });

    it('creates, merges and makes again, without opening an editor', async () => {
      path = join(folder, 'new/deep/notes.txt');
      await room.write({ path, content: 'a\nb\nc\n' });
      assert.equal(await stored(), 'a\nb\nc\n');
      await writeFile(path, 'A\nb\nc\n');
      await room.write({ path, content: 'a\nb\nC\n' });
      assert.equal(await stored(), 'A\nb\nC\n');
      await writeFile(path, 'A\nb\nother\n');
      assert.equal(await codeOf(room.write({ path, content: 'a\nb\nCC\n' })), 'fs.conflict');
      await rm(join(folder, 'new'), { recursive: true });
      await mkdir(folder, { recursive: true });
      await room.write({ path, content: 'again\n' });
      assert.equal(await stored(), 'again\n');
      assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === path));
      assert.deepEqual(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs), []);
    });

    it('keeps bytes of another encoding that VS Code cannot read', async () => {
      await writeFile(path, Buffer.from('caf\xe9\ntwo\n', 'latin1'));
      const text = await room.read({ path });
      await room.write({ path, content: text.replace('two', 'TWO') });
      assert.deepEqual(await readFile(path), Buffer.from('caf\xe9\nTWO\n', 'latin1'));
      assert.equal(await codeOf(room.write({ path, content: text.replace('two', 'zwölf') })), 'fs.write_failed');
    });
  });
});

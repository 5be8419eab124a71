import { strict as assert } from 'node:assert';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { failureOf } from '../../src/core/model/failure';
import { codeOf, configure, eventually, FilesFixture, type } from './filesFixture';

describe('files open in an editor', () => {
  const files = new FilesFixture();

  it('are not saved when their path leads elsewhere since the change', async () => {
    const [folder, moved, outside] = [join(files.folder, 'sub'), join(files.folder, 'moved'), `${files.folder}-outside`];
    await mkdir(folder);
    await mkdir(outside);
    for (const place of [folder, outside]) {
      await writeFile(join(place, 'a.txt'), 'one\n');
    }
    files.path = join(folder, 'a.txt');
    await files.edit();
    const swap = vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => {
      if (contentChanges.length === 0) {
        return;
      }
      swap.dispose();
      renameSync(folder, moved);
      symlinkSync(outside, folder);
    });
    try {
      await files.room.read({ path: files.path });
      assert.equal(await codeOf(files.room.write({ path: files.path, content: 'two\n' })), 'fs.save_failed');
      assert.equal(await readFile(join(outside, 'a.txt'), 'utf8'), 'one\n');
    } finally {
      swap.dispose();
      await rm(folder, { recursive: true });
      await rename(moved, folder);
      await rm(outside, { recursive: true });
    }
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
        await writeFile(files.path, await bytes('grün\ntwo\nthree\nfour\n'));
        editor = await files.edit({ encoding });
        assert.equal(editor.document.encoding, encoding);
      });

      it('reads unsaved text, keeps typing before the write, and undoes the edit alone in one step', async () => {
        await type(editor, 0, 0, 'unsaved ');
        assert.equal(await files.room.read({ path: files.path, line: 1, limit: 2 }), `unsaved grün${eol}two${eol}`);
        await type(editor, 3, 4, ' typed');
        await files.room.write({ path: files.path, content: 'unsaved grün\nTWÖ\nthree\nfour\nfive\n' });
        const both = 'unsaved grün\nTWÖ\nthree\nfour typed\nfive\n'.replaceAll('\n', eol);
        assert.equal(editor.document.getText(), both);
        assert.equal(editor.document.isDirty, false);
        assert.deepEqual(await readFile(files.path), await bytes('unsaved grün\nTWÖ\nthree\nfour typed\nfive\n'));
        await vscode.commands.executeCommand('undo');
        assert.equal(editor.document.getText(), 'unsaved grün\ntwo\nthree\nfour typed\n'.replaceAll('\n', eol));
        await vscode.commands.executeCommand('redo');
        assert.equal(editor.document.getText(), both);
      });

      it('refuses to overwrite typed lines, and leaves text, file and undo alone', async () => {
        await files.room.read({ path: files.path });
        await type(editor, 1, 3, ' typed');
        const before = editor.document.getText();
        const version = editor.document.version;
        await assert.rejects(files.room.write({ path: files.path, content: 'grün\nTWO\nthree\nfour\n' }), (error) => {
          assert.deepEqual(failureOf(error), { code: 'fs.conflict', params: { path: files.path, lines: '2' } });
          return true;
        });
        assert.equal(editor.document.getText(), before);
        assert.equal(editor.document.version, version);
        assert.deepEqual(await readFile(files.path), await bytes('grün\ntwo\nthree\nfour\n'));
      });

      it('keeps the encoding of the file when it is closed', async () => {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await configure('files.encoding', encoding === 'iso88591' ? encoding : undefined);
        try {
          await writeFile(files.path, await bytes('grün\ntwo\n'));
          const closed = join(files.folder, 'closed.txt');
          await rename(files.path, closed);
          assert.equal(await files.room.read({ path: closed }), `grün${eol}two${eol}`);
          await files.room.write({ path: closed, content: 'grün\nTWÖ\n' });
          assert.deepEqual(await readFile(closed), await bytes('grün\nTWÖ\n'));
          assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === closed));
        } finally {
          await configure('files.encoding', undefined);
        }
      });
    });
  }

  describe('typing during a write', () => {
    it('loses no keystroke and no edit, whichever comes first', async function () {
      this.timeout(60_000);
      await writeFile(files.path, Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join(''));
      const editor = await files.edit();
      let known = await files.room.read({ path: files.path });
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
        await files.room.write({ path: files.path, content: known });
        written.push(word);
        await keys;
      }
      const text = editor.document.getText();
      for (const word of [...typed, ...written]) {
        assert.ok(text.includes(word), `${word} is missing in ${text}`);
      }
    });

    it('applies two simultaneous writes one after the other', async () => {
      await writeFile(files.path, 'a\nb\nc\n');
      const editor = await files.edit();
      const other = files.newRoom();
      await Promise.all([files.room.read({ path: files.path }), other.read({ path: files.path })]);
      await Promise.all([
        files.room.write({ path: files.path, content: 'A\nb\nc\n' }),
        other.write({ path: files.path, content: 'a\nb\nC\n' }),
        files.room.write({ path: files.path, content: 'A\nB\nc\n' }),
      ]);
      assert.equal(editor.document.getText(), 'A\nB\nC\n');
      assert.equal(await files.stored(), 'A\nB\nC\n');
    });
  });

  describe('saving', () => {
    it('reads the text that save participants changed', async () => {
      await writeFile(files.path, 'a\nb\n');
      const participant = vscode.workspace.onWillSaveTextDocument((event) => {
        const text = event.document.getText();
        const all = new vscode.Range(new vscode.Position(0, 0), event.document.positionAt(text.length));
        event.waitUntil(Promise.resolve([vscode.TextEdit.replace(all, text.replace(/(\w)=(\w)/g, '$1 = $2'))]));
      });
      try {
        await files.edit();
        await files.room.read({ path: files.path });
        await files.room.write({ path: files.path, content: 'a\nx=1\n' });
        assert.equal(await files.stored(), 'a\nx = 1\n');
        await files.room.write({ path: files.path, content: 'a\nx=2\n' });
        assert.equal(await files.stored(), 'a\nx = 2\n');
      } finally {
        participant.dispose();
      }
    });

    it('keeps the edit undoable, and leaves a file that another program wrote: also with the same size', async () => {
      for (const other of ['two\nfour\nand more\n', 'TWO\nFOUR\n']) {
        await writeFile(files.path, 'one\nfour\n');
        const editor = await files.edit();
        await eventually('loaded', () => editor.document.getText() === 'one\nfour\n');
        await type(editor, 0, 3, ' typed');
        await files.room.read({ path: files.path });
        await writeFile(files.path, other);
        assert.equal(await codeOf(files.room.write({ path: files.path, content: 'one typed\nFIVE\n' })), 'fs.stale_on_disk');
        assert.equal(await files.stored(), other);
        assert.equal(editor.document.getText(), 'one typed\nFIVE\n');
        await vscode.commands.executeCommand('undo');
        assert.equal(editor.document.getText(), 'one typed\nfour\n');
        await vscode.commands.executeCommand('workbench.action.files.revert');
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      }
    });

    it('saves a document with unsaved text whose file is gone', async () => {
      await writeFile(files.path, 'a\nb\n');
      const editor = await files.edit();
      await type(editor, 0, 1, ' typed');
      await files.room.read({ path: files.path });
      await rm(files.path);
      await files.room.write({ path: files.path, content: 'a typed\nB\n' });
      assert.equal(await files.stored(), 'a typed\nB\n');
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'a typed\nb\n');
    });

    it('merges with a clean document whose file has just changed', async () => {
      await writeFile(files.path, 'a\nb\nc\n');
      const editor = await files.edit();
      await files.room.read({ path: files.path });
      await writeFile(files.path, 'A\nb\nc\n');
      await files.room.write({ path: files.path, content: 'a\nb\nC\n' });
      assert.equal(editor.document.getText(), 'A\nb\nC\n');
      assert.equal(await files.stored(), 'A\nb\nC\n');
      await writeFile(files.path, 'changed by a command\n');
      assert.equal(await files.room.read({ path: files.path }), 'changed by a command\n');
    });
  });
});

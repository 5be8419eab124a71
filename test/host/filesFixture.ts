import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { failureOf } from '../../src/core/model/failure';
import { FileService } from '../../src/fs/fileService';
import { realPathOf } from '../../src/util/realPath';
import { RootCheck } from '../../src/util/roots';
import { EditorBuffers } from '../../src/workbench/editor/editorBuffers';
import { CleanTexts } from '../../src/workbench/editor/cleanTexts';

/** A new folder in the workspace, the only root of `room`. After each test everything is closed and deleted. */
export class FilesFixture {
  folder = '';
  /** The file of most tests; it does not exist at first. */
  path = '';
  room!: FileService;
  private buffers!: EditorBuffers;
  private cleanTexts!: CleanTexts;

  /** Must be called inside a `describe`. */
  constructor() {
    before(() => this.quiet());
    beforeEach(() => this.start());
    afterEach(() => this.end());
  }

  /** The file service of another session. */
  newRoom(): FileService {
    return new FileService(this.buffers, new RootCheck({ cwd: this.folder, additionalDirectories: [] }));
  }

  stored(): Promise<string> {
    return readFile(this.path, 'utf8');
  }

  /** Opens `path` in an editor and focuses it. */
  async edit(options?: { encoding: string }): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(this.path), options);
    return vscode.window.showTextDocument(document, { preview: false });
  }

  private async quiet(): Promise<void> {
    await vscode.workspace.getConfiguration().update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
    await vscode.workspace.getConfiguration().update('editor.autoIndent', 'none', vscode.ConfigurationTarget.Global);
  }

  private async start(): Promise<void> {
    const top = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(top);
    this.folder = await realPathOf(await mkdtemp(join(top, 'files-')));
    this.path = join(this.folder, 'notes.txt');
    this.cleanTexts = new CleanTexts();
    this.buffers = new EditorBuffers(this.cleanTexts);
    this.room = this.newRoom();
  }

  private async end(): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) {
        continue;
      }
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    this.cleanTexts.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => failureOf(error).code,
  );
}

/** Types like a user: at the cursor of the focused editor. */
export async function type(editor: vscode.TextEditor, line: number, character: number, text: string): Promise<void> {
  const at = editor.document.validatePosition(new vscode.Position(line, character));
  editor.selection = new vscode.Selection(at, at);
  await vscode.commands.executeCommand('type', { text });
}

export async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 8000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (await check()) {
      return;
    }
  }
  assert.fail(what);
}

export async function configure(section: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(section, value, vscode.ConfigurationTarget.Workspace);
}

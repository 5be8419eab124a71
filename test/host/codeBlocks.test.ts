import { strict as assert } from 'node:assert';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CodeTheme } from '../../src/core/model/theme';
import type { ToView } from '../../src/core/protocol/view';
import { CodeBlocks } from '../../src/workbench/code/codeBlocks';
import { UserActivity } from '../../src/workbench/shared/userActivity';
import { eventually, FilesFixture } from './filesFixture';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe('a conversation’s code block', () => {
  const files = new FilesFixture();
  let activity: UserActivity;
  let code: CodeBlocks;
  let told: ToView[];

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    activity = new UserActivity();
    code = new CodeBlocks(activity, quiet);
    told = [];
    code.watch((message) => told.push(message));
    await writeFile(files.path, 'one\ntwo\nthree\n');
  });

  afterEach(() => {
    code.dispose();
    activity.dispose();
  });

  const roots = () => ({ cwd: files.folder, additionalDirectories: [] });
  const insert = (text: string) => code.insert(text);
  const apply = (text: string, info: string) => code.apply(roots(), text, info);
  const editorTold = () => told.findLast((message) => message.type === 'editor');
  const diff = () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };
  const proposed = async () => {
    await eventually('a difference is shown', () => diff() !== undefined);
    return (await vscode.workspace.openTextDocument(diff()!.modified)).getText();
  };

  it('replaces the selection of the active editor, also while a panel has the focus, in one undo step', async () => {
    const editor = await files.edit();
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const panel = vscode.window.createWebviewPanel('acpHost.test', 'Panel', vscode.ViewColumn.Beside, {});
    try {
      await eventually('the panel has the focus', () => panel.active && vscode.window.activeTextEditor === undefined);
      assert.deepEqual(editorTold(), { type: 'editor', fileName: 'notes.txt' });
      await insert('a\nb');
      assert.equal(editor.document.getText(), 'one\na\nb\nthree\n');
      await eventually('the editor has the focus', () => vscode.window.activeTextEditor?.document === editor.document);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
    } finally {
      panel.dispose();
    }
  });

  it('is shown whole in a confirmation when spaces hide a part of it', async () => {
    const asked: { message: string; detail: string | undefined }[] = [];
    const { showWarningMessage } = vscode.window;
    vscode.window.showWarningMessage = (async (message: string, { detail }: vscode.MessageOptions) =>
      void asked.push({ message, detail })) as never;
    const open = vscode.window.terminals.length;
    try {
      await code.run(roots(), `npm test${' '.repeat(500)}; echo end`);
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
    }
    assert.deepEqual(asked, [{ message: 'Run this command in the terminal?', detail: 'npm test ⟨␣×500⟩ ; echo end' }]);
    assert.equal(vscode.window.terminals.length, open, 'nothing runs without the answer');
  });

  it('cannot be inserted when no text editor is open, and the page knows', async () => {
    await files.edit();
    await eventually('the editor was told', () => editorTold()?.fileName === 'notes.txt');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventually('its end was told', () => editorTold()?.fileName === undefined);
    await insert('lost');
    assert.equal(await files.stored(), 'one\ntwo\nthree\n');
  });

  it('becomes the text of the named file after its diff is accepted: unsaved, in one undo step', async () => {
    await apply('one\nTWO\nthree', 'txt notes.txt');
    assert.equal(await proposed(), 'one\nTWO\nthree\n');
    assert.equal(diff()!.original.fsPath, files.path);
    assert.equal(await files.stored(), 'one\ntwo\nthree\n', 'nothing is written yet');
    await (await code.proposals()).apply();
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.fsPath, files.path);
    assert.deepEqual([editor.document.getText(), editor.document.isDirty, diff()], ['one\nTWO\nthree\n', true, undefined]);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  it('keeps the line breaks of the file, and omits a first line that only names it', async () => {
    await writeFile(files.path, 'one\r\ntwo');
    await apply('// notes.txt\none\nTWO', 'txt');
    assert.equal(await proposed(), 'one\r\nTWO');
  });

  it('creates a missing file', async () => {
    const path = join(files.folder, 'new/deep.txt');
    await apply('hello', 'txt new/deep.txt');
    assert.equal(await proposed(), 'hello\n');
    await assert.rejects(stat(path));
    await (await code.proposals()).apply();
    assert.equal(await readFile(path, 'utf8'), 'hello\n');
  });

  it('changes nothing when it is discarded', async () => {
    await apply('other', 'txt notes.txt');
    await proposed();
    await (await code.proposals()).discard();
    assert.equal(diff(), undefined);
    await (await code.proposals()).apply();
    assert.equal(await files.stored(), 'one\ntwo\nthree\n');
  });

  it('asks for the target when it names a path outside the session’s folders', async () => {
    const outside = join(files.folder, '..', 'outside.txt');
    await writeFile(outside, 'mine\n');
    await mkdir(join(files.folder, 'folder'));
    for (const path of ['../outside.txt', outside, 'folder']) {
      const done = apply('evil', `txt title="${path}"`);
      await eventually('a question is asked', () => activity.asking);
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await done;
      assert.equal(diff(), undefined, path);
    }
    assert.equal(await readFile(outside, 'utf8'), 'mine\n');
  });

  it('has the colours of the current theme, and of another one immediately', async () => {
    const theme = async (): Promise<CodeTheme | undefined> => {
      const found: ToView[] = [];
      code.postState((message) => found.push(message));
      await eventually('the theme was told', () => found.some(({ type }) => type === 'code_theme'));
      return found.find((message) => message.type === 'code_theme')!.theme;
    };
    const colourOf = (scope: string, colours: CodeTheme | undefined) =>
      colours?.rules.findLast((rule) => rule.scope.includes(scope))?.foreground?.toLowerCase();
    const workbench = vscode.workspace.getConfiguration('workbench');
    const editor = vscode.workspace.getConfiguration('editor');
    try {
      await workbench.update('colorTheme', 'Monokai', vscode.ConfigurationTarget.Global);
      await eventually('Monokai is read', async () => colourOf('comment', await theme()) === '#88846f');
      assert.ok(
        told.some(({ type }) => type === 'code_theme'),
        'open pages hear of it',
      );
      await workbench.update('colorTheme', 'Default Light Modern', vscode.ConfigurationTarget.Global);
      await eventually('Light Modern is read, with what it includes', async () => colourOf('comment', await theme()) === '#008000');
      await editor.update('tokenColorCustomizations', { comments: '#123456' }, vscode.ConfigurationTarget.Global);
      await eventually('the user’s own colour is read', async () => colourOf('comment', await theme()) === '#123456');
    } finally {
      await editor.update('tokenColorCustomizations', undefined, vscode.ConfigurationTarget.Global);
      await workbench.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

/** Undo in the window: files that lead elsewhere, unsaved text and cells, encodings, the user's saves, and many files at once. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';
import { numberedLines, until } from './reviewFixture';

/** The number of files in one large undo. The benchmark `changes` undoes 300. */
const MANY = 100;

describe('the undo of changes', function () {
  this.retries(0);
  this.timeout(60_000);
  const lines = (...changed: readonly string[]) => numberedLines(20, changed);
  let api: AcpHostApi;
  let agent: vscode.Disposable;
  let session: AcpSession;
  let folder = '';
  let outside = '';
  let turns = 0;
  /** The messages shown so far. */
  let shown: string[] = [];
  let restoreMessages: () => void;

  const at = (name: string): string => path.join(folder, name);
  const uri = (name: string): vscode.Uri => vscode.Uri.file(at(name));
  const stored = (name: string): string => readFileSync(at(name), 'utf8');
  const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(`acpHost.${command}`, ...args);
  const script = (...steps: unknown[]) => session.prompt(`@script ${JSON.stringify(steps)}`);
  /** Runs a shell command of the agent after the copies were taken, and waits until the last of its changes is in the review. */
  async function shell(command: string, seconds?: number): Promise<void> {
    // This file sorts last in the turn, and no earlier turn has it.
    const last = `zz-${++turns}.txt`;
    await script({ sleep: 2500 }, { shell: `${command}; echo more >> ${last}` });
    await changedLinesAre(last, '0', seconds);
  }
  const lenses = async (name: string): Promise<string> => {
    await vscode.workspace.openTextDocument(uri(name));
    const found = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri(name))) ?? [];
    return found
      .flatMap(({ range, command }) =>
        command?.command === 'acpHost.undoChange' ? [String(range.start.line)] : command?.command === '' ? [command.title] : [],
      )
      .join(' ');
  };
  const changedLinesAre = (name: string, wanted: string, seconds = 15) =>
    until(
      `changes of ${name}`,
      () => lenses(name),
      (now) => now === wanted,
      seconds,
    ).catch((error: unknown) => assert.fail([String(error), ...shown].join('\n')));
  /** The text that the agent receives with the next prompt in addition to the message. */
  async function report(): Promise<string> {
    let text = '';
    const listener = session.onDidReceiveEvent((event) => {
      text += event.type === 'messageChunk' && event.role === 'agent' ? event.text : '';
    });
    await script({ sayPrompt: true });
    listener.dispose();
    return text;
  }

  before(async () => {
    api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    const launch = { command: process.execPath, args: [process.env['ACP_HOST_SCRIPTED_AGENT']!], env: { ELECTRON_RUN_AS_NODE: '1' } };
    agent = api.registerAgentProvider({ id: 'test.undo', label: 'Undone', launch });
    folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'undone');
    outside = mkdtempSync(path.join(tmpdir(), 'undo-outside-'));
    mkdirSync(at('conf'), { recursive: true });
    mkdirSync(at('many'));
    for (const name of ['a', 'open', 'saved', 'typed', 'reverted', 'behind', 'link', 'gone', 'locked']) {
      writeFileSync(at(`${name}.txt`), lines());
    }
    writeFileSync(at('conf/keys'), 'keys of the repository\n');
    writeFileSync(at('latin.txt'), Buffer.from('caf\u00e9\nzwei\n', 'latin1'));
    writeFileSync(at('mixed.txt'), 'one\r\ntwo\nthree\rfour\n');
    writeFileSync(at('m.ipynb'), JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    for (let index = 0; index < MANY; index++) {
      writeFileSync(at(`many/${index}.txt`), `${index}\nsecond\n`);
    }
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '-q', '-b', 'main');
    git('-c', 'core.autocrlf=false', 'add', '-A');
    git('-c', 'user.email=user@example.com', '-c', 'user.name=User', 'commit', '-q', '-m', 'first');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await new Promise((resolve) => setTimeout(resolve, 100));
    session = (await api.newSession({ agentName: 'Undone', folder: vscode.Uri.file(folder) }))!;
    await until(
      'ready',
      () => session.status,
      (status) => status === 'ready',
    );
    // VS Code shows no modal dialog in tests, so this chooses the first button.
    const window = vscode.window as unknown as Record<string, unknown>;
    const { showWarningMessage } = window;
    window['showWarningMessage'] = async (message: string, options?: { detail?: string } | string, ...buttons: string[]) => {
      shown.push(typeof options === 'object' ? `${message}\n${options.detail ?? ''}` : message);
      return typeof options === 'object' ? buttons[0] : undefined;
    };
    restoreMessages = () => void (window['showWarningMessage'] = showWarningMessage);
  });

  afterEach(async () => {
    await run('keepAllChanges');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A file that was written just before a prompt counts as changed in the turn.
    await new Promise((resolve) => setTimeout(resolve, 100));
    shown = [];
  });

  after(async () => {
    restoreMessages();
    await session.end();
    agent.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
    rmSync(outside, { recursive: true, force: true });
  });

  it('never writes through a link that the agent planted, and reports nothing behind it', async () => {
    writeFileSync(path.join(outside, 'bashrc'), 'SECRET of the user\n');
    mkdirSync(path.join(outside, 'ssh'));
    writeFileSync(path.join(outside, 'ssh/keys'), 'SECRET key\n');
    await shell(`rm link.txt && ln -s ${outside}/bashrc link.txt && rm -r conf && ln -s ${outside}/ssh conf`);
    await run('undoAllChanges');
    assert.equal(readFileSync(path.join(outside, 'bashrc'), 'utf8'), 'SECRET of the user\n');
    assert.equal(readFileSync(path.join(outside, 'ssh/keys'), 'utf8'), 'SECRET key\n');
    assert.equal(stored('link.txt'), lines(), shown.join('\n'));
    assert.doesNotMatch(await report(), /SECRET/);
    rmSync(at('conf'), { recursive: true, force: true });
  });

  it('leaves a deleted notebook with unsaved cells', async () => {
    const notebook = await vscode.workspace.openNotebookDocument(uri('m.ipynb'));
    await vscode.window.showNotebookDocument(notebook);
    const added = new vscode.WorkspaceEdit();
    added.set(notebook.uri, [
      vscode.NotebookEdit.insertCells(0, [new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'typed', 'python')]),
    ]);
    await vscode.workspace.applyEdit(added);
    await until(
      'dirty',
      () => notebook.isDirty,
      (isDirty) => isDirty,
    );
    await shell('rm m.ipynb');
    await run('undoFileChanges', uri('m.ipynb'));
    assert.equal(notebook.cellAt(0).document.getText(), 'typed');
    assert.equal(notebook.isDirty, true);
    assert.match(shown.join('\n'), /m\.ipynb has unsaved changes/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('restores the bytes of files that the editor would write differently', async () => {
    await vscode.window.showTextDocument(uri('latin.txt'), { preview: false });
    await vscode.window.showTextDocument(uri('mixed.txt'), { preview: false });
    await shell(`sed -i 's/^zwei/2/' latin.txt && sed -i 's/^two/2/' mixed.txt`);
    await run('undoFileChanges', uri('latin.txt'));
    await run('undoFileChanges', uri('mixed.txt'));
    assert.deepEqual(shown, []);
    assert.deepEqual(readFileSync(at('latin.txt')), Buffer.from('caf\u00e9\nzwei\n', 'latin1'));
    assert.equal(stored('mixed.txt'), 'one\r\ntwo\nthree\rfour\n');
  });

  it('keeps a line that the user saved while the agent worked', async () => {
    const document = await vscode.workspace.openTextDocument(uri('saved.txt'));
    await vscode.window.showTextDocument(document, { preview: false });
    const done = script(
      { sleep: 700 },
      { tool: { toolCallId: 'edit', title: 'Edit', kind: 'edit', status: 'pending', locations: [{ path: at('saved.txt') }] } },
      { shell: `sed -i 's/^3 same/3 agent/' saved.txt` },
      { toolUpdate: { toolCallId: 'edit', status: 'completed' } },
      { sleep: 4000 },
    );
    await until(
      'reloaded',
      () => document.getText(),
      (text) => text === lines('3 agent'),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri('saved.txt'), new vscode.Position(10, 0), 'mine\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await done;
    await changedLinesAre('saved.txt', '3');
    await run('undoFileChanges', uri('saved.txt'));
    assert.equal(stored('saved.txt'), lines().replace('10 same', 'mine\n10 same'));
  });

  it('shows the agent’s change behind unsaved typing, and undoes it on disk', async () => {
    const document = await vscode.workspace.openTextDocument(uri('typed.txt'));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    await editor.edit((edit) => edit.insert(new vscode.Position(10, 0), 'typed\n'));
    await shell(`sed -i 's/^3 same/3 agent/' typed.txt`);
    await run('undoFileChanges', uri('typed.txt'));
    assert.equal(stored('typed.txt'), lines());
    assert.equal(document.getText(), lines().replace('10 same', 'typed\n10 same'));
    assert.equal(document.isDirty, true);
    const text = await report();
    assert.match(text, /-3 agent/);
    assert.doesNotMatch(text, /typed\n/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows a change again that was undone only in unsaved text, once that text is gone', async () => {
    const document = await vscode.workspace.openTextDocument(uri('reverted.txt'));
    const changed = lines('3 agent');
    const undo = async (): Promise<void> => {
      const editor = await vscode.window.showTextDocument(uri('reverted.txt'), { preview: false });
      await editor.edit((edit) => edit.insert(new vscode.Position(10, 0), 'typed\n'));
      await changedLinesAre('reverted.txt', '3');
      await run('undoFileChanges', uri('reverted.txt'));
      await changedLinesAre('reverted.txt', '');
      assert.deepEqual([editor.document.getText(), editor.document.isDirty], [lines().replace('10 same', 'typed\n10 same'), true]);
    };
    await vscode.window.showTextDocument(document, { preview: false });
    await shell(`sed -i 's/^3 same/3 agent/' reverted.txt`);
    await changedLinesAre('reverted.txt', '3');
    for (const command of ['workbench.action.files.revert', 'workbench.action.revertAndCloseActiveEditor']) {
      await undo();
      await vscode.commands.executeCommand(command);
      await changedLinesAre('reverted.txt', '3');
      assert.equal(stored('reverted.txt'), changed);
    }
    assert.doesNotMatch(await report(), /reverted\.txt/);
  });

  it('shows all that the agent wrote behind unsaved text, and undoes it on disk', async () => {
    const document = await vscode.workspace.openTextDocument(uri('behind.txt'));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    await shell(`sed -i 's/^1 same/1 agent/' behind.txt`);
    await changedLinesAre('behind.txt', '1');
    const type = (line: number): Thenable<boolean> => editor.edit((edit) => edit.insert(new vscode.Position(line, 0), 'typed\n'));
    const write = (from: string, to: string): readonly unknown[] => [
      { sleep: 1500 },
      { shell: `sed -i 's/^${from}/${to}/' behind.txt` },
      { tool: { toolCallId: to, title: 'Edit', kind: 'edit', status: 'completed', locations: [{ path: at('behind.txt') }] } },
    ];
    const done = script({ sleep: 1000 }, ...write('3 same', '3 agent'), { sleep: 2000 }, ...write('6 same', '6 agent'), { sleep: 500 });
    await until(
      'reloaded',
      () => document.getText(),
      (text) => text === lines('1 agent', '3 agent'),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    await type(10);
    await document.save();
    await type(15);
    await done;
    const unsaved = document.getText();
    await until(
      'written behind the text',
      () => lenses('behind.txt'),
      (now) => now.includes('behind your unsaved text'),
    );
    await run('undoFileChanges', uri('behind.txt'));
    assert.deepEqual([document.getText(), document.isDirty], [unsaved, true]);
    assert.equal(stored('behind.txt'), lines().replace('10 same', 'typed\n10 same'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await changedLinesAre('behind.txt', '');
  });

  it('leaves a document that cannot be saved unchanged, and names it', async () => {
    const document = await vscode.workspace.openTextDocument(uri('locked.txt'));
    await vscode.window.showTextDocument(document, { preview: false });
    await shell(`sed -i 's/^3 same/3 agent/' locked.txt; chmod a-w locked.txt`);
    await changedLinesAre('locked.txt', '3');
    shown = [];
    await run('undoFileChanges', uri('locked.txt'));
    assert.match(shown.join('\n'), /locked\.txt/);
    const changed = lines().replace('3 same', '3 agent');
    assert.deepEqual([stored('locked.txt'), document.getText(), document.isDirty], [changed, changed, false]);
    assert.doesNotMatch(await report(), /locked\.txt/);
  });

  it('undoes many files at once, edits the open ones, and names the ones that it left', async function () {
    this.timeout(120_000);
    const open = await vscode.workspace.openTextDocument(uri('open.txt'));
    await vscode.window.showTextDocument(open, { preview: false });
    await shell(
      `for f in many/*.txt; do sed -i 's/^second/2/' $f; done; sed -i 's/^5 same/5 agent/' open.txt gone.txt; rm a.txt; echo made > made.txt`,
      60,
    );
    await changedLinesAre('open.txt', '5');
    rmSync(at('gone.txt'));
    writeFileSync(at('a.txt'), 'written again by the user\n');
    await run('undoAllChanges');
    assert.equal(stored('many/0.txt'), '0\nsecond\n');
    assert.equal(stored(`many/${MANY - 1}.txt`), `${MANY - 1}\nsecond\n`);
    assert.equal(stored('open.txt'), lines());
    assert.equal(open.isDirty, false);
    assert.equal(existsSync(at('made.txt')), false);
    assert.equal(stored('a.txt'), 'written again by the user\n');
    assert.equal(existsSync(at('gone.txt')), false);
    const opened = vscode.workspace.textDocuments.map(({ uri: each }) => each.toString()).filter((each) => each.includes('/many/'));
    assert.deepEqual(opened, [], 'closed files are not opened');
    assert.match(
      shown.join('\n'),
      /Will be deleted: (made\.txt, zz-\d+\.txt|zz-\d+\.txt, made\.txt)[^]*Changed since: .*(a\.txt|gone\.txt)/,
    );
  });
});

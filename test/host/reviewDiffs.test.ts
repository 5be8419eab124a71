/** Keep and Undo in diffs, in multi-file reviews, and in hovers. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';
import { numberedLines, until } from './reviewFixture';

describe('a diff of changes to review', function () {
  this.timeout(120_000);
  const folder = () => path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'review-diffs');
  /** Each test has files of its own: a file that was written just before a turn has no certain earlier version. */
  let test = 0;
  const at = (name: string): string => path.join(folder(), `${test}-${name}`);
  const uri = (name: string): vscode.Uri => vscode.Uri.file(at(name));
  const lines = (...changed: readonly string[]) => numberedLines(30, changed);
  const stored = (name: string): string => readFileSync(at(name), 'utf8');
  const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(`acpHost.${command}`, ...args);
  const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
  const diffInFront = () => {
    const input = activeTab()?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };
  const pendingLines = async (name: string): Promise<string> => {
    await vscode.workspace.openTextDocument(uri(name));
    const found = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri(name))) ?? [];
    return found.flatMap(({ range, command }) => (command?.command === 'acpHost.keepChange' ? [range.start.line] : [])).join(' ');
  };
  const pendingLinesAre = (name: string, wanted: string) =>
    until(
      `changes of ${name}`,
      () => pendingLines(name),
      (now) => now === wanted,
      40,
    );
  let session: AcpSession;
  let agent: vscode.Disposable;

  before(async () => {
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    const launch = { command: process.execPath, args: [process.env['ACP_HOST_SCRIPTED_AGENT']!], env: { ELECTRON_RUN_AS_NODE: '1' } };
    agent = api.registerAgentProvider({ id: 'test.diffs', label: 'Diffs', launch });
    mkdirSync(folder());
    for (let count = 1; count <= 20; count++) {
      ['a.txt', 'b.txt'].forEach((name) => writeFileSync(path.join(folder(), `${count}-${name}`), lines()));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    session = (await api.newSession({ agentName: 'Diffs', folder: vscode.Uri.file(folder()) }))!;
    await until(
      'ready',
      () => session.status,
      (status) => status === 'ready',
    );
  });

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run('keepAllChanges');
    test++;
    const shell = [
      `sed -i -e 's/^3 same/3 agent/' -e '/^9 same/d' -e 's/^20 same/20 agent/' ${at('a.txt')}`,
      `sed -i 's/^5 same/5 agent/' ${at('b.txt')}`,
      `echo made > ${at('new.txt')}`,
    ].join(' && ');
    // The copies of the first turn take time on a busy machine.
    await session.prompt(`@script ${JSON.stringify([{ sleep: test === 1 ? 4000 : 500 }, { shell }])}`);
    await pendingLinesAre('a.txt', '3 9 19');
    await pendingLinesAre('new.txt', '0');
  });

  after(async () => {
    await run('keepAllChanges');
    await session.end();
    agent.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder(), { recursive: true, force: true });
  });

  it('keeps and undoes the change under the cursor, on both sides', async () => {
    await run('openFileChanges', uri('a.txt'));
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.fsPath, at('a.txt'));
    editor.selection = new vscode.Selection(3, 0, 3, 0);
    await run('keepChange');
    await pendingLinesAre('a.txt', '9 19');
    // The line number of the removed line, on the left side.
    await run('undoChange', { uri: diffInFront()!.original, lineNumber: 10 });
    await until(
      'the removed line',
      () => stored('a.txt'),
      (text) => text.includes('9 same'),
    );
    assert.equal(stored('a.txt'), lines('3 agent', '20 agent'));
    await pendingLinesAre('a.txt', '20');
  });

  it('keeps the file from its title, and has no diff then', async () => {
    await run('openFileChanges', uri('a.txt'));
    const { original } = diffInFront()!;
    await run('keepFileChanges', uri('a.txt'), { groupId: 0 });
    await pendingLinesAre('a.txt', '');
    const left = await vscode.workspace.openTextDocument(original);
    await until(
      'the left side',
      () => left.getText(),
      (text) => text === stored('a.txt'),
    );
  });

  it('remains a diff while the next and the previous change are shown', async () => {
    await run('openFileChanges', uri('a.txt'));
    const line = () => vscode.window.activeTextEditor?.selection.active.line;
    vscode.window.activeTextEditor!.selection = new vscode.Selection(0, 0, 0, 0);
    for (const wanted of [3, 9, 19]) {
      await run('nextChange');
      assert.equal(line(), wanted);
      assert.equal(diffInFront()?.modified.fsPath, at('a.txt'));
    }
    await run('nextChange');
    await until(
      'the diff of the next file',
      () => diffInFront()?.modified.fsPath,
      (file) => file === at('b.txt'),
    );
    await until('the line of the next file', line, (now) => now === 5);
    await run('previousChange');
    await until(
      'the diff of the file before',
      () => diffInFront()?.modified.fsPath,
      (file) => file === at('a.txt'),
    );
    await until('the last change', line, (now) => now === 19);
  });

  it('opens a created file as it is, because a diff would begin with an empty removed line', async () => {
    await run('openFileChanges', uri('new.txt'));
    assert.ok(activeTab()?.input instanceof vscode.TabInputText);
    await run('undoFileChanges', uri('new.txt'), { groupId: 0 });
    await until(
      'the file to go',
      () => existsSync(at('new.txt')),
      (exists) => !exists,
    );
  });

  it('keeps all files of a multi-file review from its title', async () => {
    await run('reviewAllChanges');
    await until(
      'the review',
      () => activeTab()?.label ?? '',
      (label) => label.startsWith('Changes to Review'),
    );
    await run('keepAllChanges', vscode.Uri.parse('multi-diff-editor:1'), { groupId: 0 });
    await pendingLinesAre('a.txt', '');
    await pendingLinesAre('b.txt', '');
  });

  it('takes a file out of a multi-file review when all its changes are undone there, and closes an empty review', async () => {
    const reviews = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ label }) => label))
        .filter((label) => label.startsWith('Changes to Review'));
    await run('reviewAllChanges');
    await until('the review', reviews, ([label]) => label?.includes('3') === true);
    await run('undoFileChanges', uri('b.txt'));
    await until('one review without the file', reviews, ([label, ...others]) => others.length === 0 && label?.includes('2') === true);
    await run('keepAllChanges', vscode.Uri.parse('multi-diff-editor:1'), { groupId: 0 });
    await until('no review', reviews, (labels) => labels.length === 0);
  });

  it('adds a further file to an open multi-file review when the user goes to it, and takes no focus before', async () => {
    const review = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ label }) => label))
        .filter((label) => label.startsWith('Changes to Review'))
        .join();
    await run('reviewAllChanges');
    await until('the review', review, (label) => label.includes('3'));
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await vscode.window.showTextDocument(uri('b.txt'), { viewColumn: vscode.ViewColumn.Beside });
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    await session.prompt(`@script ${JSON.stringify([{ sleep: 500 }, { shell: `echo more > ${at('more.txt')}` }])}`);
    await pendingLinesAre('more.txt', '0');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.equal(vscode.window.tabGroups.activeTabGroup.viewColumn, viewColumn);
    assert.match(review(), /3/);
    await vscode.commands.executeCommand('workbench.action.focusPreviousGroup');
    await until('the further file', review, (label) => label.includes('4'));
    assert.match(activeTab()?.label ?? '', /^Changes to Review/);
  });

  it('shows the changes of a running turn without Keep and Undo, which come with its end', async () => {
    await run('keepAllChanges');
    await vscode.window.showTextDocument(uri('b.txt'));
    const titles = async (): Promise<string> => {
      const found = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri('b.txt'))) ?? [];
      return found.map(({ range, command }) => `${range.start.line} ${command?.title}`).join();
    };
    const hover = async (): Promise<string> => {
      const at = new vscode.Position(12, 1);
      const hovers = (await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri('b.txt'), at)) ?? [];
      return hovers.flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value))).join();
    };
    const shell = `sed -i 's/^12 same/12 agent/' ${at('b.txt')}`;
    const turn = session.prompt(`@script ${JSON.stringify([{ sleep: 1000 }, { shell }, { waitFile: at('go') }])}`);
    await until('the running turn', titles, (now) => now === '12 Turn is running', 30);
    assert.match(await hover(), /\n12 same\n/);
    writeFileSync(at('go'), '');
    await turn;
    await until('Keep and Undo', titles, (now) => now === '12 Keep,12 Undo', 40);
  });

  for (const route of ['disk', 'client'] as const) {
    it(`shows them in a file that is opened after the agent has written it by the ${route}`, async () => {
      await run('keepAllChanges');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const titles = async (): Promise<string> => {
        const found = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri('b.txt'))) ?? [];
        return found.map(({ range, command }) => `${range.start.line} ${command?.title}`).join();
      };
      const before = stored('b.txt');
      const after = before.replace('12 same', '12 agent');
      const call = { toolCallId: `edit-${route}`, title: 'Edit', kind: 'edit', locations: [{ path: at('b.txt') }] };
      const write =
        route === 'disk' ? { shell: `sed -i 's/^12 same/12 agent/' ${at('b.txt')}` } : { write: { path: at('b.txt'), content: after } };
      const content = [{ type: 'diff', path: at('b.txt'), oldText: before, newText: after }];
      const done = { toolUpdate: { toolCallId: call.toolCallId, status: 'completed', content } };
      const steps = [{ sleep: 1000 }, { tool: { ...call, status: 'in_progress' } }, { sleep: 200 }, write, done, { waitFile: at('go') }];
      const turn = session.prompt(`@script ${JSON.stringify(steps)}`);
      await until(
        'the write',
        () => stored('b.txt'),
        (now) => now === after,
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      await vscode.window.showTextDocument(uri('b.txt'));
      await until('the running turn', titles, (now) => now === '12 Turn is running', 15).finally(() => writeFileSync(at('go'), ''));
      await turn;
      await until('Keep and Undo', titles, (now) => now === '12 Keep,12 Undo', 40);
      await run('undoAllChanges', uri('b.txt'));
    });
  }

  it('keeps nothing from the title of another tab', async () => {
    await vscode.window.showTextDocument(uri('b.txt'));
    await run('keepAllChanges', uri('b.txt'), { groupId: 0 });
    await pendingLinesAre('a.txt', '3 9 19');
  });

  it('has the removed lines in a hover of the file, with the session', async () => {
    await vscode.window.showTextDocument(uri('a.txt'));
    // The code block is unchanged from the file; the title is escaped Markdown.
    const hoversAt = async (line: number): Promise<string> => {
      const position = new vscode.Position(line, 1);
      const hovers = (await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri('a.txt'), position)) ?? [];
      return hovers.flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value))).join('\n');
    };
    assert.match(await hoversAt(9), /^Removed&nbsp;by[^]*\n9 same\n/);
    assert.match(await hoversAt(3), /\n3 same\n/);
    assert.equal(await hoversAt(15), '');
    assert.doesNotMatch(await hoversAt(3), /command:/);
  });

  it('has Keep and Undo in the hover of a diff, on both sides, and in a review of several files', async () => {
    const linkAt = async (at: vscode.Uri, line: number, command: string): Promise<unknown[] | undefined> => {
      const hovers =
        (await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', at, new vscode.Position(line, 1))) ?? [];
      const texts = hovers.flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)));
      const args = new RegExp(`command:acpHost\\.${command}\\?([^)]*)\\)`).exec(texts.join('\n'))?.[1];
      return args === undefined ? undefined : (JSON.parse(decodeURIComponent(args)) as unknown[]);
    };
    await run('openFileChanges', uri('a.txt'));
    const { original } = diffInFront()!;
    await run('keepChange', ...(await linkAt(uri('a.txt'), 3, 'keepChange'))!);
    await pendingLinesAre('a.txt', '9 19');
    await run('undoChange', ...(await linkAt(original, 9, 'undoChange'))!);
    await pendingLinesAre('a.txt', '20');
    assert.equal(await linkAt(uri('a.txt'), 15, 'keepChange'), undefined);
    await run('reviewAllChanges');
    await until(
      'the review',
      () => activeTab()?.label ?? '',
      (label) => label.startsWith('Changes to Review'),
    );
    await run('undoChange', ...(await linkAt(uri('b.txt'), 5, 'undoChange'))!);
    await pendingLinesAre('b.txt', '');
  });
});

/** The review in the window: edits by every route, writes that wait for the user, changes that are kept automatically. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ANSWER_DELAY_MS } from '../../src/core/approval/answerDelay';
import type { AcpHostApi, AcpSession } from '../../src/api';
import { numberedLines, until } from './reviewFixture';

describe('the review of an agent’s changes', () => {
  const top = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const lines = (...changed: readonly string[]) => numberedLines(30, changed);
  let api: AcpHostApi;
  let agent: vscode.Disposable;
  let folder = '';
  let session: AcpSession;

  const at = (name: string): string => path.join(folder, name);
  const uri = (name: string): vscode.Uri => vscode.Uri.file(at(name));
  const stored = (name: string): string => readFileSync(at(name), 'utf8');
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const script = (...steps: unknown[]) => session.prompt(`@script ${JSON.stringify(steps)}`);
  const set = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('acpHost').update(name, value, vscode.ConfigurationTarget.Global);

  const lenses = async (name: string): Promise<string> => {
    await vscode.workspace.openTextDocument(uri(name));
    const found = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri(name))) ?? [];
    return found.flatMap(({ range, command }) => (command?.command === 'acpHost.keepChange' ? [range.start.line] : [])).join(' ');
  };
  const changedLinesAre = (name: string, wanted: string) =>
    until(
      `changes of ${name}`,
      () => lenses(name),
      (now) => now === wanted,
    );
  const diffInFront = () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };
  /** The review's earlier text of a file, or that it has none. */
  async function earlier(name: string): Promise<string> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('acpHost.openFileChanges', uri(name));
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const original = diffInFront()?.original;
    return original ? (await vscode.workspace.openTextDocument(original)).getText() : activeTab ? 'whole' : 'nothing';
  }

  async function begin(name: string, isRepository: boolean): Promise<void> {
    folder = path.join(top(), name);
    mkdirSync(folder);
    if (isRepository) {
      git('init', '-q', '-b', 'main');
      git('config', 'user.email', 'user@example.com');
      git('config', 'user.name', 'User');
    }
    for (const each of ['written', 'announced', 'shell', 'old', 'deleted', 'early']) {
      writeFileSync(at(`${each}.txt`), lines());
    }
    writeFileSync(at('large.txt'), 'a line of it\n'.repeat((10 * 1024 * 1024) / 13));
    if (isRepository) {
      git('add', '-A');
      git('commit', '-q', '-m', 'first');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    session = (await api.newSession({ agentName: 'Every Route', folder: vscode.Uri.file(folder) }))!;
    await until(
      'ready',
      () => session.status,
      (status) => status === 'ready',
    );
  }

  async function end(): Promise<void> {
    await vscode.commands.executeCommand('acpHost.keepAllChanges');
    await session.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  }

  before(async () => {
    api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    const launch = { command: process.execPath, args: [process.env['ACP_HOST_SCRIPTED_AGENT']!], env: { ELECTRON_RUN_AS_NODE: '1' } };
    agent = api.registerAgentProvider({ id: 'test.routes', label: 'Every Route', launch });
  });

  after(() => agent.dispose());

  for (const isRepository of [true, false]) {
    describe(isRepository ? 'in a repository' : 'in a plain folder', () => {
      before(() => begin(isRepository ? 'routes-git' : 'routes-plain', isRepository));
      after(() => end());

      it('has the right earlier text of changes by every route, or reports that it has none', async () => {
        const location = (name: string) => ({ locations: [{ path: at(name) }] });
        await script(
          // Runs before any copy can be taken.
          { shell: `printf 'at once\\n' >> early.txt` },
          { sleep: 1500 },
          { write: { path: at('written.txt'), content: lines('3 by fs') } },
          { tool: { toolCallId: 'edit', title: 'Edit', kind: 'edit', status: 'pending', ...location('announced.txt') } },
          { sleep: 50 },
          { shell: `sed -i 's/^5 same/5 announced/' announced.txt` },
          { toolUpdate: { toolCallId: 'edit', status: 'completed' } },
          { shell: `sed -i 's/^7 same/7 by sed/' shell.txt` },
          { shell: isRepository ? 'git mv old.txt new.txt' : 'mv old.txt new.txt' },
          {
            shell: `sed -i 's/^9 same/9 moved/' new.txt && rm deleted.txt && printf '\\0\\1' > made.bin && echo one more >> large.txt && echo made > made.txt`,
          },
        );
        await changedLinesAre('written.txt', '3');
        await changedLinesAre('announced.txt', '5');
        await changedLinesAre('shell.txt', '7');
        await changedLinesAre('made.txt', '0');
        if (isRepository) {
          await changedLinesAre('new.txt', '9');
          assert.equal(await earlier('new.txt'), lines());
        }
        for (const name of ['written.txt', 'announced.txt', 'shell.txt', 'deleted.txt']) {
          assert.equal(await earlier(name), lines(), name);
        }
        // A created file opens without a diff.
        assert.equal(await earlier('made.txt'), 'whole');
        assert.equal(await earlier('made.bin'), 'whole');
        // Either the agent or the copy came first.
        assert.ok([lines(), 'whole'].includes(await earlier('early.txt')), await earlier('early.txt'));
        await vscode.commands.executeCommand('acpHost.undoFileChanges', uri('deleted.txt'));
        assert.equal(stored('deleted.txt'), lines());
        await vscode.commands.executeCommand('acpHost.undoFileChanges', uri('made.bin'));
        assert.equal(existsSync(at('made.bin')), false);
      });

      it('takes only the changes of the last message', async () => {
        await script({ sleep: 300 }, { shell: `sed -i 's/^20 same/20 later/' shell.txt` });
        await changedLinesAre('shell.txt', '7 20');
        await vscode.window.showTextDocument(uri('shell.txt'));
        await vscode.commands.executeCommand('acpHost.keepTurnChanges');
        await changedLinesAre('shell.txt', '7');
      });

      if (isRepository) {
        it('keeps the content of a commit, and leaves the rest pending', async () => {
          git('add', 'announced.txt');
          git('commit', '-q', '-m', 'second');
          await vscode.commands.executeCommand('git.refresh');
          await changedLinesAre('announced.txt', '');
          await changedLinesAre('written.txt', '3');
        });

        it('keeps everything in the repository with a commit, if that is set', async () => {
          await set('changes.autoKeep', 'onCommit');
          try {
            git('commit', '-q', '--allow-empty', '-m', 'third');
            await vscode.commands.executeCommand('git.refresh');
            await changedLinesAre('written.txt', '');
          } finally {
            await set('changes.autoKeep', undefined);
          }
        });
      } else {
        it('keeps pending changes with the next prompt, if that is set', async () => {
          await set('changes.autoKeep', 'onNextPrompt');
          try {
            await script({ sleep: 300 }, { shell: `sed -i 's/^12 same/12 next/' shell.txt` });
            await changedLinesAre('shell.txt', '12');
            await changedLinesAre('written.txt', '');
          } finally {
            await set('changes.autoKeep', undefined);
          }
        });
      }
    });
  }

  describe('beside lines that the user saves', () => {
    before(() => begin('own-lines', false));
    after(() => end());

    it('has only the agent’s lines when it writes the disk itself, and then the merged text', async () => {
      const [saved, read] = ['saved', 'read'].map((name) => path.join(tmpdir(), `own-lines-${process.pid}-${name}`));
      const waitFor = (file: string) => ({ shell: `while [ ! -e '${file}' ]; do sleep 0.005; done` });
      await script({ sleep: 1500 }, { shell: `sed -i 's/^3 same/3 agent/' shell.txt` });
      await changedLinesAre('shell.txt', '3');
      const document = await vscode.workspace.openTextDocument(uri('shell.txt'));
      await vscode.window.showTextDocument(document);
      const mine = lines('3 agent', '20 mine');
      const turn = script(waitFor(saved!), { shell: `sed -i 's/^10 same/10 agent/; s/^20 mine/20 same/' shell.txt` }, waitFor(read!), {
        write: { path: at('shell.txt'), content: mine.replace('10 same', '10 agent') },
      });
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, document.lineAt(20).range, '20 mine');
      assert.ok((await vscode.workspace.applyEdit(edit)) && (await document.save()));
      // The agent writes within the time in which VS Code may still report that a changed document became dirty.
      const reload = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && event.contentChanges.length > 0 && document.getText() === lines('3 agent', '10 agent')) {
          reload.dispose();
          writeFileSync(read!, '');
        }
      });
      writeFileSync(saved!, '');
      await turn;
      [saved, read].forEach((file) => rmSync(file!, { force: true }));
      assert.equal(stored('shell.txt'), mine.replace('10 same', '10 agent'));
      await changedLinesAre('shell.txt', '3 10');
    });
  });

  describe('before a change is written', () => {
    before(async () => {
      await begin('held', false);
      await set('changes.review', 'before');
    });
    after(async () => {
      await set('changes.review', undefined);
      await end();
    });

    const proposals = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .flatMap(({ input }) =>
          input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'acp-host-proposal' ? [input.modified] : [],
        );
    const proposal = (name: string): Promise<vscode.Uri> =>
      until(
        'a proposal',
        () => proposals(),
        (now) => now.length === 1 && now[0]!.path.endsWith(name),
      ).then(([found]) => found!);
    const answers: string[] = [];

    it('is shown in one diff that leaves the focus, and its edited text is written', async () => {
      const listening = session.onDidReceiveEvent((event) => {
        if (event.type === 'messageChunk' && event.role === 'agent') {
          answers.push(event.text);
        }
      });
      /** Answers the active preview, once answers count. */
      const decide = async (answer: 'accept' | 'reject'): Promise<void> => {
        await vscode.commands.executeCommand('acpHost.showProposedChange');
        await new Promise((resolve) => setTimeout(resolve, ANSWER_DELAY_MS + 100));
        await vscode.commands.executeCommand(`acpHost.${answer}ProposedChange`);
      };
      const editor = await vscode.window.showTextDocument(uri('shell.txt'), { preview: false });
      const done = script(
        { write: { path: at('written.txt'), content: lines('3 proposed', '20 proposed') } },
        { write: { path: at('announced.txt'), content: lines('5 proposed') } },
        { write: { path: at('old.txt'), content: lines('7 proposed') } },
      );
      const modified = await proposal('written.txt');
      assert.equal(vscode.window.activeTextEditor?.document, editor.document);
      assert.equal(stored('written.txt'), lines());
      const document = await vscode.workspace.openTextDocument(modified);
      assert.equal(document.getText(), lines('3 proposed', '20 proposed'));
      const edit = new vscode.WorkspaceEdit();
      edit.replace(modified, document.lineAt(20).range, '20 as I want it');
      await vscode.workspace.applyEdit(edit);
      await decide('accept');
      await until(
        'written',
        () => stored('written.txt'),
        (text) => text === lines('3 proposed', '20 as I want it'),
      );

      await proposal('announced.txt');
      await decide('reject');
      await proposal('old.txt');
      assert.equal(stored('announced.txt'), lines());

      const [tab] = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'acp-host-proposal');
      await vscode.window.tabGroups.close(tab!);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(session.needsYou, true, 'closing it decides nothing');
      assert.equal(stored('old.txt'), lines());
      await vscode.commands.executeCommand('acpHost.showProposedChange');
      await proposal('old.txt');
      await decide('accept');
      await done;
      assert.equal(stored('old.txt'), lines('7 proposed'));
      assert.deepEqual(proposals(), []);
      listening.dispose();
      assert.match(answers.join('\n'), /write: written[^]*The user rejected this change[^]*write: written/);
    }).retries(0);

    it('is not pending again in the review after it was accepted', async () => {
      await changedLinesAre('old.txt', '');
      await changedLinesAre('written.txt', '');
    });
  });
});

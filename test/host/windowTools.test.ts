import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { FileEdit } from '../../src/fs/fileService';
import type { EditorTool, ToolAnswer, ToolContext } from '../../src/mcp/editor/tool';
import { checkInput } from '../../src/mcp/editor/toolCall';
import type { Session } from '../../src/session/session';
import { WindowTools } from '../../src/workbench/mcp/editor/windowTools';
import { eventually, FilesFixture, type as typeText } from './filesFixture';

/** npm's server build of the oldest version has neither ripgrep nor terminals. */
const isComplete = existsSync(join(vscode.env.appRoot, 'node_modules', 'node-pty', 'prebuilds'));
const whenComplete = isComplete ? describe : describe.skip;

describe('the window tools', () => {
  const files = new FilesFixture();
  let asked: unknown[];
  let answers: { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
  let tools: WindowTools;
  /** The edits that the session was asked about. */
  let edits: FileEdit[];
  let written: readonly FileEdit[] | void;
  let refusal: Error | undefined;

  before(() => {
    const elicitations = { ask: (params: unknown) => (asked.push(params), Promise.resolve(answers)) };
    const editFiles: Session['editFiles'] = async (wanted, apply) => {
      edits.push(...wanted);
      if (refusal) {
        throw refusal;
      }
      written = await apply(wanted.map((edit) => ({ ...edit, real: edit.path })));
    };
    const session = { consents: { mayRead: () => Promise.resolve(false) }, elicitations, editFiles } as unknown as Session;
    const front = {
      get frontEditor() {
        return vscode.window.activeTextEditor;
      },
    };
    tools = new WindowTools({ session: () => session, front });
  });
  beforeEach(async () => {
    [asked, edits, refusal] = [[], [], undefined];
    answers = { action: 'cancel' };
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writeFile(files.path, 'one\ntwo\nthree\n');
  });
  after(() => tools.dispose());

  const call = async (name: string, input: Record<string, unknown> = {}, signal = new AbortController().signal): Promise<ToolAnswer> => {
    const tool: EditorTool | undefined = tools.all.find((each) => each.name === name);
    assert.ok(tool, `no tool ${name}`);
    const checked = checkInput(tool, input);
    assert.ok('value' in checked, 'mistake' in checked ? checked.mistake : '');
    const roots = { cwd: files.folder, additionalDirectories: [] };
    const context: ToolContext = {
      session: { key: 's', agentId: 'a', agentName: 'A', roots },
      signal,
      progress: () => undefined,
      timedOut: false,
    };
    return tool.run(checked.value, context);
  };
  const text = async (name: string, input: Record<string, unknown> = {}): Promise<string> => (await call(name, input)).text;

  whenComplete('for search', () => {
    beforeEach(async () => {
      await mkdir(join(files.folder, 'src/deep'), { recursive: true });
      await mkdir(join(files.folder, 'node_modules'), { recursive: true });
      await writeFile(join(files.folder, '.gitignore'), '*.log\n');
      await writeFile(join(files.folder, '.env'), 'needle=secret\n');
      await writeFile(join(files.folder, 'a.log'), 'needle\n');
      await writeFile(join(files.folder, 'node_modules/x.js'), 'needle\n');
      await writeFile(join(files.folder, 'src/a.ts'), 'const  b = 1;\n  const ä = "needle";\n');
      await writeFile(join(files.folder, 'src/deep/b.js'), 'Needle(1)\nneedle(2)\n');
    });

    it('find text without ignored, excluded and protected files', async () => {
      const answer = await text('search_text', { query: 'needle' });
      assert.equal(
        answer,
        '3 matching lines.\nsrc/a.ts:2:14: const ä = "needle";\nsrc/deep/b.js:1:1: Needle(1)\nsrc/deep/b.js:2:1: needle(2)',
      );
      assert.match(
        await text('search_text', { query: 'needle', matchCase: true, include: '*.js' }),
        /^1 matching line\.\nsrc\/deep\/b\.js:2:1/,
      );
      assert.match(await text('search_text', { query: 'needle\\(\\d', isRegex: true, folder: 'src/deep' }), /^2 matching lines/);
      assert.match(await text('search_text', { query: 'needle', exclude: 'src/deep' }), /^1 matching line/);
    });

    it('see text that is not saved', async () => {
      const editor = await files.edit();
      await typeText(editor, 1, 0, 'needle in hay ');
      assert.match(
        await text('search_text', { query: 'needle in hay' }),
        /^1 matching line\.\nnotes\.txt:2:1: needle in hay two \[not saved\]$/,
      );
      await typeText(editor, 0, 0, 'x');
      assert.match(await text('search_text', { query: 'one', include: 'notes.txt' }), /notes\.txt:1:2: xone \[not saved\]/);
    });

    it('answer invalid patterns with the engine’s reason, and catastrophic ones in time', async () => {
      const wrong = await call('search_text', { query: 'a(', isRegex: true });
      assert.ok(wrong.isError && /unclosed group/.test(wrong.text), wrong.text);
      const start = Date.now();
      await writeFile(join(files.folder, 'long.txt'), `${'a'.repeat(50_000)}!\n`);
      await call('search_text', { query: '^(a+)+$', isRegex: true });
      await call('search_text', { query: '^(?=a)(a+)+\\1$', isRegex: true });
      assert.ok(Date.now() - start < 10_000);
    });

    it('find files', async () => {
      assert.equal(await text('find_files', { pattern: '**/*.{js,ts}' }), '2 files:\nsrc/a.ts\nsrc/deep/b.js');
      assert.equal(await text('find_files', { pattern: 'B.JS' }), '1 file:\nsrc/deep/b.js');
      assert.equal(await text('find_files', { pattern: 'nothing' }), 'No such files.');
    });
  });

  describe('for editors', () => {
    it('read tabs, cursor, selection and unsaved changes', async () => {
      const editor = await files.edit();
      editor.selection = new vscode.Selection(1, 0, 2, 2);
      await eventually('the tab is there', async () =>
        /^1 open editor\.\nnotes\.txt \(text, group 1, in front\)$/.test(await text('open_editors')),
      );
      assert.match(await text('active_editor'), /notes\.txt \(plaintext\), 4 lines\.\nThe cursor is at notes\.txt:3:3\./);
      assert.equal(await text('selection'), 'notes.txt:2–3:\ntwo\nth');
      await typeText(editor, 0, 3, '!');
      assert.equal(await text('unsaved_changes'), '1 file with unsaved changes.\nnotes.txt\n@@ -1,3 +1,3 @@\n-one\n+one!\n two\n three');
    });
  });

  whenComplete('for tasks', () => {
    it('run a task and answer its output and exit code', async () => {
      const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
      await mkdir(join(folder, '.vscode'), { recursive: true });
      const script = 'console.log("out" + "put " + 6 * 7); process.exit(3)';
      const task = { label: 'sum', type: 'process', command: process.execPath, args: ['-e', script], problemMatcher: [] };
      const watch = {
        label: 'watch',
        type: 'process',
        command: process.execPath,
        args: ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'],
        isBackground: true,
        problemMatcher: [],
      };
      await writeFile(join(folder, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [task, watch] }));
      await eventually('the task is known', async () => /^sum \(Workspace\)/m.test(await text('list_tasks')));
      const answer = await text('run_task', { name: 'sum' });
      assert.match(answer, /^sum has ended with exit code 3\./);
      assert.match(answer, /output 42/);
      const running = await call('run_task', { name: 'watch' });
      const { id } = running.data as { id: string };
      assert.match(running.text, /is still running as task-2/);
      assert.match(await text('task_output', { task: id }), /ready/);
      assert.match(await text('stop_task', { task: id }), /^watch has ended/);
      const none = await call('run_task', { name: 'nothing' });
      assert.ok(none.isError && /There are: sum, watch/.test(none.text), none.text);
    }).timeout(60_000);
  });

  whenComplete('for terminals', () => {
    it('read the last command of a terminal', async () => {
      const terminal = vscode.window.createTerminal('acp-test');
      try {
        terminal.show(true);
        await eventually('shell integration is active', () => terminal.shellIntegration !== undefined);
        // The output of a command in a shell that is just starting may be lost.
        await eventually('the command has ended', async () => {
          terminal.shellIntegration!.executeCommand('echo "to""gether"; false');
          await setTimeout(500);
          return /\ntogether\n\[exit code 1\]/.test(await text('terminal_output', { terminal: 'acp-test' }));
        });
        const answer = await text('terminal_output', { terminal: 'acp-test' });
        assert.match(answer, /^Terminal \d+: acp-test\n\$ echo "to""gether"; false\ntogether\n\[exit code 1\]\nTerminals:\n/);
        const unknown = await call('terminal_output', { terminal: 'other' });
        assert.ok(unknown.isError && /There is no terminal other\. Give a number of: 1: /.test(unknown.text), unknown.text);
      } finally {
        terminal.dispose();
      }
    }).timeout(40_000);
  });

  describe('for debugging', () => {
    it('hit a breakpoint, read a value, step and end', async () => {
      const program = ['function add(a, b) {', '  const sum = a + b;', '  return sum;', '}', 'console.log("sum", add(2, 40));', ''].join(
        '\n',
      );
      await writeFile(join(files.folder, 'sum.js'), program);
      assert.match(
        await text('set_breakpoint', { file: 'sum.js', lineText: 'return sum;', condition: 'sum > 1' }),
        /^Set a breakpoint at sum\.js:3: return sum; \(when sum > 1\)$/,
      );
      assert.equal(await text('breakpoints'), '1 breakpoint:\nsum.js:3 (when sum > 1)');
      const stopped = await call('start_debugging', { file: 'sum.js' });
      assert.match(stopped.text, /is stopped: breakpoint[^]*#0 .*add sum\.js:3: return sum;/);
      assert.match(await text('stack'), /#0 .*add sum\.js:3: return sum;\n#1 /);
      const scopes = await text('scopes');
      assert.match(scopes, /sum(: number)? = 42/);
      assert.match(await text('evaluate', { expression: 'sum + a' }), /^44/);
      assert.match(await text('step', { action: 'over' }), /is stopped: (step|pause)/);
      const ended = await text('step', { action: 'continue' });
      assert.match(ended, /The program has ended/);
      assert.match(ended, /sum 42/);
      assert.equal(await text('remove_breakpoints', { file: 'sum.js' }), 'Removed 1 breakpoint.');
      const state = await call('step', { action: 'over' });
      assert.ok(state.isError && /No program is being debugged/.test(state.text));
    }).timeout(90_000);
  });

  describe('for notebooks', () => {
    it('read, edit and run cells', async () => {
      const cells = [
        { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
        {
          cell_type: 'code',
          metadata: {},
          source: ['1 + 1'],
          execution_count: 1,
          outputs: [{ output_type: 'stream', name: 'stdout', text: ['two'] }],
        },
      ];
      const notebook = join(files.folder, 'book.ipynb');
      await writeFile(notebook, JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 2 }));
      const read = await text('notebook_cells', { file: 'book.ipynb' });
      assert.match(read, /^book\.ipynb: 2 cells\.\n\[1\] Markdown\n# Title\n\[2\] python, run 1\n1 \+ 1\nOutput \(.*\):\ntwo$/);
      const stored = await readFile(notebook, 'utf8');
      const refused = await call('edit_notebook_cell', { file: 'book.ipynb', action: 'replace', cell: 2, text: 'x', expected: '2 + 2' });
      assert.ok(refused.isError && /another text now:\n1 \+ 1/.test(refused.text));
      await call('edit_notebook_cell', { file: 'book.ipynb', action: 'replace', cell: 2, text: '6 * 7', expected: '1 + 1' });
      await call('edit_notebook_cell', { file: 'book.ipynb', action: 'insert', cell: 3, text: 'last' });
      assert.match(await text('notebook_cells', { file: 'book.ipynb' }), /3 cells[^]*6 \* 7[^]*\[3\] python\nlast$/);
      // The session's rules and its review see the cells, and the record of changes has the file.
      assert.equal(edits.length, 2);
      assert.match(edits[0]!.before, /"1 \+ 1"/);
      assert.match(edits[0]!.after, /"6 \* 7"/);
      const saved = await readFile(notebook, 'utf8');
      assert.match(saved, /6 \* 7/);
      assert.equal(written![0]!.after, saved);
      assert.notEqual(written![0]!.before, stored);
      refusal = new Error('A rule denied it.');
      const denied = await call('edit_notebook_cell', { file: 'book.ipynb', action: 'delete', cell: 1 });
      assert.ok(denied.isError && denied.text === 'Nothing was changed: A rule denied it.');
      assert.equal(await readFile(notebook, 'utf8'), saved);
      const controller = vscode.notebooks.createNotebookController('acp-host-test', 'jupyter-notebook', 'Test', (run) => {
        for (const cell of run) {
          const execution = controller.createNotebookCellExecution(cell);
          execution.start(Date.now());
          void execution
            .replaceOutput(new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.text(`ran ${cell.document.getText()}`)]))
            .then(() => execution.end(true, Date.now()));
        }
      });
      controller.supportedLanguages = ['python'];
      try {
        const open = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === notebook)!;
        controller.updateNotebookAffinity(open, vscode.NotebookControllerAffinity.Preferred);
        const ran = await text('run_notebook_cell', { file: 'book.ipynb', cell: 2 });
        assert.match(ran, /^Cell 2 has ended\.\nOutput \(text\/plain\):\nran 6 \* 7$/);
      } finally {
        controller.dispose();
      }
    }).timeout(40_000);
  });

  describe('for tests', () => {
    it('run the tests of a file, and answer what VS Code offers', async () => {
      const controller = vscode.tests.createTestController('acpHostTest', 'Test');
      let runs = 0;
      try {
        const suite = controller.createTestItem('suite', 'notes', vscode.Uri.file(files.path));
        controller.items.add(suite);
        suite.children.add(controller.createTestItem('good', 'adds', vscode.Uri.file(files.path)));
        suite.children.add(controller.createTestItem('bad', 'subtracts', vscode.Uri.file(files.path)));
        controller.createRunProfile(
          'Run',
          vscode.TestRunProfileKind.Run,
          (request) => {
            runs++;
            const run = controller.createTestRun(request);
            suite.children.forEach((each) => {
              run.started(each);
              if (each.id === 'good') {
                run.passed(each, 1);
              } else {
                run.failed(each, new vscode.TestMessage('expected 1'), 1);
              }
            });
            run.end();
          },
          true,
        );
        let answer = await call('run_tests', { scope: 'file', file: 'notes.txt' });
        // The Testing view hears of the tests with a delay.
        await eventually(
          'the tests ran',
          async () => runs > 0 || ((answer = await call('run_tests', { scope: 'file', file: 'notes.txt' })), runs > 0),
        );
        assert.match(answer.text, /^(2 tests: 1 passed, 1 failed, 0 skipped\.\nfailed: subtracts\n|The run has ended\. Whether)/);
        assert.equal((await call('test_results')).text, answer.text);
      } finally {
        controller.dispose();
      }
    }).timeout(40_000);
  });

  describe('for the user', () => {
    it('show a file and a diff without taking the focus', async () => {
      const other = join(files.folder, 'other.txt');
      await writeFile(other, 'x\ny\n');
      await files.edit();
      await text('show_file', { file: 'other.txt', line: 2 });
      await eventually('the file is shown', () => vscode.window.visibleTextEditors.some(({ document }) => document.uri.fsPath === other));
      const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === other)!;
      assert.equal(shown.selection.active.line, 1);
      await text('show_diff', { file: 'notes.txt', text: 'one\n2\nthree\n' });
      await eventually('the diff is shown', () =>
        vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.input instanceof vscode.TabInputTextDiff),
      );
      assert.match(await text('open_editors'), /notes\.txt \(diff|\(diff/);
    });

    it('ask a question on a card', async () => {
      answers = { action: 'accept', content: { choice: 'Yes', text: 'but later' } };
      assert.equal(
        await text('ask_user', { question: 'Go?', options: ['Yes', 'No'], allowsText: true }),
        'The user chose: Yes\nThe user wrote: but later',
      );
      assert.equal(asked.length, 1);
      answers = { action: 'decline' };
      assert.equal(await text('ask_user', { question: 'Go?' }), 'The user declined to answer.');
    });
  });

  describe('include those of other extensions that', () => {
    const choose = (value: unknown) =>
      vscode.workspace.getConfiguration().update('acpHost.extensionTools', value, vscode.ConfigurationTarget.Global);
    after(() => choose(undefined));

    it('are selected, and calls them', async () => {
      await eventually('the extension has registered its tool', () => vscode.lm.tools.some(({ name }) => name === 'sample_reverse'));
      assert.ok(!tools.all.some(({ category }) => category === 'extensions'));
      let changes = 0;
      const listening = tools.onDidChange(() => changes++);
      await choose(['sample_reverse', 'unknown_tool']);
      await eventually('the change was reported', () => changes === 1);
      listening.dispose();
      const [tool] = tools.all.filter(({ category }) => category === 'extensions');
      assert.equal(tool?.name, 'ext_sample_reverse');
      assert.deepEqual(tool.inputSchema?.['required'], ['text']);
      assert.equal(await text('ext_sample_reverse', { text: 'abc' }), 'cba');
      const failed = await call('ext_sample_reverse', { text: 'fail' });
      assert.ok(failed.isError && /no text/.test(failed.text), failed.text);
      const over = new AbortController();
      void setTimeout(200).then(() => over.abort());
      assert.match((await call('ext_sample_reverse', { text: 'never' }, over.signal)).text, /has not answered in time/);
    });
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { commandText } from '../../src/context/commandText';
import type { DraftBlock, Mention } from '../../src/core/mentions/mention';
import { EMPTY_STATE, type SessionState } from '../../src/core/model/state';
import type { MentionRow, ToView } from '../../src/core/protocol/view';
import { Consents } from '../../src/policy/consents';
import { CommandOutputs } from '../../src/workbench/mentions/commandOutputs';
import { setContext, postLiveContext, watchLiveContext } from '../../src/workbench/mentions/liveContext';
import { Mentions } from '../../src/workbench/mentions/mentions';
import { ripgrepIn } from '../../src/application/mentions/ripgrepProgram';

type Rows = readonly MentionRow[];

describe('mentions in the window', () => {
  let folder: string;
  let mentions: Mentions;
  let editor: vscode.TextEditor | undefined;
  let count = 0;
  /** The files of recently active editors, relative to the folder. */
  let recent: readonly string[] = [];
  const store: vscode.Disposable[] = [];
  const state: SessionState = {
    ...EMPTY_STATE,
    status: 'ready',
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
  };
  const uriOf = (name: string) => vscode.Uri.file(path.join(folder, name));
  const consents = new Consents();
  const session = () => ({ key: 'here', agentName: 'A', roots: { cwd: folder, additionalDirectories: [] }, consents, store: { state } });
  const write = async (name: string, text = 'x\n') => {
    await mkdir(path.dirname(uriOf(name).fsPath), { recursive: true });
    await writeFile(uriOf(name).fsPath, text);
  };
  /** All results of the search, once it is complete. */
  const find = (text: string, asked = session()): Promise<Rows> =>
    new Promise((resolve) => {
      mentions.find(asked, ++count, text, (message: ToView) => {
        if (message.type === 'mention_rows' && message.done) {
          resolve(message.rows);
        }
      });
    });
  const labels = async (text: string): Promise<string[]> => (await find(text)).map(({ label }) => label);
  const pick = async (text: string, label: string): Promise<Mention> => {
    const rows = await find(text);
    const row = rows.find((each) => each.label === label);
    assert.ok(row?.mention, `${label} of ${rows.map((each) => each.label).join(', ')}`);
    return row.mention;
  };
  const goes = (...content: DraftBlock[]) => mentions.resolve(session(), content);
  const show = async (name: string): Promise<vscode.TextEditor> => {
    editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf(name)));
    return editor;
  };

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mentions-')));
    await write('.gitignore', 'node_modules/\n*.log\n');
    await write('.ignore', 'hidden/\n');
    await write('src/app.ts', 'one\ntwo\nthree\nfour\n');
    await write('src/deep/.gitignore', 'generated.ts\n');
    await write('src/deep/generated.ts');
    await write('src/deep/written.ts');
    await write('hidden/secret-plan.ts');
    await write('node_modules/lib/index.js', 'library\n');
    await write('AGENTS.md', '# Rules\n');
    await write('.github/prompts/review.prompt.md', 'Review it\n');
    await symlink('src', uriOf('linked').fsPath);
    const live = new Map([
      ['other', { ...session(), key: 'other', store: { state: { ...EMPTY_STATE, agentName: 'B', title: 'The other talk' } } }],
    ]);
    mentions = new Mentions({
      activity: { during: (what: () => unknown) => what() } as never,
      journals: {
        list: () => Promise.resolve({ summaries: [], total: 0 }),
        async *portions() {},
      },
      sessions: () => [session(), ...live.values()],
      openHandlers: () => Promise.reject(new Error('not here')),
      editor: () => editor,
      recentEditors: () => recent.map(uriOf),
    });
  });
  after(async () => {
    mentions.dispose();
    store.forEach((each) => void each.dispose());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  for (const [how, prepare] of [
    ['by the ripgrep of VS Code', async () => assert.ok(await ripgrepIn(vscode.env.appRoot), `no ripgrep in ${vscode.env.appRoot}`)],
    ['by git', async () => execFileSync('git', ['init', '--quiet'], { cwd: folder })],
  ] as const) {
    it(`finds files ${how}, without what nested ignore files leave out, and these by their path`, async () => {
      await prepare();
      mentions.dispose();
      mentions = new Mentions({ ...(mentions as unknown as { deps: ConstructorParameters<typeof Mentions>[0] }).deps });
      assert.deepEqual((await labels('.ts')).filter((label) => label.endsWith('.ts')).toSorted(), ['app.ts', 'written.ts']);
      assert.ok((await labels('deep')).includes('deep/'));
      assert.deepEqual(await labels('secret-plan'), []);
      assert.deepEqual(await labels('hidden/sec'), ['secret-plan.ts']);
      assert.deepEqual(await labels('node_modules/'), ['lib/']);
      const [block] = (await goes(await pick('node_modules/lib/ind', 'index.js')))!;
      assert.ok(block?.type === 'resource' && block.text === 'library\n');
    });
  }

  it('offers the open file, then recent and other files by name, and only categories with results', async () => {
    await show('src/app.ts');
    recent = ['src/deep/written.ts', 'src/deep/generated.ts', 'node_modules/lib/index.js', 'src/gone.ts', '../elsewhere.ts', 'src/app.ts'];
    const here = (await labels('')).filter((label) => label !== 'linked');
    assert.deepEqual(here.slice(0, 4), ['app.ts', 'written.ts', 'AGENTS.md', 'review.prompt.md']);
    assert.deepEqual(
      here.filter((label) => label.endsWith('…')),
      ['Symbols…', 'Changes…', 'Commits…', 'Sessions…', 'Prompt files…'],
    );
    recent = [];
    editor = undefined;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const bare = await realpath(await mkdtemp(path.join(tmpdir(), 'mentions-bare-')));
    try {
      await writeFile(path.join(bare, 'b.ts'), '');
      await writeFile(path.join(bare, 'a.ts'), '');
      const rows = await find('', { ...session(), roots: { cwd: bare, additionalDirectories: [] } });
      assert.deepEqual(
        rows.map(({ label }) => label).filter((label) => !/^(?:Problems|Symbols)/.test(label)),
        ['a.ts', 'b.ts'],
      );
    } finally {
      await rm(bare, { recursive: true, force: true });
    }
  });

  it('sends unsaved text and the selected lines, in place', async () => {
    const shown = await show('src/app.ts');
    await shown.edit((edit) => edit.insert(new vscode.Position(1, 0), 'typed '));
    shown.selection = new vscode.Selection(1, 0, 3, 0);
    const selection = await pick('', 'Selection');
    assert.equal(selection.token, '@app.ts:2-3');
    const content = await goes({ type: 'text', text: 'Why ' }, selection, { type: 'text', text: '?' });
    assert.deepEqual(content, [
      { type: 'text', text: 'Why ' },
      { type: 'resource', uri: `${uriOf('src/app.ts').toString()}#L2-3`, text: 'typed two\nthree' },
      { type: 'text', text: '?' },
    ]);
    await shown.document.save();
  });

  it('finds symbols of the file and of the workspace, each once, and sends all their lines', async () => {
    const range = new vscode.Range(0, 0, 2, 5);
    const symbol = new vscode.DocumentSymbol('frobnicate', '', vscode.SymbolKind.Function, range, new vscode.Range(0, 0, 0, 3));
    store.push(
      vscode.languages.registerDocumentSymbolProvider({ scheme: 'file' }, { provideDocumentSymbols: () => [symbol] }),
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => [
          new vscode.SymbolInformation(
            'frobnicate',
            vscode.SymbolKind.Function,
            '',
            new vscode.Location(uriOf('src/app.ts'), new vscode.Position(0, 0)),
          ),
          new vscode.SymbolInformation(
            'frobAll',
            vscode.SymbolKind.Function,
            'Kit',
            new vscode.Location(uriOf('src/deep/written.ts'), new vscode.Position(0, 0)),
          ),
          new vscode.SymbolInformation(
            'elsewhere',
            vscode.SymbolKind.Function,
            '',
            new vscode.Location(vscode.Uri.file('/not/here.ts'), range),
          ),
        ],
      }),
    );
    await show('src/app.ts');
    assert.deepEqual(await labels('symbol:frob'), ['frobnicate', 'frobAll']);
    const [block] = (await goes(await pick('frobni', 'frobnicate')))!;
    assert.ok(block?.type === 'resource' && block.uri.endsWith('app.ts#L1-3'), JSON.stringify(block));
  });

  it('sends problems, changes, a folder, a conversation and prompt files', async () => {
    const collection = vscode.languages.createDiagnosticCollection('mentions-test');
    store.push(collection);
    collection.set(uriOf('src/app.ts'), [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'Nothing is right here')]);
    await show('src/app.ts');
    const [problems] = (await goes(await pick('', 'Problems of app.ts')))!;
    assert.ok(problems?.type === 'resource' && problems.text?.includes('Nothing is right here'));
    const [changes] = (await goes(await pick('changes:', 'All changes')))!;
    assert.ok(changes?.type === 'resource' && changes.mimeType === 'text/x-diff' && changes.text?.includes('+++ b/src/app.ts'));
    const [tree] = (await goes(await pick('deep', 'deep/')))!;
    assert.ok(tree?.type === 'resource' && tree.text === '.gitignore\nwritten.ts', JSON.stringify(tree));
    const [talk] = (await goes(await pick('session:other', 'The other talk')))!;
    assert.ok(talk?.type === 'resource' && talk.mimeType === 'text/markdown');
    assert.deepEqual((await labels('prompt:')).toSorted(), ['AGENTS.md', 'review.prompt.md']);
    const [link] = (await goes(await pick('https://example.com/x', 'https://example.com/x')))!;
    assert.deepEqual(link, { type: 'resource_link', uri: 'https://example.com/x', name: 'https://example.com/x' });
  });

  it('sends nothing when a mention cannot be read', async () => {
    const gone: Mention = { type: 'mention', token: '@gone', name: 'gone', ref: { kind: 'file', uri: uriOf('gone.ts').toString() } };
    assert.equal(await goes({ type: 'text', text: 'x' }, gone), undefined);
    const odd: Mention = { ...gone, ref: { kind: 'file', uri: 'vscode-remote://elsewhere/etc/passwd' } };
    assert.equal(await goes(odd), undefined);
  });

  it('ends a search that a newer one replaced', async () => {
    const heard: number[] = [];
    mentions.find(session(), 900, 'app', (message) => message.type === 'mention_rows' && heard.push(message.queryId));
    await find('written');
    assert.ok(!heard.includes(900), 'the first was answered after the second was asked');
  });

  it('records the output of terminal commands', async function () {
    this.timeout(30_000);
    const outputs = new CommandOutputs();
    store.push(outputs);
    const terminal = vscode.window.createTerminal({ name: 'mentions', shellPath: '/bin/bash', cwd: folder });
    store.push(terminal);
    terminal.show(true);
    await until(() => terminal.shellIntegration !== undefined, 15_000);
    // VS Code reports no output before it has read that a command began, which takes a moment on a busy machine.
    terminal.shellIntegration!.executeCommand('sleep 1; printf "\\033[31mred\\033[0m\\nplain\\n"; false');
    await until(() => outputs.newest[0]?.isRunning === false, 12_000);
    const text = commandText(outputs.lastOf(terminal)!);
    assert.match(text, /^\$ sleep 1; printf .*\nred\nplain\n\[exit code 1\]\n$/s);
  });

  it('names the file and the cell of a selection in a notebook, live, by `@` and in the message', async () => {
    const file = path.join(folder, 'n.ipynb');
    const cells = ['first', 'import math\nx = math.pi\ny = 1'].map((source, index) => ({
      cell_type: 'code',
      id: `cell-${index}`,
      source,
      metadata: {},
      outputs: [],
      execution_count: null,
    }));
    await writeFile(file, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    const { document } = notebook.cellAt(1);
    const inCell = { document, selection: new vscode.Selection(0, 0, 1, 3) } as vscode.TextEditor;
    const told: ToView[] = [];
    try {
      await setContext('selection', true);
      postLiveContext({ frontEditor: inCell }, (message) => told.push(message));
    } finally {
      await setContext('selection', false);
    }
    const [live] = told.findLast((message) => message.type === 'live_context')!.mentions;
    assert.equal(live?.mention.name, 'n.ipynb, cell 2:1-2');
    const before = editor;
    editor = inCell;
    const rows = await find('');
    editor = before;
    assert.deepEqual(
      rows.slice(0, 2).map(({ label, detail }) => [label, detail]),
      [
        ['Selection', 'n.ipynb, cell 2:1-2'],
        ['n.ipynb', 'Active file'],
      ],
    );
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [
      vscode.NotebookEdit.insertCells(0, [new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'new', 'python')]),
    ]);
    await vscode.workspace.applyEdit(edit);
    const [sent] = (await mentions.resolve(session(), [live.mention]))!;
    // Other tests expect no unsaved documents.
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.deepEqual(sent, { type: 'resource', uri: `${vscode.Uri.file(file).toString()}#cell=3:L1-2`, text: 'import math\nx = math.pi' });
  });

  it('sends the user’s current editor only if the settings allow it, and updates it', async () => {
    const told: ToView[] = [];
    const front = new vscode.EventEmitter<void>();
    const shown = await show('src/app.ts');
    store.push(
      watchLiveContext(
        {
          get frontEditor() {
            return editor;
          },
          onDidChangeFront: (listener) => front.event(listener),
        },
        (message) => told.push(message),
      ),
    );
    const names = () =>
      told.findLast((message) => message.type === 'live_context')?.mentions.map(({ context, mention }) => [context, mention.name]);
    front.fire();
    assert.deepEqual(names() ?? [], []);
    try {
      await setContext('activeFile');
      await until(() => isDeepStrictEqual(names(), [['activeFile', 'app.ts']]));
      await setContext('selection', true);
      shown.selection = new vscode.Selection(0, 0, 1, 2);
      await until(() => isDeepStrictEqual(names()?.[1], ['selection', 'app.ts:1-2']));
      shown.selection = new vscode.Selection(2, 0, 2, 0);
      await until(() => names()?.length === 1);
    } finally {
      await setContext('activeFile', false);
      await setContext('selection', false);
    }
    await until(() => names()?.length === 0);
  });
});

async function until(isTrue: () => boolean, ms = 5000): Promise<void> {
  const end = Date.now() + ms;
  while (!isTrue()) {
    assert.ok(Date.now() < end, 'waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { answerText } from '../../../../src/mcp/editor/answer';
import {
  type ActiveEditor,
  type EditorsPort,
  editorTools,
  type EditorTab,
  type UnsavedDocument,
} from '../../../../src/mcp/editor/tools/editors';
import { type TerminalInfo, terminalTools } from '../../../../src/mcp/editor/tools/terminals';
import { WindowToolsFixture } from './windowToolsFixture';

const at = (line: number, character: number) => ({ line, character });

describe('the tools for editors', () => {
  const fixture = new WindowToolsFixture();
  let tabs: EditorTab[];
  let active: ActiveEditor | undefined;
  let unsaved: UnsavedDocument[];
  const port: EditorsPort = {
    tabs: () => tabs,
    active: () => active,
    unsaved: () => unsaved,
    mayRead: (_session, file) => Promise.resolve(!file.endsWith('.env')),
  };
  const tools = editorTools(port);
  const tab = (name: string | undefined, more: Partial<EditorTab> = {}): EditorTab => ({
    kind: 'text',
    label: 'label',
    path: name === undefined ? undefined : path.join(fixture.base, name),
    group: 1,
    isActive: false,
    isDirty: false,
    isPinned: false,
    ...more,
  });
  const editor = (name: string, more: Partial<ActiveEditor> = {}): ActiveEditor => ({
    path: path.join(fixture.base, name),
    label: 'label',
    language: 'plaintext',
    isDirty: true,
    lines: ['one', 'two', 'three', ''],
    selections: [{ start: at(0, 1), end: at(1, 2) }],
    cursor: at(1, 2),
    visible: [{ start: at(0, 0), end: at(3, 0) }],
    ...more,
  });

  beforeEach(() => {
    tabs = [];
    active = undefined;
    unsaved = [];
  });

  it('list the tabs of the session’s files, and count the others', async () => {
    tabs = [
      tab('app/a.txt', { isActive: true, isDirty: true }),
      tab('outside/b.txt'),
      tab(undefined, { kind: 'terminal', label: 'bash', isPinned: true }),
    ];
    const { text, data } = await fixture.run(tools, 'open_editors');
    assert.equal(
      text,
      "2 open editors. 1 more show files outside the session's folders.\na.txt (text, group 1, in front, not saved)\nbash (terminal, group 1, pinned)",
    );
    assert.ok(!JSON.stringify(data).includes('outside/b.txt'));
    tabs = Array.from({ length: 150 }, (_, index) => tab(undefined, { label: `t${index}` }));
    assert.equal((await fixture.run(tools, 'open_editors')).nextCursor, '100');
    assert.ok((await fixture.run(tools, 'open_editors', { cursor: '151' })).isError);
    tabs = [];
    assert.equal((await fixture.run(tools, 'open_editors')).text, 'No editor is open.');
  });

  it('read the cursor and the selection', async () => {
    assert.equal((await fixture.run(tools, 'selection')).text, 'No text editor is open.');
    active = editor('app/a.txt');
    assert.equal((await fixture.run(tools, 'selection')).text, 'a.txt:1–2:\nne\ntw');
    const { text, data } = await fixture.run(tools, 'active_editor');
    assert.match(text, /^a\.txt \(plaintext, not saved\), 4 lines\.\nThe cursor is at a\.txt:2:3\. Visible lines: 1–4\.\n1: one\n2: two/);
    assert.deepEqual([data?.['line'], data?.['column']], [2, 3]);
    active = editor('app/a.txt', { selections: [{ start: at(2, 0), end: at(2, 0) }], cursor: at(2, 0) });
    assert.equal((await fixture.run(tools, 'selection')).text, 'Nothing is selected. The cursor is at a.txt:3: three');
  });

  it('bound a huge selection', async () => {
    const lines = ['x'.repeat(500_000)];
    active = editor('app/a.txt', {
      lines,
      selections: Array.from({ length: 60 }, () => ({ start: at(0, 0), end: at(0, 500_000) })),
      cursor: at(0, 9),
    });
    const { text, data } = await fixture.run(tools, 'selection');
    assert.ok(text.length < 40_000 && JSON.stringify(data).length < 40_000);
    assert.ok((await fixture.run(tools, 'active_editor')).text.length < 5000);
  });

  it('show no text of protected files and of files outside the session', async () => {
    for (const [name, reason] of [
      ['outside/b.txt', /outside the session/],
      ['app/.env', /protected/],
    ] as const) {
      active = editor(name);
      for (const tool of ['active_editor', 'selection']) {
        const answer = await fixture.run(tools, tool);
        assert.ok(answer.isError && reason.test(answer.text), answer.text);
      }
    }
    unsaved = [{ path: path.join(fixture.cwd, '.env'), label: '', text: 'KEY=1', saved: () => Promise.resolve('') }];
    const { text } = await fixture.run(tools, 'unsaved_changes');
    assert.match(text, /\.env\nThe file is protected, so its text is not shown\.$/);
  });

  it('show no unsaved text of a file that a link puts into the session’s folder', async () => {
    symlinkSync(path.join(fixture.base, 'outside'), fixture.path('link'), 'junction');
    unsaved = [{ path: fixture.path('link/b.txt'), label: '', text: 'typed', saved: () => Promise.resolve('b') }];
    const { text } = await fixture.run(tools, 'unsaved_changes');
    assert.equal(text, "No file has unsaved changes. 1 more are outside the session's folders.");
  });

  it('show what was typed and not saved', async () => {
    const document = (name: string, text: string, saved: string | undefined): UnsavedDocument => ({
      path: path.join(fixture.base, name),
      label: '',
      text,
      saved: () => Promise.resolve(saved),
    });
    unsaved = [
      document('app/a.txt', 'one\n2\n', 'one\ntwo\n'),
      document('outside/b.txt', 'b', ''),
      { ...document('', 'new', undefined), path: undefined, label: 'Untitled-1' },
    ];
    assert.equal(
      (await fixture.run(tools, 'unsaved_changes')).text,
      "2 files with unsaved changes. 1 more are outside the session's folders.\na.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\nUntitled-1\nNot a file yet. Its text:\nnew",
    );
    assert.match((await fixture.run(tools, 'unsaved_changes', { file: 'a.txt' })).text, /^1 file with unsaved changes\.\na\.txt/);
    unsaved = [document('app/a.txt', 'x\n'.repeat(100_000), '')];
    assert.ok((await fixture.run(tools, 'unsaved_changes')).text.length < 10_000);
    unsaved = [];
    assert.equal((await fixture.run(tools, 'unsaved_changes')).text, 'No file has unsaved changes.');
    assert.ok((await fixture.call(tools, 'unsaved_changes', { file: '../outside/b.txt' })).isError);
    assert.ok((await fixture.call(tools, 'unsaved_changes', { path: 'a.txt' })).isError);
  });
});

describe('the tool for terminals', () => {
  const fixture = new WindowToolsFixture();
  let list: TerminalInfo[];
  const tools = terminalTools({ list: () => list });
  const run = (input: Record<string, unknown> = {}) => fixture.call(tools, 'terminal_output', input);
  const terminal = (number: number, name: string, more: Partial<TerminalInfo> = {}): TerminalInfo => ({
    number,
    name,
    isActive: false,
    hasShellIntegration: true,
    commands: [],
    ...more,
  });

  it('answers the last commands of the active terminal, another one, or says why it cannot', async () => {
    list = [];
    assert.equal((await run()).text, 'No terminal is open.');
    const commands = [
      { command: 'ls', isRunning: false, exitCode: 0, output: 'a\nb\n' },
      { command: 'npm test', isRunning: true, exitCode: undefined, output: '' },
    ];
    list = [terminal(1, 'bash', { isActive: true, commands }), terminal(2, 'zsh', { hasShellIntegration: false }), terminal(3, 'zsh')];
    assert.equal(
      (await run()).text,
      'Terminal 1: bash\n$ npm test\n[still running]\nTerminals:\n1: bash (active)\n2: zsh (no shell integration)\n3: zsh',
    );
    assert.match((await run({ terminal: 'bash', commands: 2 })).text, /^Terminal 1: bash\n\$ ls\na\nb\n\[exit code 0\]\n\$ npm test/);
    assert.match((await run({ terminal: 2 })).text, /shell integration is not active/);
    assert.match((await run({ terminal: '3' })).text, /No command has run/);
    for (const input of [
      { terminal: 'zsh' },
      { terminal: 'none' },
      { terminal: 9 },
      { terminal: 0 },
      { commands: 0 },
      { commands: 21 },
      { terminal: {} },
    ]) {
      assert.ok((await run(input)).isError, JSON.stringify(input));
    }
  });

  it('keeps the end of a long output', async () => {
    const output = `${'x'.repeat(100_000)}\nthe end`;
    list = [terminal(1, 'bash', { commands: Array.from({ length: 20 }, () => ({ command: 'c', isRunning: false, exitCode: 1, output })) })];
    const { text } = await run({ commands: 20 });
    assert.ok(text.length < 20_000 && text.includes('the end'));
  });

  it('keeps the end of a long output whose characters have several bytes', async () => {
    const output = `${'├── 漢字 😀\n'.repeat(5000)}the end`;
    list = [terminal(1, 'bash', { commands: [{ command: 'npm ls', isRunning: false, exitCode: 1, output }] })];
    const text = answerText(await run({}), undefined);
    assert.match(text, /characters before\]\n[^\uFFFD]*the end\n\[exit code 1\]\nTerminals:\n1: bash/);
  });
});

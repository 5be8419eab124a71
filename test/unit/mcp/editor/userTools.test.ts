import assert from 'node:assert/strict';
import type { Range } from '../../../../src/mcp/editor/position';
import { extensionTools, type ExtensionTool, type ExtensionToolsPort, toolName } from '../../../../src/mcp/editor/tools/extensions';
import { type Cell, type CellEdit, type NotebooksPort, notebookTools } from '../../../../src/mcp/editor/tools/notebooks';
import { type UserAnswer, type UserPort, type UserQuestion, userTools } from '../../../../src/mcp/editor/tools/user';
import { WindowToolsFixture } from './windowToolsFixture';

describe('the tools for notebooks', () => {
  const fixture = new WindowToolsFixture({ 'app/b.ipynb': '{}', 'app/.env.ipynb': '{}' });
  const cell = (text: string, more: Partial<Cell> = {}): Cell => ({
    kind: 'code',
    language: 'python',
    text,
    executionOrder: undefined,
    success: undefined,
    outputs: [],
    ...more,
  });
  let cells: readonly Cell[] | undefined;
  let edits: CellEdit[];
  let ran: () => Promise<Cell | undefined>;
  const port: NotebooksPort = {
    cells: (file) => Promise.resolve(file.endsWith('.ipynb') ? cells : undefined),
    edit: (_session, _path, edit) => Promise.resolve(edits.push(edit) > 0),
    run: () => ran(),
    mayRead: (_session, file) => Promise.resolve(!file.includes('.env')),
  };
  const tools = notebookTools(port);
  const call = (name: string, input: Record<string, unknown> = {}) => fixture.call(tools, name, { file: 'b.ipynb', ...input });

  beforeEach(() => {
    cells = [cell('# T', { kind: 'markdown', language: 'markdown' }), cell('1 + 1')];
    edits = [];
  });

  it('read cells and outputs, bounded and in pages', async () => {
    const outputs = [
      { mime: 'image/png', text: undefined, isError: false },
      { mime: 'text/plain', text: 'x'.repeat(1_000_000), isError: true },
    ];
    cells = Array.from({ length: 80 }, () => cell('y'.repeat(100_000), { outputs, executionOrder: 3, success: false }));
    const { text, data, nextCursor } = await call('notebook_cells');
    assert.ok(
      text.startsWith('b.ipynb: 80 cells.') && text.includes('[1] python, run 3, failed') && text.includes('Output (image/png): not text'),
    );
    assert.ok(text.length < 40_000 && JSON.stringify(data).length < 60_000 && Number(nextCursor) < 80);
    assert.ok((await call('notebook_cells', { cell: 2 })).text.length < 40_000);
    cells = [];
    assert.equal((await call('notebook_cells')).text, 'b.ipynb has no cells.');
  });

  it('edit cells, and refuse what does not fit', async () => {
    await call('edit_notebook_cell', { action: 'replace', cell: 2, text: '2', expected: '1 + 1\n' });
    await call('edit_notebook_cell', { action: 'insert', cell: 3, text: 'a', kind: 'markdown' });
    await call('edit_notebook_cell', { action: 'delete', cell: 1 });
    assert.deepEqual(edits, [
      { action: 'replace', index: 1, text: '2' },
      { action: 'insert', index: 2, text: 'a', kind: 'markdown', language: undefined },
      { action: 'delete', index: 0 },
    ]);
    const wrong = [
      { action: 'replace', cell: 3, text: 'x' },
      { action: 'replace', cell: 1 },
      { action: 'insert', cell: 4, text: 'x' },
      { action: 'delete', cell: 0 },
      { action: 'delete', cell: 1, expected: 'other' },
      { action: 'move', cell: 1 },
      { action: 'replace', cell: 1, text: 'x', file: 'a.txt' },
      { action: 'replace', cell: 1, text: 'x', file: '.env.ipynb' },
      { action: 'replace', cell: 1, text: 'x', file: '../outside/b.txt' },
    ];
    for (const input of wrong) {
      assert.ok((await call('edit_notebook_cell', input)).isError, JSON.stringify(input));
    }
    assert.equal(edits.length, 3);
  });

  it('run a code cell, and say why there is no result in time', async () => {
    ran = () => Promise.resolve(cell('1', { success: true, outputs: [{ mime: 'text/plain', text: '2', isError: false }] }));
    assert.equal((await call('run_notebook_cell', { cell: 2 })).text, 'Cell 2 has ended.\nOutput (text/plain):\n2');
    assert.match((await call('run_notebook_cell', { cell: 1 })).text, /is Markdown, which does not run/);
    const time = new AbortController();
    ran = () => {
      setImmediate(() => time.abort());
      return new Promise(() => undefined);
    };
    const late = await fixture.run(tools, 'run_notebook_cell', { file: 'b.ipynb', cell: 2 }, { signal: time.signal, timedOut: true });
    assert.match(late.text, /has not ended in time/);
  });
});

describe('the tools for the user', () => {
  const fixture = new WindowToolsFixture();
  let shown: [string, Range | undefined][];
  let diffs: unknown[];
  let questions: UserQuestion[];
  let answer: UserAnswer;
  let isProtected = false;
  const port: UserPort = {
    showFile: (file, range) => (shown.push([file, range]), Promise.resolve()),
    showDiff: (before, after) => (diffs.push([before, after]), Promise.resolve()),
    textOf: () => Promise.resolve('one\ntwo\nthree\n'),
    mayRead: () => Promise.resolve(!isProtected),
    ask: (_key, question) => (questions.push(question), Promise.resolve(answer)),
  };
  const tools = userTools(port);
  const call = (name: string, input: unknown) => fixture.call(tools, name, input);

  beforeEach(() => {
    isProtected = false;
    shown = [];
    diffs = [];
    questions = [];
  });

  it('show a file at a position, lines, or the top', async () => {
    const file = fixture.path('a.txt');
    const at = (line: number, character: number) => ({ line, character });
    assert.equal((await call('show_file', { file: 'a.txt' })).text, 'Opened a.txt for the user.');
    await call('show_file', { file: 'a.txt', line: 2 });
    await call('show_file', { file: 'a.txt', line: 2, endLine: 3 });
    await call('show_file', { file: 'a.txt', symbol: 'three' });
    assert.deepEqual(shown, [
      [file, undefined],
      [file, { start: at(1, 0), end: at(1, 0) }],
      [file, { start: at(1, 0), end: at(2, 5) }],
      [file, { start: at(2, 0), end: at(2, 0) }],
    ]);
    for (const input of [{ file: '/etc/passwd' }, { file: 'a.txt', line: 99 }, { file: 'a.txt', symbol: 'none' }, { file: '.' }, {}]) {
      assert.ok((await call('show_file', input)).isError, JSON.stringify(input));
    }
    assert.equal(shown.length, 4);
  });

  it('show no text of a protected file, also not in a mistake', async () => {
    isProtected = true;
    for (const position of [{ line: 3, column: 99 }, { symbol: 'three' }, { symbol: 'on', line: 3 }, { lineText: 'th', symbol: 't' }]) {
      const { text, isError } = await call('show_file', { file: 'a.txt', ...position });
      assert.ok(isError && text.includes('protected') && !/three|thr/.test(text), text);
    }
    assert.equal((await call('show_file', { file: 'a.txt', line: 3 })).text, 'Opened a.txt:3 for the user.');
  });

  it('show a diff of two files, or of a file and a text', async () => {
    const file = fixture.path('a.txt');
    await call('show_diff', { file: 'a.txt', other: 'a.txt' });
    await call('show_diff', { file: 'a.txt', text: '' });
    assert.deepEqual(diffs, [
      [file, { path: file }],
      [file, { text: '' }],
    ]);
    for (const input of [{ file: 'a.txt' }, { file: 'a.txt', other: 'a.txt', text: 'x' }, { file: 'a.txt', other: '../outside/b.txt' }]) {
      assert.ok((await call('show_diff', input)).isError, JSON.stringify(input));
    }
  });

  it('ask the user, and answer every outcome', async () => {
    answer = { action: 'answered', options: ['A'], text: undefined };
    assert.equal(
      (await call('ask_user', { question: 'Which?', options: ['A', { label: 'B', description: 'the other' }] })).text,
      'The user chose: A',
    );
    const labels = [
      { label: 'A', description: undefined },
      { label: 'B', description: 'the other' },
    ];
    assert.deepEqual(questions, [{ message: 'Which?', options: labels, allowsSeveral: false, allowsText: false }]);
    answer = { action: 'answered', options: [], text: 'x'.repeat(100_000) };
    assert.ok((await call('ask_user', { question: 'Why?' })).text.length < 17_000);
    assert.equal(questions.at(-1)!.allowsText, true);
    for (const [action, text] of [
      ['declined', /declined/],
      ['cancelled', /dismissed/],
      ['unavailable', /cannot be asked/],
    ] as const) {
      answer = { action };
      assert.match((await call('ask_user', { question: 'Why?' })).text, text);
    }
    answer = { action: 'cancelled' };
    const late = await fixture.run(tools, 'ask_user', { question: 'Why?' }, { signal: AbortSignal.abort(), timedOut: true });
    assert.match(late.text, /has not answered yet/);
    for (const input of [
      {},
      { question: '' },
      { question: 'x', options: ['A', 'A'] },
      { question: 'x', options: Array(21).fill('a') },
      { question: 'x', options: [{}] },
    ]) {
      assert.ok((await call('ask_user', input)).isError, JSON.stringify(input));
    }
  });
});

describe('the tools of other extensions', () => {
  const fixture = new WindowToolsFixture();
  const schema = { type: 'object', properties: { q: { type: 'string', pattern: '^(a+)+$' } }, required: ['q'] };
  let chosen: ExtensionTool[];
  let invoke: ExtensionToolsPort['invoke'];
  const port: ExtensionToolsPort = { chosen: () => chosen, invoke: (...args) => invoke(...args) };

  it('publish the extension’s schema, pass the input on, and ask always', async () => {
    chosen = [{ name: 'find', description: 'Finds.', inputSchema: schema }];
    const [tool] = extensionTools(port);
    assert.deepEqual([tool!.name, tool!.description, tool!.isReadOnly, tool!.category], ['ext_find', 'Finds.', false, 'extensions']);
    assert.deepEqual(tool!.inputSchema, schema);
    const given: unknown[] = [];
    invoke = (name, input) => (given.push(name, input), Promise.resolve(['a', 'b']));
    const input = { q: `${'a'.repeat(60)}!`, more: { nested: [1] } };
    assert.equal((await fixture.call([tool!], 'ext_find', input)).text, 'a\nb');
    assert.deepEqual(given, ['find', input]);
  });

  it('leave out schemas that are no object or huge, and bound descriptions', () => {
    chosen = [null, 'x', [], { type: 'string' }, { type: 'object', description: 'x'.repeat(70_000) }].map((inputSchema, at) => ({
      name: `t${at}`,
      description: 'x'.repeat(100_000),
      inputSchema,
    }));
    const found = extensionTools(port);
    // `null` counts as no input.
    assert.deepEqual(
      found.map(({ name }) => name),
      ['ext_t0'],
    );
    assert.ok(found[0]!.description.length < 4200);
  });

  it('have names that every model accepts, and that differ', () => {
    const names = ['a', 'ä', 'ö', 'x'.repeat(80), `${'x'.repeat(80)}y`, 'a b', 'a_b', '../x'].map(toolName);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) {
      assert.match(name, /^ext_[A-Za-z0-9_-]{1,46}$/);
    }
    assert.deepEqual(names.slice(0, 1), ['ext_a']);
  });

  it('answer failures, floods and silence', async () => {
    chosen = [{ name: 'find', description: '', inputSchema: undefined }];
    const found = extensionTools(port);
    assert.match(found[0]!.description, /The tool find of an extension/);
    invoke = () => Promise.reject(new Error('broken'));
    const failed = await fixture.call(found, 'ext_find', {});
    assert.ok(failed.isError && /failed: broken/.test(failed.text));
    invoke = () => Promise.resolve(['x'.repeat(1_000_000)]);
    assert.ok((await fixture.call(found, 'ext_find', {})).text.length < 17_000);
    invoke = () => new Promise(() => undefined);
    assert.match((await fixture.run(found, 'ext_find', {}, { signal: AbortSignal.timeout(10) })).text, /has not answered in time/);
  });
});

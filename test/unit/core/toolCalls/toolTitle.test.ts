import assert from 'node:assert/strict';
import { commandOf, saysCommand, toolCallTitle } from '../../../../src/core/toolCalls/toolTitle';
import { nameBelow } from '../../../../src/core/toolCalls/toolTitle';
import { toolDiff } from '../../../support/events';

describe('the title of a tool call', () => {
  const title = (entry: Partial<Parameters<typeof toolCallTitle>[0]>, kindWord = 'Tool') =>
    toolCallTitle({ toolKind: 'other', locations: [], content: [], ...entry }, '/w', kindWord);
  const at = (...paths: string[]) => ({ locations: paths.map((path) => ({ path })) });

  it('names the file if it is only a tool’s name', () => {
    for (const bare of [
      'edit',
      'Edit',
      'read',
      'Write',
      'str_replace_editor',
      'mcp__files__write',
      'Edit file',
      'Read File',
      'Apply patch',
      'MultiEdit',
    ]) {
      assert.equal(title({ title: bare, toolKind: 'edit', ...at('/w/src/a.ts') }), `${bare} src/a.ts`);
    }
    assert.equal(title({ title: 'edit', toolKind: 'edit', content: [toolDiff('/w/a.ts', 'a', 'b')] }), 'edit a.ts');
    assert.equal(title({ title: 'Read', toolKind: 'read', rawInput: { file_path: '/w/b.md', limit: 3 } }), 'Read b.md');
    assert.equal(title({ toolKind: 'read', ...at('/w/b.md') }, 'Read'), 'Read b.md');
    assert.equal(title({ name: 'write_file', ...at('/elsewhere/b.md') }), 'write_file /elsewhere/b.md');
  });

  it('is unchanged if it says more, or if there is no file', () => {
    for (const said of ['Edit src/a.ts', 'Edit a.ts', 'Rename name to person', 'Read the tests', 'package.json', 'قراءة الملف']) {
      assert.equal(title({ title: said, toolKind: 'edit', ...at('/w/src/a.ts') }), said);
    }
    assert.equal(title({ title: 'edit', toolKind: 'edit' }), 'edit');
    assert.equal(title({ title: 'Makefile', toolKind: 'read', ...at('/w/Makefile') }), 'Makefile');
    assert.equal(title({}), 'Tool');
  });

  it('names a tool of the editor in words, with its subject, whatever the agent calls it', () => {
    const rename = { symbol: 'total', line: 1, newName: 'sumUp', file: '/w/a.ts' };
    assert.equal(title({ title: 'mcp__vscode__rename_symbol', rawInput: rename }), 'Rename symbol: total → sumUp');
    assert.equal(title({ title: 'vscode_references', rawInput: { file: 'a.ts', symbol: 'total' } }), 'References: total');
    const wrapped = { server: 'vscode', tool: 'evaluate', arguments: { expression: 'sum' } };
    assert.equal(title({ title: 'mcp.vscode.evaluate', toolKind: 'execute', rawInput: wrapped }), 'Evaluate: sum');
    assert.equal(title({ title: 'search_text (vscode MCP Server)', rawInput: { query: 'TODO' } }), 'Search text: TODO');
    const own = { title: 'Set a breakpoint', name: 'vscode/set_breakpoint', rawInput: { file: '/w/src/a.ts', lineText: 'x' } };
    assert.equal(title(own), 'Set a breakpoint: src/a.ts');
    assert.equal(title({ title: 'vscode_stack', rawInput: {} }), 'Stack');
    assert.equal(title({ title: 'vscode_edit_result', rawInput: { file: 'a.ts' } }), 'Result of edit: a.ts');
    for (const other of ['mcp__vscode-docs__search', 'vscode', 'open vscode_references', 'mcp__github__create_issue']) {
      assert.equal(title({ title: other }), other);
    }
  });

  it('names some of several files, each once', () => {
    assert.equal(title({ title: 'edit', ...at('/w/a', '/w/b', '/w/a') }), 'edit a, b');
    assert.equal(title({ title: 'edit', ...at('/w/a', '/w/b', '/w/c', '/w/d') }), 'edit a, b, c, …');
  });

  it('names the command of a shell, the pattern of a search and the address of a fetch', () => {
    assert.equal(title({ title: 'bash', toolKind: 'execute', rawInput: { command: 'npm test' } }), 'bash: npm test');
    assert.equal(title({ title: 'shell', toolKind: 'execute', rawInput: { command: ['ls', '-la'] } }), 'shell: ls -la');
    assert.equal(title({ title: 'grep', toolKind: 'search', rawInput: { pattern: 'TODO', path: '/w/src' } }), 'grep TODO');
    assert.equal(title({ title: 'Fetch', toolKind: 'fetch', rawInput: { url: 'https://example.com/' } }), 'Fetch https://example.com/');
    assert.equal(commandOf({ rawInput: { command: 3 } }), undefined);
    assert.equal(commandOf({ rawInput: 'ls' }), undefined);
  });

  it('contains a command only if all of it is there', () => {
    for (const [shown, command] of [
      ['npm test', 'npm test'],
      ['`npm test`', 'npm test'],
      ['Run `npm test`', 'npm  test\n'],
      ['bash: npm test', 'npm test'],
    ] as const) {
      assert.ok(saysCommand(shown, command), shown);
    }
    for (const [shown, command] of [
      ['Run the tests', 'npm test'],
      ['npm test', 'npm test -- --all'],
      ['npm tests', 'npm test'],
      ['a b', 'a\nb'],
      ['xnpm test', 'npm test'],
      ['npm test', ''],
    ] as const) {
      assert.ok(!saysCommand(shown, command), shown);
    }
  });
});

describe('the name of a tool below its card', () => {
  for (const [name, title, below] of [
    ['Read', 'Read src/a.ts', undefined],
    ['read_file', 'Read file a.ts', undefined],
    ['lookup', 'lookup', undefined],
    ['mcp__files__write', 'Write a.ts', 'mcp__files__write'],
    ['Bash', '`npm test`', 'Bash'],
    [undefined, 'Read', undefined],
    ['__', 'Read', undefined],
  ] as const) {
    it(`is ${below ?? 'absent'}: ${name ?? 'none'} of ${title}`, () => assert.equal(nameBelow({ name }, title), below));
  }
});

import assert from 'node:assert/strict';
import { argumentsIn, EditorCalls, isEqual, type ReportedFields, toolNamedBy } from '../../../../src/core/toolCalls/editorCalls';

const INPUT = { file: 'src/a.ts', symbol: 'run', line: 3 };

/** The reports of the same call, as agents send them. */
const REPORTS: readonly (readonly [string, ReportedFields])[] = [
  ['claude-agent-acp', { name: 'mcp__vscode__references', title: 'mcp__vscode__references', rawInput: INPUT }],
  ['codex-acp', { title: 'mcp.vscode.references', rawInput: { server: 'vscode', tool: 'references', arguments: INPUT } }],
  ['codex-acp with a title of its own', { title: 'Find it', rawInput: { server: 'vscode', tool: 'references', arguments: INPUT } }],
  ['opencode', { title: 'vscode_references', rawInput: INPUT }],
  ['gemini', { title: 'references (vscode MCP Server)', rawInput: INPUT }],
  ['an agent with a slash', { title: 'vscode/references', rawInput: { args: INPUT } }],
  ['an agent with the arguments as a text', { title: 'vscode: references', rawInput: JSON.stringify(INPUT) }],
  [
    'an agent with the members in another order',
    { name: 'mcp__vscode__references', rawInput: { line: 3, symbol: 'run', file: 'src/a.ts' } },
  ],
  ['an agent that fills in optional members', { name: 'mcp__vscode__references', rawInput: { ...INPUT, kinds: null } }],
];

describe('the matching of an editor tool call with the report of the agent', () => {
  for (const [agent, fields] of REPORTS) {
    it(`counts as one call when the report of ${agent} comes first`, () => {
      const calls = new EditorCalls('vscode');
      assert.equal(calls.reported('theirs', { ...fields, status: 'in_progress' }), undefined);
      assert.deepEqual(calls.received('ours', 'references', INPUT), { ours: 'ours', theirs: 'theirs', isNew: false });
      assert.equal(calls.ownOf('theirs'), 'ours');
    });

    it(`counts as one call when the report of ${agent} comes later, even after its end`, () => {
      const calls = new EditorCalls('vscode');
      assert.equal(calls.received('ours', 'references', INPUT), undefined);
      assert.deepEqual(calls.reported('theirs', { ...fields, status: 'completed' }), { ours: 'ours', theirs: 'theirs', isNew: true });
      assert.equal(calls.reported('theirs', { status: 'completed' }), undefined);
    });
  }

  it('counts as one call when the agent announces it without its arguments, and adds them before or after', () => {
    const before = new EditorCalls('vscode');
    before.reported('theirs', { title: 'mcp__vscode__references', rawInput: {}, status: 'pending' });
    before.reported('theirs', { rawInput: INPUT });
    assert.equal(before.received('ours', 'references', INPUT)?.theirs, 'theirs');
    const after = new EditorCalls('vscode');
    after.reported('theirs', { title: 'mcp__vscode__references', rawInput: {}, status: 'pending' });
    assert.equal(after.received('ours', 'references', INPUT)?.theirs, 'theirs');
    assert.equal(after.reported('theirs', { rawInput: INPUT }), undefined);
  });

  it('counts as one call when the agent names it in a later update', () => {
    const calls = new EditorCalls('vscode');
    calls.reported('theirs', { status: 'pending' });
    calls.received('ours', 'references', INPUT);
    assert.deepEqual(calls.reported('theirs', { title: 'vscode_references', rawInput: INPUT }), {
      ours: 'ours',
      theirs: 'theirs',
      isNew: false,
    });
  });

  it('pairs by the arguments when the same tool runs several times at once, in any order', () => {
    const calls = new EditorCalls('vscode');
    const input = (n: number) => ({ file: `${n}` });
    [1, 2, 3].forEach((n) => calls.reported(`theirs${n}`, { name: 'mcp__vscode__references', rawInput: input(n) }));
    assert.deepEqual(
      [3, 1, 2].map((n) => calls.received(`ours${n}`, 'references', input(n))?.theirs),
      ['theirs3', 'theirs1', 'theirs2'],
    );
    [4, 5].forEach((n) => calls.received(`ours${n}`, 'references', input(n)));
    assert.deepEqual(
      [5, 4].map((n) => calls.reported(`theirs${n}`, { name: 'mcp__vscode__references', rawInput: input(n) })?.ours),
      ['ours5', 'ours4'],
    );
  });

  it('counts as two calls when the same call is made twice', () => {
    const calls = new EditorCalls('vscode');
    const fields = { name: 'mcp__vscode__references', rawInput: INPUT };
    calls.reported('theirs1', fields);
    calls.reported('theirs2', fields);
    assert.deepEqual(
      [calls.received('ours1', 'references', INPUT)?.theirs, calls.received('ours2', 'references', INPUT)?.theirs],
      ['theirs1', 'theirs2'],
    );
    assert.equal(calls.received('ours3', 'references', INPUT), undefined);
  });

  it('does not pair with another tool, another server, other arguments, or an earlier call that has ended', () => {
    const calls = new EditorCalls('vscode');
    calls.reported('a', { name: 'mcp__vscode__workspace_references', rawInput: INPUT });
    calls.reported('b', { name: 'mcp__files__references', rawInput: INPUT });
    calls.reported('c', { title: 'references', rawInput: INPUT });
    calls.reported('d', { name: 'mcp__vscode__references', rawInput: { ...INPUT, line: 4 } });
    calls.reported('e', { name: 'mcp__vscode__references', rawInput: INPUT, status: 'completed' });
    assert.equal(calls.received('ours', 'references', INPUT), undefined);
  });

  it('takes an open report with changed arguments before a call is shown, but none of a call that is over', () => {
    const calls = new EditorCalls('vscode');
    calls.received('ours', 'references', INPUT);
    assert.equal(calls.beforeShown('ours'), undefined);
    calls.reported('theirs', { name: 'mcp__vscode__references', rawInput: { file: './src/a.ts' }, status: 'in_progress' });
    assert.equal(calls.beforeShown('ours')?.theirs, 'theirs');
    assert.equal(calls.beforeShown('ours'), undefined);
  });

  it('waits for no report of another turn', () => {
    const calls = new EditorCalls('vscode');
    calls.received('ours', 'references', INPUT);
    calls.reported('theirs', { name: 'mcp__vscode__rename', rawInput: INPUT });
    calls.turnEnded();
    assert.equal(calls.reported('later', { name: 'mcp__vscode__references', rawInput: INPUT }), undefined);
    assert.equal(calls.received('ours2', 'rename', INPUT), undefined);
  });

  it('remembers a bounded number of calls', () => {
    const calls = new EditorCalls('vscode');
    for (let n = 0; n < 5000; n++) {
      calls.reported(`theirs${n}`, { name: 'mcp__vscode__references', rawInput: { file: `${n}` } });
    }
    assert.equal(calls.received('ours', 'references', { file: '0' }), undefined);
    assert.equal(calls.received('ours', 'references', { file: '4999' })?.theirs, 'theirs4999');
  });

  it('reads names, arguments and equal values', () => {
    assert.deepEqual(
      ['mcp__vscode__a_b', 'vscode.a_b', 'mcp__other__a_b', 'vscode', 'a_b', '', 'my_vscode_a_b'].map((name) =>
        toolNamedBy(name, 'vscode'),
      ),
      ['a_b', 'a_b', undefined, undefined, undefined, undefined, undefined],
    );
    assert.deepEqual([argumentsIn(undefined), argumentsIn({}), argumentsIn('{'), argumentsIn([1])], [[], [], [], []]);
    assert.equal(isEqual({ a: [1, { b: null }] }, { a: [1, {}] }), true);
    assert.equal(isEqual({ a: [1] }, { a: { 0: 1 } }), false);
    assert.equal(isEqual(JSON.parse('{"__proto__":1}'), {}), false);
  });
});

import assert from 'node:assert/strict';
import type { PermissionSubject } from '../../../../src/core/model/content';
import type { ToolCallPatch } from '../../../../src/core/model/event';
import { operationOf } from '../../../../src/core/approval/operation';
import { purposeOf } from '../../../../src/core/approval/purpose';
import { trimEntry } from '../../../../src/core/protocol/trimForView';
import { isBulk } from '../../../../src/core/protocol/view';
import { cardOf, isOnToolCall, requestsOf, waitingFor } from '../../../../src/core/approval/requests';
import { entryIdOf, type PermissionEntry, type ToolCallEntry } from '../../../../src/core/model/state';
import { permissionRequest, stateOf, toolCall, toolDiff, toolText } from '../../../support/events';

function scene(patch: ToolCallPatch, subject: PermissionSubject = {}, more: { title?: string; description?: string } = {}) {
  const { title = patch.title ?? '', ...rest } = more;
  const state = stateOf([toolCall('c', patch), permissionRequest('p', title, { subject: { toolCallId: 'c', ...subject }, ...rest })]);
  const call = state.entries.get(entryIdOf.toolCall('c')) as ToolCallEntry;
  const request = state.entries.get(entryIdOf.permission('p')) as PermissionEntry;
  return { state, call, request, operation: operationOf(request, { call, cwd: '/w' }) };
}

describe('the operation of a permission request', () => {
  const path = '/w/src/a.ts';
  const diff = toolDiff(path, 'one\ntwo\n', 'one\n2\n');

  it('shows a command once, and the input’s other fields', () => {
    const { operation } = scene(
      { title: '`npm test`', kind: 'execute', rawInput: { command: 'npm test', timeout: 3, description: 'Tests it' } },
      { content: [toolText('```\nnpm test\n```'), toolText('Says more')] },
      { description: 'npm test' },
    );
    assert.deepEqual([operation.heading, operation.written, operation.description], ['', 'npm test', '']);
    assert.deepEqual(operation.content, [1]);
    assert.deepEqual(operation.input, { timeout: 3, description: 'Tests it' });
    assert.equal(operation.name, 'npm test');
    assert.equal(operation.cwd, '/w');
  });

  it('shows a description that the input and a text have once, and as no content', () => {
    const described = { title: 'npm test', kind: 'execute', rawInput: { command: 'npm test', description: 'Tests it' } };
    for (const [call, subject] of [
      [{ ...described, content: [toolText('Tests it')] }, {}],
      [{ ...described, content: [toolText('Tests it')] }, { content: [toolText(' Tests it')] }],
      [described, { content: [toolText('Tests it')] }],
    ] as const) {
      const { operation } = scene(call, subject);
      assert.deepEqual(
        [operation.purpose, operation.written, operation.content, operation.called, operation.input],
        ['Tests it', 'npm test', [], [], undefined],
      );
    }
    const own = scene({ ...described, content: [toolText('Tests it')] }, {}, { description: 'Tests it' }).operation;
    assert.deepEqual([own.description, own.purpose, own.called], ['Tests it', '', []]);
    const titled = scene({ ...described, title: 'Tests it', content: [toolText('Tests it')] }).operation;
    assert.deepEqual([titled.purpose, titled.called], ['', []]);
  });

  it('shows the description of a command that is too long for the page', () => {
    const rawInput = { command: `cat <<EOF\n${'x'.repeat(5000)}\nEOF`, description: 'Writes it' };
    const { call } = scene({ title: 'cat', kind: 'execute', rawInput, content: [toolText('Writes it')] });
    const trimmed = trimEntry(call) as ToolCallEntry;
    assert.ok(isBulk(trimmed.rawInput));
    assert.equal(purposeOf(trimmed), 'Writes it');
    const { request } = scene({ title: 'cat', kind: 'execute' });
    const operation = operationOf(request, { call: trimmed, cwd: '/w' });
    assert.deepEqual([operation.purpose, operation.called], ['Writes it', []]);
    assert.ok(isBulk(operation.input));
  });

  it('omits a heading that is part of the command', () => {
    for (const [title, command] of [
      ['npm test', ['bash', '-lc', 'npm test']],
      ['git commit -m x; y', ['git', 'commit', '-m', 'x; y']],
      ['npm test', 'cd web && npm test'],
    ] as const) {
      const { operation } = scene({ title, kind: 'execute', rawInput: { command } });
      assert.deepEqual([operation.heading, operation.spoken], ['', ''], title);
    }
  });

  it('shows the agent’s own command before the one of the input, and both if they differ', () => {
    const { operation } = scene({ title: 'Run', rawInput: { command: 'ls' } }, { command: 'rm x' });
    assert.deepEqual([operation.command, operation.written], ['rm x', 'ls']);
  });

  it('shows a diff once, with its path, whether the call, the request or the input contains it', () => {
    const rawInput = { file_path: path, old_string: 'two', new_string: '2', whole: 'one\ntwo\n' };
    const locations = [{ path, line: 2 }, { path: '/w/b.ts' }, { path: '/w/b.ts' }];
    const { operation } = scene({ title: 'Edit src/a.ts', kind: 'edit', content: [diff, diff], locations, rawInput }, { content: [diff] });
    assert.deepEqual([operation.content, operation.called], [[], [0]]);
    assert.deepEqual(operation.locations, [{ path: '/w/b.ts' }]);
    assert.equal(operation.heading, 'Edit');
    assert.equal(operation.input, undefined);
    const rest = { mode: 'on', insert_line: 2 };
    const told = scene({
      title: 'Edit',
      kind: 'edit',
      content: [toolDiff(path, 'one\ntwo\n', 'none\ntwo\n')],
      rawInput: { ...rest, text: 'two' },
    });
    assert.deepEqual(told.operation.input, rest);
  });

  it('omits from its heading a changed line that the title quotes', () => {
    const content = [toolDiff('/w/calc.js', 'x\n  return a - b;\n', 'x\n  return a + b;\n')];
    const { operation } = scene({ title: 'calc.js: return a - b; => return a + b;', kind: 'edit', content });
    assert.deepEqual([operation.heading, operation.spoken], ['', 'calc.js']);
  });

  it('shows the request’s changes in place of the call’s', () => {
    const other = toolDiff(path, 'two', '2');
    const { operation } = scene({ title: 'Edit', kind: 'edit', content: [other, toolText('why')] }, { content: [diff] });
    assert.deepEqual([operation.content, operation.called], [[0], [1]]);
  });

  it('shows the kind of a change if no other part does', () => {
    assert.equal(scene({ title: 'all.txt', kind: 'delete' }).operation.change, 'delete');
    assert.equal(scene({ title: 'Delete all.txt', kind: 'delete' }).operation.change, undefined);
    assert.equal(scene({ title: 'a.ts', kind: 'edit', content: [diff] }).operation.change, undefined);
  });

  it('shows all of an input that no other part shows', () => {
    const { operation } = scene({ title: 'Ask', kind: 'other', rawInput: { question: 'Ask', n: [] } });
    assert.equal(operation.isShown, false);
    assert.deepEqual(operation.input, { question: 'Ask', n: [] });
  });

  it('shows the request’s own title if that differs', () => {
    assert.equal(scene({ title: 'Editing files', kind: 'edit' }, {}, { title: 'Edit `all` files' }).operation.title, 'Edit all files');
    assert.equal(scene({ title: 'Edit files', kind: 'edit' }, {}, { title: 'Edit `files`' }).operation.title, '');
  });

  it('repeats nothing that an earlier request about the same call shows', () => {
    const { call, request } = scene({ title: 'Run', rawInput: { command: 'ls' } });
    const again = { ...request, permissionId: 'q', entryId: 'permission:q', title: 'And again' };
    const operation = operationOf(again, { call, cwd: '/w', before: [request] });
    assert.deepEqual([operation.written, operation.title, operation.input, operation.cwd], [undefined, 'And again', undefined, undefined]);
  });
});

describe('the title of a permission request', () => {
  it('is not shown where the call has the same title in another form', () => {
    for (const [called, requested, shown] of [
      ['Editing files', 'Edit files', ''],
      ['Writing a file', 'Write a file', ''],
      ['Running tests', 'Run tests', ''],
      ['Editing files', 'Edit other files', 'Edit other files'],
      ['Editing files', 'Delete files', 'Delete files'],
    ] as const) {
      assert.equal(scene({ title: called, kind: 'edit' }, {}, { title: requested }).operation.title, shown, requested);
    }
  });
});

describe('the card of a permission request', () => {
  it('belongs to its tool call, if the conversation contains the call when the request arrives', () => {
    const { state, call, request } = scene({ title: 'Run' });
    assert.equal(cardOf(state, 'p'), 'tool_call:c');
    assert.deepEqual(call.requests, ['p']);
    assert.ok(isOnToolCall(request));
    assert.deepEqual(waitingFor(call, state.entries), [request]);
    const answered = stateOf([{ type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' }], state);
    assert.deepEqual(waitingFor(call, answered.entries), []);
    assert.equal(requestsOf(call, answered.entries)[0]?.outcome?.optionId, 'y');
  });

  it('is separate if there is no such call, even when the call comes later', () => {
    const state = stateOf([
      permissionRequest('p', 'Run', { subject: { toolCallId: 'c' } }),
      toolCall('c', { title: 'Run' }),
      permissionRequest('q', 'Mine'),
    ]);
    assert.deepEqual(
      [cardOf(state, 'p'), cardOf(state, 'q'), cardOf(state, 'nobody')],
      ['permission:p', 'permission:q', 'permission:nobody'],
    );
    assert.equal((state.entries.get('tool_call:c') as ToolCallEntry).requests, undefined);
  });

  it('shows the environment of the raw input, in each form, first the variables that decide what runs', () => {
    const expected = [
      { name: 'NODE_OPTIONS', value: '--require ./x.js' },
      { name: 'CI', value: '1' },
    ];
    for (const env of [
      { CI: '1', NODE_OPTIONS: '--require ./x.js' },
      [{ name: 'CI', value: '1' }, expected[0]],
      ['CI=1', 'NODE_OPTIONS=--require ./x.js'],
    ]) {
      const { operation } = scene({ title: 'npm test', kind: 'execute', rawInput: { command: 'npm test', env } });
      assert.deepEqual(operation.environment, expected);
    }
    assert.deepEqual(scene({ title: 'Fetch', rawInput: { env: { CI: '1' } } }).operation.environment, []);
  });

  it('takes linear time for the locations and contents of a large request', () => {
    const locations = Array.from({ length: 20_000 }, (_, index) => ({ path: `/w/${index % 10_000}` }));
    const content = Array.from({ length: 20_000 }, (_, index) => toolText(`text ${index % 10_000}`));
    const start = performance.now();
    const { operation } = scene({ title: 'Read', content }, { locations, content });
    assert.equal(operation.locations.length, 10_000);
    assert.ok(performance.now() - start < 5000);
  });
});

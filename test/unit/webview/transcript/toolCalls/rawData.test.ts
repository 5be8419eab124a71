import assert from 'node:assert/strict';
import type { ToolCallEntry } from '../../../../../src/core/model/state';
import { hiddenRaw } from '../../../../../webview/transcript/toolCalls/rawData';
import { toolDiff, toolText } from '../../../../support/events';

describe('the data behind the menu of a tool call', () => {
  const hidden = (entry: Partial<ToolCallEntry>, title = 'X') => {
    const { rawInput, rawOutput } = hiddenRaw(
      {
        kind: 'tool_call',
        entryId: 'e',
        at: 1,
        updatedAt: 1,
        toolCallId: 'c',
        toolKind: 'other',
        status: 'completed',
        content: [],
        locations: [],
        ...entry,
      },
      title,
    );
    return [rawInput, rawOutput];
  };

  it('is hidden there when a command or a change already shows it', () => {
    const terminal = { type: 'terminal', terminalId: 't' } as const;
    assert.deepEqual(hidden({ content: [terminal], rawInput: { command: 'ls', timeout: 3 }, rawOutput: { stdout: 'a' } }), [true, true]);
    assert.deepEqual(hidden({ content: [toolDiff('/a', 'a', 'b')], rawInput: { old_string: 'a' }, rawOutput: 'Done' }), [true, true]);
    assert.deepEqual(hidden({ content: [terminal], rawInput: {}, rawOutput: undefined }), [false, false], 'there is nothing');
  });

  it('is hidden there when title, locations and content show it', () => {
    assert.deepEqual(hidden({ rawInput: { command: 'npm  test', timeout: 60 } }, 'npm test'), [true, false]);
    assert.deepEqual(
      hidden(
        { toolKind: 'read', rawInput: { file_path: '/w/src/a.ts', limit: 20 }, content: [toolText('x')], rawOutput: { content: 'x' } },
        'Read src/a.ts',
      ),
      [true, true],
    );
    assert.deepEqual(hidden({ content: [toolText('{"id":1}')], rawOutput: '{"id":1}' }), [false, true]);
    assert.deepEqual(hidden({ status: 'failed', rawOutput: { error: 'No such file' } }), [false, true]);
  });

  it('is hidden there when the card shows the command and its description', () => {
    const rawInput = { command: 'npm test', description: 'Tests it' };
    const called = { toolKind: 'execute', rawInput, content: [toolText('Tests it')] };
    assert.deepEqual(hidden({ ...called, rawOutput: { stdout: 'ok' } }, 'Bash'), [true, false], 'the description is no output');
    assert.deepEqual(hidden({ ...called, rawInput: { ...rawInput, folder: 'web' } }, 'Bash'), [false, false]);
  });

  it('is visible when only the data has the information', () => {
    assert.deepEqual(hidden({ rawInput: { title: 'Not polite', body: 'Long' } }), [false, false]);
    assert.deepEqual(hidden({ rawInput: { limit: 3 }, rawOutput: { matches: 4 } }), [false, false]);
    assert.deepEqual(hidden({ content: [toolText('ok')], rawInput: { query: 'other' }, rawOutput: { url: 'https://x' } }), [false, false]);
    assert.deepEqual(hidden({ rawInput: { bulk: true, length: 9000, head: '{' } }), [false, false]);
  });
});

/** Turns that changed files in all possible ways, thoughts between tool calls, and long messages of the user. */
import type { ToolContent } from '../../src/core/model/content';
import type { EventInput } from '../../src/core/model/event';

const FOLDER = '/home/ada/sample';

export function turns(): EventInput[] {
  return [...manyFiles(), ...oneFile(), ...told()];
}

function manyFiles(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 'files' },
    {
      type: 'message',
      role: 'user',
      messageId: 'files',
      content: [
        {
          type: 'text',
          text: Array.from({ length: 45 }, (_, index) => `${index + 1}. A long list of what to do, pasted whole`).join('\n'),
        },
      ],
    },
    {
      type: 'message_chunk',
      role: 'thought',
      messageId: 'f1',
      content: { type: 'text', text: 'First `src/greet.ts`:\n\n```ts\nexport const polite = true;\n```\n' },
    },
    { type: 'message_chunk', role: 'thought', messageId: 'f1', content: { type: 'text', text: '\n- then the **tests**\n- then the rest' } },
    edit('f-1', `${FOLDER}/src/greet.ts`, 'a\nb\nc\n', 'a\nB\nc\nd\n'),
    { type: 'message_chunk', role: 'thought', messageId: 'f2', content: { type: 'text', text: 'Told at once.' } },
    edit('f-2', `${FOLDER}/src/greet.ts`, 'a\nB\nc\nd\n', 'a\nB\nc\nd\ne\n'),
    edit('f-3', `${FOLDER}/test/a/very/deep/folder/with-a-very-long-name/that-does-not-fit-anywhere/greet.test.ts`, null, 'one\ntwo\n'),
    diff('f-4', [{ type: 'diff', changes: [{ operation: 'delete', path: `${FOLDER}/old.ts`, oldText: 'gone\n', newText: '' }] }]),
    diff('f-5', [{ type: 'diff', changes: [{ operation: 'move', path: `${FOLDER}/src/names.ts`, oldPath: `${FOLDER}/names.ts` }] }]),
    {
      type: 'tool_call_update',
      toolCallId: 'f-6',
      patch: { title: 'Delete dist/main.js', kind: 'delete', status: 'completed', locations: [{ path: `${FOLDER}/dist/main.js` }] },
    },
    { type: 'file_written', file: { path: `${FOLDER}/README.md`, operation: 'modify', added: 12, removed: 4 } },
    edit('f-7', '/etc/hosts', 'x', 'y'),
    { type: 'turn_ended', turnId: 'files', stopReason: 'end_turn' },
  ];
}

function oneFile(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 'file' },
    {
      type: 'message',
      role: 'user',
      messageId: 'file',
      content: [
        { type: 'text', text: 'Only that one.' },
        { type: 'resource', uri: `file://${FOLDER}/src/greet.ts`, mimeType: 'text/x-typescript', text: 'export {};\n' },
      ],
    },
    edit('f-8', `${FOLDER}/src/greet.ts`, 'a\n', 'b\n'),
    { type: 'turn_cancelling' },
    { type: 'turn_ended', turnId: 'file', stopReason: 'cancelled' },
  ];
}

/** A message with links and paths. */
function told(): EventInput[] {
  const text =
    'See `src/greet.ts:12`, [the test](test/greet.test.ts#L3-L9), `console.log`, https://example.com/docs and <ada@example.com>. ' +
    'Not [this](command:workbench.action.quit), nor [that](javascript:alert(1)); [here](https://аррӏе.com) the letters are not what they seem.';
  return [{ type: 'message', role: 'agent', messageId: 'links', content: [{ type: 'text', text }] }];
}

function edit(toolCallId: string, path: string, oldText: string | null, newText: string): EventInput {
  return diff(toolCallId, [{ type: 'diff', changes: [{ operation: oldText === null ? 'add' : 'modify', path, oldText, newText }] }]);
}

function diff(toolCallId: string, content: readonly ToolContent[]): EventInput {
  return { type: 'tool_call_update', toolCallId, patch: { title: 'Edit', kind: 'edit', status: 'completed', content } };
}

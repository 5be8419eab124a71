/** Permission requests on the cards of their tool calls: answered ones, and the waiting ones at the end. */
import type { PermissionOption } from '../../src/core/model/content';
import type { ToolCallPatch, EventInput } from '../../src/core/model/event';

const FOLDER = '/home/ada/sample';

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Allow for This Session', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/** Requests that were answered. */
export function answeredRequests(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 'asked' },
    { type: 'message', role: 'user', messageId: 'asked', content: [{ type: 'text', text: 'Ask me first.' }] },
    ...asked('allowed', { title: '`npm run build`', kind: 'execute', rawInput: { command: 'npm run build' } }),
    { type: 'permission_resolved', permissionId: 'allowed', outcome: 'selected', optionId: 'once' },
    { type: 'tool_call_update', toolCallId: 'allowed', patch: { status: 'completed' } },
    ...asked('rejected', { title: 'Delete dist', kind: 'delete', locations: [{ path: `${FOLDER}/dist` }] }),
    { type: 'permission_resolved', permissionId: 'rejected', outcome: 'selected', optionId: 'no' },
    { type: 'tool_call_update', toolCallId: 'rejected', patch: { status: 'failed' } },
    ...asked('denied', { title: 'git push', kind: 'execute', rawInput: { command: 'git push' } }),
    {
      type: 'permission_resolved',
      permissionId: 'denied',
      outcome: 'selected',
      optionId: 'no',
      byRule: { id: 'team/pushes', reason: { code: 'rule', params: { text: 'no pushes from agents' } } },
    },
    { type: 'tool_call_update', toolCallId: 'denied', patch: { status: 'failed' } },
    ...asked('withdrawn', { title: 'Fetch the releases', kind: 'fetch', rawInput: { url: 'https://releases.example/greet' } }),
    { type: 'permission_resolved', permissionId: 'withdrawn', outcome: 'withdrawn' },
    { type: 'tool_call_update', toolCallId: 'withdrawn', patch: { status: 'cancelled' } },
    { type: 'turn_ended', turnId: 'asked', stopReason: 'end_turn' },
  ];
}

/** Requests that wait. */
export function waitingRequests(): EventInput[] {
  return [
    ...asked(
      'edit-words',
      {
        title: `Edit ${FOLDER}/src/words.ts`,
        kind: 'edit',
        locations: [{ path: `${FOLDER}/src/words.ts`, line: 2 }],
        content: [
          {
            type: 'diff',
            changes: [
              {
                operation: 'modify',
                path: `${FOLDER}/src/words.ts`,
                oldText: "export const hello = 'Hi';\n",
                newText: "export const hello = 'Good day';\n",
              },
            ],
          },
        ],
        rawInput: {
          file_path: `${FOLDER}/src/words.ts`,
          old_string: "export const hello = 'Hi';\n",
          new_string: "export const hello = 'Good day';\n",
          replace_all: false,
        },
      },
      'Friends are greeted elsewhere.',
    ),
    ...asked('run-words', {
      title: '`node scripts/words.js --check --language en,de,fr`',
      kind: 'execute',
      rawInput: { command: 'node scripts/words.js --check --language en,de,fr', description: 'Looks for words without a translation' },
    }),
  ];
}

function asked(toolCallId: string, patch: ToolCallPatch, description?: string): EventInput[] {
  return [
    { type: 'tool_call_update', toolCallId, patch: { status: 'pending', ...patch } },
    {
      type: 'permission_requested',
      permissionId: toolCallId,
      title: patch.title ?? '',
      options: [...OPTIONS],
      subject: { toolCallId },
      ...(description !== undefined && { description }),
    },
  ];
}

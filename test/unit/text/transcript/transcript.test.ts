import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { permissionRequest, stateOf } from '../../../support/events';

const events: EventInput[] = [
  {
    type: 'message',
    role: 'user',
    messageId: '1',
    content: [
      { type: 'text', text: 'Fix it' },
      { type: 'resource', uri: 'file:///a.ts', text: 'x' },
    ],
  },
  { type: 'message_chunk', role: 'thought', messageId: '1', content: { type: 'text', text: 'secret' } },
  {
    type: 'tool_call_update',
    toolCallId: 'c',
    patch: { title: 'Edit a.ts', status: 'completed', locations: [{ path: '/w/a.ts', line: 3 }] },
  },
  permissionRequest('p', 'Write?', { options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
  { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
  {
    type: 'elicitation_requested',
    requestKey: 'e',
    message: 'Where?',
    body: { mode: 'form', fields: [{ name: 'place', type: 'string', required: true }] },
  },
  { type: 'elicitation_resolved', requestKey: 'e', outcome: 'accepted', content: { place: 'here' } },
  {
    type: 'elicitation_requested',
    requestKey: 'u',
    message: 'Open it?',
    body: { mode: 'url', elicitationId: 'u', url: 'https://a.example/' },
  },
  { type: 'message_chunk', role: 'agent', messageId: '2', content: { type: 'text', text: 'Done.' } },
  { type: 'turn_ended', turnId: 't', stopReason: 'max_tokens' },
];

describe('toMarkdown', () => {
  const state = stateOf(events);

  it('contains messages and actions in order', () => {
    assert.equal(
      toMarkdown(state),
      [
        '## User\n\nFix it[file:///a.ts]',
        '- Edit a.ts (completed): `/w/a.ts:3`',
        '- Asked: Write? (Yes)',
        '- Asked: Where? (accepted): `{"place":"here"}`',
        '- Asked: Open it? (not answered)',
        '## Agent\n\nDone.',
        '- The turn ended: max\\_tokens',
      ].join('\n\n'),
    );
  });

  it('separates each message from the next', () => {
    const told = (
      [
        { type: 'message_chunk', role: 'agent', messageId: '1', content: { type: 'text', text: '```js\nlet a' } },
        { type: 'tool_call_update', toolCallId: 'a', patch: { title: '', name: 'look\n```', locations: [{ path: 'a\n```' }] } },
        { type: 'tool_call_update', toolCallId: 'b', patch: { title: '', kind: 'read' } },
        permissionRequest('p', 'May\n# I?', { options: [{ optionId: 'y', name: '', kind: 'allow_once' }] }),
        { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
        { type: 'elicitation_requested', requestKey: 'e', message: 'Where?\n~~~', body: { mode: 'form', fields: [] } },
        { type: 'message_chunk', role: 'agent', messageId: '2', content: { type: 'text', text: '<!-- Done.' } },
      ] as EventInput[]
    ).reduce((folded, event) => reduce(folded, { ...event, at: 1 } as SessionEvent), EMPTY_STATE);
    assert.equal(
      toMarkdown(told),
      [
        '## Agent\n\n```js\nlet a\n```',
        '- look \\`\\`\\` (pending): ```` a ``` ````',
        '- read (pending)',
        '- Asked: May # I? (y)',
        '- Asked: Where? ~~~ (not answered)',
        '## Agent\n\n\\<!-- Done.',
      ].join('\n\n'),
    );
  });

  it('keeps the end when it is too long, and shows that something is missing', () => {
    const text = toMarkdown(state, 60);
    assert.ok(text.startsWith('[…]\n\n## Agent'), text);
  });
});

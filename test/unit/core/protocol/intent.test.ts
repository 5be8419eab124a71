import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseIntent } from '../../../../src/core/protocol/intent';

describe('parseIntent', () => {
  it('reads each intent and copies only its own fields', () => {
    const good: unknown[] = [
      { type: 'ready' },
      { type: 'typing' },
      { type: 'focus', hasFocus: false },
      { type: 'card_sight', permissionId: 'p', sight: 'seen' },
      { type: 'cancel' },
      { type: 'confirm_cancel' },
      { type: 'resync', want: ['a'] },
      { type: 'drawn', seq: 3 },
      { type: 'bodies', entryIds: [] },
      { type: 'terminals', terminalIds: ['t'] },
      { type: 'bulk', entryId: 'x', field: 'content.3' },
      {
        type: 'prompt',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'resource', uri: 'file:///a', text: 't' },
        ],
      },
      { type: 'draft', at: 5, content: [] },
      {
        type: 'draft',
        at: 5,
        content: [
          { type: 'text', text: '' },
          { type: 'resource', uri: 'file:///a', text: 't' },
        ],
      },
      { type: 'edit_queued', queueId: 'q' },
      { type: 'save_queued', queueId: 'q', text: '', kept: [1, 2] },
      { type: 'cancel_queued_edit', queueId: 'q' },
      { type: 'move_queued', queueId: 'q', index: 3 },
      { type: 'remove_queued', queueId: 'q' },
      { type: 'resume_queue' },
      { type: 'answer_permission', permissionId: 'p', optionId: '' },
      { type: 'set_config', configId: 'c', value: false },
      { type: 'open_location', path: '/a', line: 3 },
      { type: 'open_link', href: 'https://x' },
      { type: 'open_diff', entryId: 'e', content: 0, change: 0 },
      { type: 'open_turn_file', entryId: 'turn:1', file: 0 },
      { type: 'open_content', entryId: 'agent:1', content: 2 },
      { type: 'stop_terminal', terminalId: 't' },
      { type: 'stop_tool_call', toolCallId: 't' },
      { type: 'show_terminal', terminalId: 't' },
      { type: 'start_page' },
      { type: 'open_session', sessionKey: 'k-1' },
      { type: 'copy', text: '' },
      { type: 'insert_code', text: '' },
      { type: 'apply_code', text: 'x', info: 'ts a.ts' },
      { type: 'find', findId: 3, text: 'x', caseSensitive: true, wholeWord: false },
      { type: 'reading' },
      { type: 'reading', entryId: 'user:1' },
      { type: 'action', action: 'retry' },
    ];
    for (const intent of good) {
      assert.deepEqual(parseIntent({ ...(intent as object), planted: 1 }), intent);
    }
  });

  it('refuses malformed messages', () => {
    const bad: unknown[] = [
      null,
      'ready',
      [],
      { type: 'constructor' },
      { type: '__proto__' },
      { type: 'prompt', content: [] },
      { type: 'prompt', content: [{ type: 'unknown', raw: 1 }] },
      { type: 'prompt', content: 'hi' },
      { type: 'draft', content: [] },
      { type: 'draft', at: 5, content: [{ type: 'unknown', raw: 1 }] },
      { type: 'save_queued', queueId: 'q', text: 'x' },
      { type: 'save_queued', queueId: 'q', text: 'x', kept: [-1] },
      { type: 'move_queued', queueId: 'q', index: 0.5 },
      { type: 'remove_queued' },
      { type: 'resync', want: [1] },
      { type: 'bulk', entryId: 'x', field: '__proto__' },
      { type: 'open_location', path: '', line: 1 },
      { type: 'open_turn_file', entryId: 'turn:1', file: -1 },
      { type: 'open_content', entryId: 'agent:1', content: '2' },
      { type: 'set_config', configId: 'c', value: 3 },
      { type: 'find', findId: 3, text: 'x'.repeat(1001), caseSensitive: true, wholeWord: false },
      { type: 'find', findId: 3, text: 'x', caseSensitive: true },
      { type: 'reading', entryId: 4 },
      { type: 'focus' },
      { type: 'insert_code', text: 'x'.repeat(4 * 1024 * 1024 + 1) },
      { type: 'apply_code', text: 'x' },
      { type: 'apply_code', text: 'x', info: 'x'.repeat(9000) },
      { type: 'open_link', href: 'x'.repeat(9000) },
      { type: 'action', action: 'rm' },
      { type: 'bodies', entryIds: Array.from({ length: 5000 }, () => 'a') },
    ];
    for (const message of bad) {
      assert.equal(parseIntent(message), undefined, JSON.stringify(message)?.slice(0, 80));
    }
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (message) => void parseIntent(message)));
  });
});

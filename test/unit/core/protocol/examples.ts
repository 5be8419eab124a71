/** Examples of the messages of a page, for tests that enumerate them. */
import type { ContentBlock } from '../../../../src/core/model/content';
import { messages } from '../../../../src/core/protocol/intent';
import type { FromView } from '../../../../src/core/protocol/view';

const prompt: ContentBlock[] = [{ type: 'text', text: 'Hi' }];

/** Messages whose fields cannot be guessed, or that read better with these values. */
const EXAMPLES: { readonly [T in FromView['type']]?: Extract<FromView, { type: T }> } = {
  sandbox_allow: { type: 'sandbox_allow', kind: 'host', target: 'example.com' },
  ready: { type: 'ready' },
  ping: { type: 'ping', pingId: 1 },
  resync: { type: 'resync', want: [] },
  drawn: { type: 'drawn', seq: 0 },
  bodies: { type: 'bodies', entryIds: ['tool_call:t'] },
  terminals: { type: 'terminals', terminalIds: ['t'] },
  bulk: { type: 'bulk', entryId: 'tool_call:t', field: 'rawInput' },
  draft: { type: 'draft', at: 1, content: prompt },
  prompt: { type: 'prompt', content: prompt },
  cancel: { type: 'cancel' },
  confirm_cancel: { type: 'confirm_cancel' },
  edit_queued: { type: 'edit_queued', queueId: 'q' },
  save_queued: { type: 'save_queued', queueId: 'q', text: 'x', kept: [1] },
  cancel_queued_edit: { type: 'cancel_queued_edit', queueId: 'q' },
  move_queued: { type: 'move_queued', queueId: 'q', index: 0 },
  retry_prompt: { type: 'retry_prompt', turnId: 't' },
  mark_favorite: { type: 'mark_favorite', configId: 'c', value: 'v', isFavorite: true },
  resend: { type: 'resend', entryId: 'e', content: prompt },
  remove_queued: { type: 'remove_queued', queueId: 'q' },
  send_queued: { type: 'send_queued', queueId: 'q', now: 'steer' },
  resume_queue: { type: 'resume_queue' },
  attach_files: { type: 'attach_files' },
  change_report: { type: 'change_report', act: 'remove', path: '/w/a' },
  review_changes: { type: 'review_changes', act: 'keep', path: '/w/a' },
  saved_lines: { type: 'saved_lines', act: 'compare', entryId: 'permission:p1' },
  restore_checkpoint: { type: 'restore_checkpoint', entryId: 'user:1' },
  find_mentions: { type: 'find_mentions', queryId: 1, text: 'app' },
  pick_mention: { type: 'pick_mention', pick: 'command-1' },
  open_mention: { type: 'open_mention', mention: { type: 'mention', token: '@a', name: 'a', ref: { kind: 'problems' } } },
  stop_context: { type: 'stop_context', context: 'selection' },
  attach_uris: { type: 'attach_uris', uris: ['file:///w/a'] },
  answer_permission: { type: 'answer_permission', permissionId: 'p', optionId: 'o' },
  answer_alike: { type: 'answer_alike', permissionIds: ['p'], kind: 'reject_once' },
  set_permission_mode: { type: 'set_permission_mode', mode: 'planOnly' },
  answer_elicitation: { type: 'answer_elicitation', requestKey: 'k', action: 'cancel' },
  open_elicitation: { type: 'open_elicitation', requestKey: 'k' },
  sign_in: { type: 'sign_in' },
  set_config: { type: 'set_config', configId: 'c', value: true },
  open_location: { type: 'open_location', path: '/w/a' },
  open_link: { type: 'open_link', href: 'https://example.com' },
  open_diff: { type: 'open_diff', entryId: 'e', content: 0, change: 0 },
  open_turn_file: { type: 'open_turn_file', entryId: 'e', file: 0 },
  open_content: { type: 'open_content', entryId: 'e', content: 0 },
  mark_ended: { type: 'mark_ended', toolCallId: 't' },
  stop_terminal: { type: 'stop_terminal', terminalId: 't' },
  stop_tool_call: { type: 'stop_tool_call', toolCallId: 't' },
  show_terminal: { type: 'show_terminal', terminalId: 't' },
  typing: { type: 'typing' },
  focus: { type: 'focus', hasFocus: true },
  card_sight: { type: 'card_sight', permissionId: 'p', sight: 'seen' },
  copy: { type: 'copy', text: 'x' },
  find: { type: 'find', findId: 1, text: 'x', caseSensitive: false, wholeWord: false },
  reading: { type: 'reading', entryId: 'e' },
  insert_code: { type: 'insert_code', text: 'x' },
  apply_code: { type: 'apply_code', text: 'x', info: '' },
  files: { type: 'files', texts: ['a.ts'] },
  run_code: { type: 'run_code', text: 'ls' },
  action: { type: 'action', action: 'show_log' },
  accounts: { type: 'accounts' },
  continue_with_account: { type: 'continue_with_account', agentId: 'Claude Code (work)' },
  start_page: { type: 'start_page' },
  open_session: { type: 'open_session', sessionKey: 'k' },
  page_state: { type: 'page_state', state: '{}' },
  set_chat_location: { type: 'set_chat_location', location: 'sideBar' },
};

/** Values that fit the fields of most messages. */
const VALUES: readonly unknown[] = ['x', 0, true, ['x'], prompt, []];

/** Returns a valid message of this type: one of the examples above, or else a guess. */
export function exampleOf(type: FromView['type']): FromView {
  const { schema } = messages[type];
  const fields: Record<string, unknown> = {};
  let refused = '';
  const isValid = (): boolean =>
    schema.validate(new Proxy(fields, { get: (target, name) => ((refused = String(name)), Reflect.get(target, name) as unknown) }));
  while (!EXAMPLES[type] && !isValid()) {
    const field = refused;
    if (!VALUES.some((value) => ((fields[field] = value), isValid() || refused !== field))) {
      throw new Error(`No example of the field ${field} of ${type}: add the message to EXAMPLES.`);
    }
  }
  return EXAMPLES[type] ?? ({ type, ...fields } as FromView);
}

/**
 * The requests of a page that are accepted for a replayed log, and in Restricted Mode. A log is data of unknown origin, so only requests that read it
 * are accepted.
 */
import type { FromView, ViewAction } from './intent';

const READING: ReadonlySet<FromView['type']> = new Set([
  'copy',
  'files',
  'open_location',
  'open_link',
  'open_diff',
  'open_turn_file',
  'open_content',
  'open_session',
  'set_chat_location',
  // Code is put into the editor that the user has opened, or into a folder that the user chooses for it.
  'insert_code',
  'apply_code',
  'run_code',
] satisfies FromView['type'][]);

/** The buttons that do not need the session's own agent. Those that start one ask for the folder. */
const ACTIONS: ReadonlySet<ViewAction> = new Set([
  'show_log',
  'open_settings',
  'add_agent',
  'new_session',
  'new_session_with',
  'session_history',
  'copy_conversation',
  'export_conversation',
  'show_protocol_log',
  'follow_agent',
  'try_demo',
  'install_node',
  'resume',
  'continue_in_new',
  'continue_with',
  'fork',
] satisfies ViewAction[]);

/**
 * Returns `intent` in the form that is accepted for a replayed log, or undefined. A log cannot be resumed: its conversation continues in a new
 * session.
 */
export function recordedIntent(intent: FromView): FromView | undefined {
  if (intent.type !== 'action') {
    return READING.has(intent.type) ? intent : undefined;
  }
  if (!ACTIONS.has(intent.action)) {
    return undefined;
  }
  return intent.action === 'resume' ? { type: 'action', action: 'continue_in_new' } : intent;
}

/** The requests that are accepted in Restricted Mode. They read the conversation itself. No file of the workspace is looked up, and nothing runs. */
const RESTRICTED: ReadonlySet<FromView['type']> = new Set([
  'copy',
  'open_link',
  'open_content',
  'open_session',
  'set_chat_location',
] satisfies FromView['type'][]);

/** The buttons that are accepted in Restricted Mode. `new_session` and `trust_folder` offer to trust the workspace. */
const RESTRICTED_ACTIONS: ReadonlySet<ViewAction> = new Set([
  'show_log',
  'open_settings',
  'add_agent',
  'new_session',
  'session_history',
  'copy_conversation',
  'export_conversation',
  'trust_folder',
] satisfies ViewAction[]);

/** Returns `intent` if Restricted Mode accepts it; otherwise undefined. */
export function restrictedIntent(intent: FromView): FromView | undefined {
  const counts = intent.type === 'action' ? RESTRICTED_ACTIONS.has(intent.action) : RESTRICTED.has(intent.type);
  return counts ? intent : undefined;
}

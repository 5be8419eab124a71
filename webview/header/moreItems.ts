/** The items of the session's menu. Loaded after the first paint. */
import { isNew } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import type { SentInstructions } from '../../src/core/account/instructions';
import type { FromView, MenuAction } from '../../src/core/protocol/view';
import { oneLine } from '../../src/text/characters/textSafety';
import { t } from '../base/l10n';
import type { MenuItem } from '../components/menu';
import { actionItem, grouped } from './menuItems';
import { sandboxModeName } from './sandboxMode';

/** UTF-16 units of the instructions in the menu. */
const MAX_HINT = 120;

/** Returns the items of the menu. @param find opens the search in the conversation */
export function moreItems(state: SessionState, post: (message: FromView) => void, find: () => void): MenuItem[] {
  const { status, capabilities, failure, marks, agentName } = state;
  const isEmpty = state.entries.length === 0;
  const isReplayed = failure?.code === 'session.replayed';
  const isRunning = status === 'ready' || status === 'starting';
  const changesFolders = status === 'ready' && capabilities.additionalDirectories && (capabilities.load || capabilities.resume);
  const agent = oneLine(agentName, 60);
  const act = actionItem(post);
  const choose = (label: string, action: MenuAction): MenuItem => ({ label, choose: () => post({ type: 'action', action }) });
  const fork = capabilities.fork === true ? t('{agent} makes a copy', { agent }) : t('Attaches the conversation to a new session');
  // A session without a message is deleted with its chat, so it cannot be renamed, pinned or archived.
  const marking = isReplayed || isNew(state) ? [] : markItems(marks, choose);
  const isInSideBar = document.documentElement.dataset.place === 'sideBar';
  return grouped([
    isEmpty ? [] : [{ label: t('Find'), choose: find }, act('copy_conversation'), act('export_conversation')],
    marking,
    [
      isInSideBar ? choose(t('Move to Editor'), 'move_to_editor') : choose(t('Move to Side Bar'), 'move_to_side_bar'),
      ...(isReplayed ? [] : [choose(t('New Session in Worktree…'), 'new_in_worktree')]),
    ],
    [
      ...(isEmpty || isReplayed ? [] : [act('review_session')]),
      ...(isNew(state) || isReplayed ? [] : [choose(t('Restore Checkpoint…'), 'restore_checkpoint')]),
      ...(changesFolders ? [act('change_folders')] : []),
      ...(capabilities.providers && !isReplayed
        ? [{ label: t('Model Endpoints…'), choose: () => post({ type: 'endpoints', shown: String(Date.now()) }) }]
        : []),
      ...(state.instructions
        ? [{ ...choose(t('Instructions…'), 'open_instructions'), hint: instructionsHint(state.instructions, agent) }]
        : []),
      ...(isReplayed || status !== 'ready' ? [] : [{ label: t('MCP Servers…'), choose: () => post({ type: 'servers_choose' }) }]),
      ...(isReplayed || status === 'ended' ? [] : [sandboxItem(state, post)]),
      { ...act('follow_agent'), hint: t('Shows the files it reads and edits') },
      act('show_protocol_log'),
      ...(isReplayed || !isRunning ? [] : [act('share_session')]),
    ],
    isEmpty || isReplayed ? [] : [{ ...act('fork'), hint: fork }, act('continue_with')],
    isRunning ? [{ ...act('end_session'), destructive: true }] : [],
  ]);
}

function sandboxItem({ sandbox }: SessionState, post: (message: FromView) => void): MenuItem {
  return {
    label: t('Sandbox: {mode}…', { mode: sandboxModeName(sandbox?.mode ?? 'off') }),
    choose: () => post({ type: 'sandbox_choose' }),
  };
}

function markItems(marks: SessionState['marks'], choose: (label: string, action: MenuAction) => MenuItem): MenuItem[] {
  return [
    choose(t('Rename Session…'), 'rename_session'),
    marks?.pinned ? choose(t('Unpin Session'), 'unpin_session') : choose(t('Pin Session'), 'pin_session'),
    marks?.archived ? choose(t('Unarchive Session'), 'unarchive_session') : choose(t('Archive Session'), 'archive_session'),
  ];
}

/** The beginning of the texts, and whether the agent has them. */
function instructionsHint({ mode, parts, isSent }: SentInstructions, agent: string): string {
  const text = oneLine(parts.map((part) => part.text).join(' '), MAX_HINT);
  if (!isSent) {
    return t('{agent} takes none. Not sent: {text}', { agent, text });
  }
  return mode === 'override' ? t("In place of the agent's own: {text}", { text }) : text;
}

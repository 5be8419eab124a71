/** What can be done about sessions: a new one, an earlier one, and with this one. */
import { useSelect, useView } from '../context';
import { HistoryIcon, MoreIcon, PlusIcon } from '../icons';
import { t } from '../l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { MenuButton, type MenuItem } from './menu';
import { actor, grouped } from './menuItems';

export function SessionActions() {
  const { post } = useView();
  return (
    <div class="header-actions">
      <button
        type="button"
        class="icon-button"
        aria-label={t('New Session')}
        title={t('New Session')}
        onClick={() => post({ type: 'action', action: 'new_session' })}
      >
        <PlusIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Session History')}
        title={t('Session History')}
        onClick={() => post({ type: 'action', action: 'session_history' })}
      >
        <HistoryIcon />
      </button>
      <MoreMenu />
    </div>
  );
}

function MoreMenu() {
  const { post, search } = useView();
  const isEmpty = useSelect(({ entries }) => entries.length === 0);
  const isRunning = useSelect(({ status }) => status === 'ready' || status === 'starting');
  const changesFolders = useSelect(
    ({ status, offers }) => status === 'ready' && offers.additionalDirectories && (offers.load || offers.resume),
  );
  const agent = oneLine(
    useSelect(({ agentName }) => agentName),
    60,
  );
  const forks = useSelect(({ offers }) => offers.fork === true);
  const isReplayed = useSelect(({ failure }) => failure?.code === 'session.replayed');
  const act = actor(post);
  const hint = forks ? t('{agent} makes a copy', { agent }) : t('Attaches the conversation to a new session');
  const find: MenuItem = { label: t('Find'), choose: () => search.show() };
  const items = grouped([
    isEmpty ? [] : [find, act('copy_conversation'), act('export_conversation')],
    [
      ...(isEmpty || isReplayed ? [] : [act('review_session')]),
      ...(changesFolders ? [act('change_folders')] : []),
      { ...act('follow_agent'), hint: t('Shows the files it reads and edits') },
      act('show_protocol_log'),
    ],
    isEmpty || isReplayed ? [] : [{ ...act('fork'), hint }, act('continue_with')],
    isRunning ? [{ ...act('end_session'), destructive: true }] : [],
  ]);
  return (
    <MenuButton id="more-menu" label={t('More Actions…')} title={t('More Actions…')} items={items}>
      <MoreIcon />
    </MenuButton>
  );
}

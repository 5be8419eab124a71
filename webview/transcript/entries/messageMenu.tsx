/** The menu of the user's own message, besides Copy. */
import { isReportUri } from '../../../src/core/model/reportAddress';
import { entryIdOf, type MessageEntry } from '../../../src/core/model/state';
import { isBusy } from '../../../src/core/model/select';
import { repeatableTurn } from '../../../src/core/queue/retry';
import { editingText } from './editingStrings';
import { useSelect, useView } from '../../state/context';
import { MenuButton, type MenuItem } from '../../components/menu';
import { MoreIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { useRetry } from './retry';

/** Failures of sessions that are read-only here. */
const READ_ONLY = new Set(['session.replayed', 'session.live_elsewhere', 'session.newer_version', 'session.restricted_mode']);

export function MessageMenu({ entry }: { entry: MessageEntry }) {
  const { mirror, draft, say, post } = useView();
  // A replayed conversation has no agent to answer.
  const isReplayed = useSelect(({ failure }) => failure?.code === 'session.replayed');
  const isReadOnly = useSelect(({ failure }) => failure !== undefined && READ_ONLY.has(failure.code));
  const edit: MenuItem = {
    label: t('Edit and Resend'),
    hint: t('In a new session; files stay as they are'),
    choose: () => {
      draft.edit(
        entry.entryId,
        // A report of changes belongs to the prompt that sent it.
        entry.content.filter((block) => block.type !== 'resource' || !isReportUri(block.uri)),
      );
      say(editingText(isBusy(mirror.state)));
      document.querySelector<HTMLElement>('.composer-text')?.focus();
    },
  };
  // VS Code asks what to restore.
  const restore: MenuItem = {
    label: t('Restore Checkpoint…'),
    hint: t('Files, the conversation, or both go back to before this message'),
    choose: () => post({ type: 'restore_checkpoint', entryId: entry.entryId }),
  };
  // Only the last turn's prompt can be sent again, because later messages would not fit an earlier one.
  const lastTurnId = useSelect((state) => {
    const turnId = repeatableTurn(state)?.turnId;
    return turnId !== undefined && entryIdOf.message('user', turnId) === entry.entryId ? turnId : undefined;
  });
  const resend = useRetry(lastTurnId ?? '');
  const retry: MenuItem = {
    label: t('Retry'),
    hint: t('Sends this message again'),
    choose: () => {
      resend();
      document.querySelector<HTMLElement>('.composer-text')?.focus();
    },
  };
  if (isReplayed) {
    return null;
  }
  return (
    <MenuButton
      id={`message-menu-${entry.entryId}`}
      label={t('Message Actions…')}
      title={t('Message Actions…')}
      items={[edit, ...(lastTurnId === undefined ? [] : [retry]), ...(isReadOnly ? [] : [restore])]}
      floating
    >
      <MoreIcon />
    </MenuButton>
  );
}

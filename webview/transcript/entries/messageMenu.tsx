/** What can be done about a message of the user's own, besides copying it. */
import { isReportUri } from '../../../src/core/fileChanges/reportAddress';
import { entryIdOf, type MessageEntry } from '../../../src/core/model/state';
import { isBusy } from '../../../src/core/model/select';
import { repeatableTurn } from '../../../src/core/queue/retry';
import { editingWords } from '../../composer/editingWords';
import { useSelect, useView } from '../../context';
import { MenuButton, type MenuItem } from '../../header/menu';
import { MoreIcon } from '../../icons';
import { t } from '../../l10n';
import { useRetry } from './retry';

/** Failures of sessions that can only be read here. */
const READ_ONLY = new Set(['session.replayed', 'session.live_elsewhere', 'session.newer_version', 'session.restricted_mode']);

export function MessageMenu({ entry }: { entry: MessageEntry }) {
  const { mirror, draft, say, post } = useView();
  // Nobody answers in a conversation that is only replayed.
  const isReplayed = useSelect(({ failure }) => failure?.code === 'session.replayed');
  const isReadOnly = useSelect(({ failure }) => failure !== undefined && READ_ONLY.has(failure.code));
  const edit: MenuItem = {
    label: t('Edit and Resend'),
    hint: t('In a new session; files stay as they are'),
    choose: () => {
      draft.edit(
        entry.entryId,
        // What was told of changes belongs to the prompt that told it.
        entry.content.filter((block) => block.type !== 'resource' || !isReportUri(block.uri)),
      );
      say(editingWords(isBusy(mirror.state)));
      document.querySelector<HTMLElement>('.composer-text')?.focus();
    },
  };
  // What goes back is asked in VS Code.
  const restore: MenuItem = {
    label: t('Restore Checkpoint…'),
    hint: t('Files, the conversation, or both go back to before this message'),
    choose: () => post({ type: 'restore_checkpoint', entryId: entry.entryId }),
  };
  // Only the last turn's prompt can be sent again: what was said since would not fit an earlier one.
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

/** Beside Send while a turn runs: whether the message waits, goes into the turn, or instead of it. */
import type { SendNow } from '../../src/core/queue/rules';
import { MenuButton } from '../header/menu';
import { ChevronIcon } from '../icons';
import { t } from '../l10n';
import { sendNowHint, sendNowLabel } from './sendNowWords';
import { sendNowKeys } from './sendNowKeys';

interface Props {
  readonly ways: readonly SendNow[];
  /** Without a way it is queued. */
  send(now?: SendNow): void;
}

export function SendMenu({ ways, send }: Props) {
  const items = [
    { label: t('Add to Queue'), hint: t('Sent when the agent is done (Enter)'), choose: () => send() },
    ...ways.map((way) => ({
      label: sendNowLabel(way),
      hint: `${sendNowHint(way)} (${sendNowKeys(way, ways)})`,
      choose: () => send(way),
    })),
  ];
  return (
    <MenuButton id="send-menu" label={t('Send Options')} title={t('Send Options')} items={items} floating>
      <ChevronIcon />
    </MenuButton>
  );
}

/** The menu beside Send while a turn runs: queue the message, add it to the turn, or send it instead of the turn. */
import type { SendNow } from '../../src/core/queue/rules';
import { MenuButton } from '../components/menu';
import { ChevronIcon } from '../base/icons';
import { t } from '../base/l10n';
import { sendNowHint, sendNowLabel } from './sendNowStrings';
import { sendNowKeys } from './sendNowKeys';

interface Props {
  readonly ways: readonly SendNow[];
  /** Without `now` the message is queued. */
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

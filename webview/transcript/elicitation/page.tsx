/**
 * A web page that the agent asks to open: its whole address with the site marked, and warnings about it. The page loads nothing from it. The host
 * opens it in the browser when the user agrees.
 */
import { useEffect, useState } from 'preact/hooks';
import type { ElicitationEntry } from '../../../src/core/model/state';
import { useSelect, useView } from '../../state/context';
import { WarningIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { ANSWER_TIMEOUT_MS } from './form';
import { type Address, addressOf } from './urlSafety';
import { warningText } from './strings';

export function ElicitationPage({ entry: { requestKey, outcome, completed }, url }: { entry: ElicitationEntry; url: string }) {
  const { forms, post } = useView();
  const live = useSelect(({ status }) => status === 'ready' || status === 'starting');
  const [sent, setSent] = useState(forms.get(requestKey).sent);
  useEffect(() => forms.subscribe(() => setSent(forms.get(requestKey).sent)), []);
  useEffect(() => {
    if (!sent) {
      return undefined;
    }
    const timer = setTimeout(() => forms.sent(requestKey, false), ANSWER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [sent]);
  const address = addressOf(url);
  const answer = (action: 'accept' | 'decline' | 'cancel') => () => {
    if (sent) {
      return;
    }
    forms.sent(requestKey, true);
    post({ type: 'answer_elicitation', requestKey, action });
  };
  if (!address) {
    return <div class="address">{escapeMisleading(url)}</div>;
  }
  if (outcome) {
    const open = outcome.type === 'accepted' && !completed;
    return (
      <>
        <AddressView address={address} />
        {open && (
          <div class="options">
            {live && <span class="elicitation-waits">{t('Waiting for {host}', { host: address.host })}</span>}
            <button type="button" class="button button-secondary" onClick={() => post({ type: 'open_elicitation', requestKey })}>
              {t('Open Again')}
            </button>
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <AddressView address={address} />
      <div class="options" onKeyDown={(event) => event.repeat && event.preventDefault()}>
        <button
          type="button"
          class={isTrap(address) ? 'button button-secondary' : 'button'}
          aria-disabled={sent}
          onClick={answer('accept')}
        >
          {t('Open {host} in Browser', { host: address.host })}
        </button>
        <button
          type="button"
          class="button button-secondary"
          aria-disabled={sent}
          title={t('Decline the request')}
          onClick={answer('decline')}
        >
          {t('Decline')}
        </button>
        <button
          type="button"
          class="button button-secondary"
          aria-disabled={sent}
          title={t('Close the question without answering')}
          onClick={answer('cancel')}
        >
          {t('Dismiss')}
        </button>
      </div>
    </>
  );
}

/** True for an address whose warnings rule out a primary button. */
function isTrap({ warnings }: Address): boolean {
  return warnings.includes('mixed_scripts') || warnings.includes('userinfo');
}

function AddressView({ address }: { address: Address }) {
  const { before, host, after, warnings } = address;
  return (
    <>
      <div class="address" dir="ltr">
        <span>{before}</span>
        <strong>{host}</strong>
        <span>{after}</span>
      </div>
      {warnings.map((warning) => (
        <div key={warning} class="address-warning">
          <WarningIcon />
          {warningText(warning, address)}
        </div>
      ))}
    </>
  );
}

/** The page of the endpoints from which the agent gets its models: each can be pointed elsewhere, and back. Keys are typed in VS Code, not here. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { EndpointOnPage, EndpointsPage as Page } from '../../src/core/protocol/channels/endpoints';
import { escapeMisleading, oneLine } from '../../src/text/characters/textSafety';
import { Spinner } from '../base/icons';
import { t } from '../base/l10n';
import { FailureBox } from '../failures/failureBox';
import { useSelect, useView } from '../state/context';

const MAX_NAME = 60;
const MAX_ADDRESS = 300;

type Header = 'none' | 'bearer' | 'x-api-key' | 'api-key';

export function EndpointsPage({ page, leave }: { page: Page; leave(): void }) {
  const { shown, isBusy, endpoints, failure, isChanged } = page;
  const agentName = useSelect((state) => state.agentName);
  const agent = oneLine(agentName, MAX_NAME);
  const [isClosed, setClosed] = useState(false);
  const heading = useRef<HTMLDivElement>(null);
  const id = useId();
  // The list of the last answer stays while the agent is asked again.
  const known = useRef(endpoints);
  known.current = endpoints ?? known.current;
  useLayoutEffect(() => heading.current?.focus(), []);
  if (isClosed) {
    return null;
  }
  const close = (): void => {
    setClosed(true);
    leave();
  };
  const status = isBusy
    ? t('Asking {agent}…', { agent })
    : isChanged
      ? t('New sessions of {agent} use the endpoint. Restart the agent for open ones.', { agent })
      : '';
  return (
    <section
      class="changes-bar"
      aria-labelledby={id}
      aria-busy={isBusy}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        }
      }}
    >
      <div class="fold-body">
        <div class="elicitation-head">
          <div class="elicitation-words elicitation-title" role="heading" aria-level={2} id={id} tabIndex={-1} ref={heading}>
            {t('Model endpoints of {agent}', { agent })}
          </div>
          <button type="button" class="button button-secondary" onClick={close}>
            {t('Close')}
          </button>
        </div>
        <div class="field-hint" role="status">
          {isBusy && <Spinner />}
          {status}
        </div>
        {failure && !isBusy && <FailureBox failure={failure} name="endpoints" actions={['show_log']} quiet />}
        {known.current?.length === 0 && <div class="field-hint">{t('{agent} has no endpoints that can be set.', { agent })}</div>}
        <div class="elicitation-text">
          {known.current?.map((endpoint) => (
            <EndpointForm key={endpoint.providerId} endpoint={endpoint} shown={shown} isBusy={isBusy} />
          ))}
        </div>
      </div>
    </section>
  );
}

function EndpointForm({ endpoint, shown, isBusy }: { endpoint: EndpointOnPage; shown: string; isBusy: boolean }) {
  const { post } = useView();
  const { providerId, supported, required, current, isSet } = endpoint;
  const [apiType, setApiType] = useState(current?.apiType ?? supported[0] ?? '');
  const [baseUrl, setBaseUrl] = useState(current?.baseUrl ?? '');
  const [header, setHeader] = useState<Header>('bearer');
  const id = useId();
  const name = oneLine(providerId, MAX_NAME);
  const source = isSet ? t('Set by you') : current ? t("The agent's own") : t('Off');
  const isValid = /^https?:\/\/\S/i.test(baseUrl.trim());
  const canSet = isValid && !isBusy;
  const set = (event: Event): void => {
    event.preventDefault();
    if (canSet) {
      post({ type: 'endpoints', shown, change: { providerId, to: 'set', apiType, baseUrl: baseUrl.trim(), header } });
    }
  };
  return (
    <form class="elicitation-form" aria-label={name} onSubmit={set}>
      <div class="elicitation-about-title">
        <bdi>{name}</bdi> <span class="field-hint">{source}</span>
        {current && <div class="field-hint">{escapeMisleading(oneLine(current.baseUrl, MAX_ADDRESS))}</div>}
      </div>
      {supported.length > 1 && (
        <div class="field">
          <label class="field-label" for={`${id}kind`}>
            {t('Kind of endpoint')}
          </label>
          <select class="field-input" id={`${id}kind`} value={apiType} onChange={(event) => setApiType(event.currentTarget.value)}>
            {supported.map((each) => (
              <option key={each} value={each}>
                {oneLine(each, MAX_NAME)}
              </option>
            ))}
          </select>
        </div>
      )}
      {supported.length > 0 && (
        <>
          <div class="field">
            <label class="field-label" for={`${id}address`}>
              {t('Address of the endpoint')}
            </label>
            <input
              class="field-input"
              id={`${id}address`}
              type="url"
              spellcheck={false}
              autocomplete="off"
              placeholder="https://gateway.example.com/v1"
              value={baseUrl}
              aria-invalid={baseUrl.trim() !== '' && !isValid}
              aria-describedby={baseUrl.trim() !== '' && !isValid ? `${id}problem` : undefined}
              onInput={(event) => setBaseUrl(event.currentTarget.value)}
            />
            {baseUrl.trim() !== '' && !isValid && (
              <div class="field-problem" id={`${id}problem`}>
                {t('Enter an address that begins with https:// or http://')}
              </div>
            )}
          </div>
          <div class="field">
            <label class="field-label" for={`${id}key`}>
              {t('How the key is sent')}
            </label>
            <select class="field-input" id={`${id}key`} value={header} onChange={(event) => setHeader(event.currentTarget.value as Header)}>
              <option value="bearer">{`${t('Bearer Token')} (Authorization)`}</option>
              <option value="x-api-key">{`${t('API Key')} (x-api-key)`}</option>
              <option value="api-key">{`${t('API Key')} (api-key)`}</option>
              <option value="none">{t('No Key')}</option>
            </select>
          </div>
        </>
      )}
      <div class="options">
        {supported.length > 0 && (
          <button type="submit" class="button" aria-disabled={!canSet}>
            {t('Set Endpoint…')}
          </button>
        )}
        {isSet && (
          <button
            type="button"
            class="button button-secondary"
            aria-disabled={isBusy}
            onClick={() => isBusy || post({ type: 'endpoints', shown, change: { providerId, to: 'reset' } })}
          >
            {t("Use the Agent's Own Endpoint")}
          </button>
        )}
        {!required && current && (
          <button
            type="button"
            class="button button-secondary"
            aria-disabled={isBusy}
            onClick={() => isBusy || post({ type: 'endpoints', shown, change: { providerId, to: 'off' } })}
          >
            {t('Turn Off')}
          </button>
        )}
      </div>
    </form>
  );
}

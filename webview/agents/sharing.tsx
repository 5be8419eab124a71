/** The page of a sharing: the token once, the shared sessions, the attached clients, and the given accesses. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FromSharePage, ShareAction, ShareRow, ShareState, ShownInvitation } from '../../src/core/share/sharePage';
import { t } from '../base/l10n';
import { usePost } from './parts';

type Act = (action: ShareAction, key?: string) => void;

/** @param isLost true while the extension host does not answer. Its page shows no token, because the page may stay open for days. */
export function Sharing({ state, isLost }: { state: ShareState; isLost: boolean }) {
  const post = usePost();
  const act: Act = (action, key) => {
    const message: FromSharePage = { action, ...(key !== undefined && { key }) };
    post({ type: 'share', message });
  };
  const { url, fingerprint, about, invitation, sessions, clients, accesses } = state;
  return (
    <main class="agents">
      <h1 class="agents-title">{t('Shared Sessions')}</h1>
      <p class="share-about">{about}</p>
      {url !== undefined && (
        <>
          <dl class="agent-facts">
            <Fact label={t('Address')} value={url} />
            {fingerprint !== undefined && <Fact label={t('Certificate (SHA-256)')} value={fingerprint} />}
          </dl>
          <div class="agent-actions">
            <button type="button" class="button button-secondary" onClick={() => act('copy_settings')}>
              {t('Copy Settings Entry')}
            </button>
            <button type="button" class="button button-secondary" onClick={() => act('new_answer')}>
              {t('New Token to Answer')}
            </button>
            <button type="button" class="button button-secondary" onClick={() => act('new_read')}>
              {t('New Token to Read')}
            </button>
            <button type="button" class="button button-secondary" onClick={() => act('stop_sharing')}>
              {t('Stop Sharing')}
            </button>
          </div>
          <p class="dim">
            {t(
              'Another VS Code attaches in three steps: add the settings entry to acpHost.agents there, run "ACP: Browse Agent History…", and select the session. It asks for the token.',
            )}
          </p>
          {invitation && !isLost && <Invitation key={invitation.token} invitation={invitation} act={act} />}
          <Rows
            title={t('Attached Clients')}
            none={t('No client is attached.')}
            rows={clients}
            label={t('Disconnect')}
            onAct={(key) => act('disconnect', key)}
          />
          <Rows
            title={t('Sessions')}
            none={t('No session is shared.')}
            rows={sessions}
            label={t('Stop Sharing')}
            onAct={(key) => act('stop_session', key)}
            onOpen={(key) => act('show_session', key)}
          />
          <Rows
            title={t('Tokens')}
            none={t('No token is valid.')}
            rows={accesses}
            label={t('Revoke')}
            onAct={(key) => act('revoke', key)}
          />
        </>
      )}
    </main>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div class="agent-fact">
      <dt>{label}</dt>
      <dd class="share-text">{value}</dd>
    </div>
  );
}

function Invitation({ invitation: { about, token, link, code }, act }: { invitation: ShownInvitation; act: Act }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A new token is the result of the button that the user has just pressed.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="agent-section share-token" aria-label={t('Token')}>
      <h2 ref={heading} tabIndex={-1}>
        {t('Token')}
      </h2>
      <p>{about}</p>
      <div class="share-invitation">
        {code && <Code rows={code} />}
        <dl class="agent-facts">
          <Fact label={t('Token')} value={token} />
          <Fact label={code ? t('Link in the QR code') : t('Link')} value={link} />
        </dl>
      </div>
      <div class="agent-actions">
        <button type="button" class="button" onClick={() => act('copy_token')}>
          {t('Copy Token')}
        </button>
        <button type="button" class="button button-secondary" onClick={() => act('copy_link')}>
          {t('Copy Link')}
        </button>
        <button type="button" class="button button-secondary" onClick={() => act('hide_token')}>
          {t('Hide Token')}
        </button>
      </div>
    </section>
  );
}

/** Light modules around the code, which cameras need. */
const QUIET = 4;

/** Dark on light in every theme, because cameras read no other. */
function Code({ rows }: { rows: readonly string[] }) {
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) => [...row].map((module, x) => (module === '1' ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ''))).join('');
  return (
    <svg
      class="share-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('QR code of the link. The link is beside it as text.')}
    >
      <rect width={size} height={size} class="share-code-light" />
      <path d={path} class="share-code-dark" />
    </svg>
  );
}

interface RowsProps {
  readonly title: string;
  readonly none: string;
  readonly rows: readonly ShareRow[];
  readonly label: string;
  onAct(key: string): void;
  onOpen?: (key: string) => void;
}

function Rows({ title, none, rows, label, onAct, onOpen }: RowsProps) {
  return (
    <section class="agent-section" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="dim">{none}</p>
      ) : (
        <ul class="share-rows">
          {rows.map(({ key, name, about }) => (
            <li key={key} class="share-row">
              <div>
                {onOpen ? (
                  <button type="button" class="agent-link" dir="auto" onClick={() => onOpen(key)}>
                    {name}
                  </button>
                ) : (
                  <span dir="auto">{name}</span>
                )}
                <div class="dim">{about}</div>
              </div>
              <button
                type="button"
                class="button button-secondary"
                aria-label={t('{action}: {name}', { action: label, name })}
                onClick={() => onAct(key)}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * The sign-in at the agent: its reason, its methods and its progress. The card is above the composer, because the user must act first when something
 * waits for it.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AuthMethod } from '../../src/core/model/content';
import type { Failure } from '../../src/core/model/failure';
import { showsSignIn } from '../../src/core/model/select';
import { signInWaitsText, signInWantedText } from '../../src/text/messages/signIns';
import { useSelect, useView } from '../state/context';
import { failureText } from '../failures/failures';
import { KeyIcon, Spinner, WarningIcon } from '../base/icons';
import { t } from '../base/l10n';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { methodHow, methodName, MAX_METHODS } from './strings';

const TITLE = 'sign-in-title';

export function SignInCard() {
  const shown = useSelect((state, mirror) => mirror.loaded && showsSignIn(state));
  const signIn = useSelect((state) => state.signIn);
  const agentName = useSelect((state) => state.agentName);
  const { composer } = useView();
  const card = useRef<HTMLDivElement>(null);
  const running = signIn?.status === 'running';
  // The pressed button is removed, and the focus must not be lost with it. The focus is read before the change reaches the document.
  const had = useRef(false);
  had.current = card.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!had.current || card.current?.contains(document.activeElement)) {
      return;
    }
    (card.current?.querySelector('button') ?? composer).focus();
  }, [signIn, shown]);
  if (!shown || !signIn) {
    return null;
  }
  const agent = oneLine(agentName, 80);
  return (
    <div class="banner sign-in" role="group" aria-labelledby={TITLE} tabIndex={-1} data-sign-in ref={card}>
      <div class="sign-in-head">
        {running ? <Spinner /> : signIn.status === 'failed' ? <WarningIcon /> : <KeyIcon />}
        <div class="sign-in-words">
          <div class="sign-in-title" id={TITLE}>
            {t('Sign in to {agent}', { agent })}
          </div>
          {running ? (
            <Running methodId={signIn.methodId} />
          ) : (
            <Why failure={signIn.failure} failed={signIn.status === 'failed'} agent={agent} />
          )}
        </div>
      </div>
      {running ? <Cancel /> : <Methods />}
    </div>
  );
}

function Why({ failure, failed, agent }: { failure: Failure | undefined; failed: boolean; agent: string }) {
  const waits = useSelect((state) => state.turn !== undefined);
  const text = failed && failure ? failureText(failure) : signInWantedText(agent, t);
  return (
    <>
      <div>{escapeMisleading(text)}</div>
      {failure?.detail !== undefined && failure.detail.trim() !== '' && (
        <div class="sign-in-detail" dir="auto" tabIndex={0} role="group" aria-label={t('Details')}>
          {escapeMisleading(failure.detail)}
        </div>
      )}
      {waits && <div class="dim">{t('Your message will be sent afterwards.')}</div>}
    </>
  );
}

function Running({ methodId }: { methodId: string | undefined }) {
  const method = useSelect((state) => state.authMethods.find((each) => each.methodId === methodId));
  return (
    <>
      <div>{signInWaitsText(t)}</div>
      <div class="dim">{method && whereText(method)}</div>
    </>
  );
}

/** The text about where the sign-in continues. */
function whereText(method: AuthMethod): string {
  const name = methodName(method);
  if (method.type === 'terminal') {
    return t('{method}: continue in the terminal.', { method: name });
  }
  if (method.type === 'env_var' || method.asks) {
    return t('{method}: enter the value at the top of the window.', { method: name });
  }
  return t('{method}: the agent may open a web page, or ask here.', { method: name });
}

function Cancel() {
  const { post } = useView();
  return (
    <div class="options">
      <button type="button" class="button button-secondary" onClick={() => post({ type: 'sign_in' })}>
        {t('Cancel')}
      </button>
      <button
        type="button"
        class="button button-secondary"
        title={t('For a page that failed to load after the sign-in')}
        onClick={() => post({ type: 'action', action: 'finish_sign_in' })}
      >
        {t('Paste Address…')}
      </button>
    </div>
  );
}

function Methods() {
  const { post } = useView();
  const methods = useSelect((state) => state.authMethods);
  const [all, setAll] = useState(false);
  const shown = all ? methods : methods.slice(0, MAX_METHODS);
  return (
    <div class="sign-in-methods">
      {shown.map((method, index) => (
        <Method key={method.methodId} method={method} index={index} />
      ))}
      <div class="sign-in-rest">
        {shown.length < methods.length && (
          <button type="button" class="text-button" onClick={() => setAll(true)}>
            {t('Show all {count}', { count: methods.length })}
          </button>
        )}
        <button type="button" class="text-button" onClick={() => post({ type: 'sign_in' })}>
          {t('Not Now')}
        </button>
      </div>
    </div>
  );
}

function Method({ method, index }: { method: AuthMethod; index: number }) {
  const { post } = useView();
  const { methodId, description, link } = method;
  const how = methodHow(method);
  const about = `sign-in-about-${index}`;
  const described = (description !== undefined && description.trim() !== '') || how !== '';
  return (
    <div class="sign-in-method">
      <button
        type="button"
        class={index === 0 ? 'button' : 'button button-secondary'}
        aria-describedby={described ? about : undefined}
        onClick={() => post({ type: 'sign_in', methodId })}
      >
        {methodName(method)}
      </button>
      <div class="sign-in-about" id={about}>
        {description !== undefined && description.trim() !== '' && <span dir="auto">{oneLine(description, 600)}</span>}
        {how && <span class="dim">{how}</span>}
      </div>
      {link !== undefined && (
        <button type="button" class="text-button" title={escapeMisleading(link)} onClick={() => post({ type: 'open_link', href: link })}>
          {t('Get a value')}
        </button>
      )}
    </div>
  );
}

/** Whose session this is, and how it is doing when that needs saying. */
import type { Failure } from '../../src/core/failure';
import { showsSignIn, titleOf } from '../../src/core/select';
import { useNow, useSelect } from '../context';
import { failureWords, lostActions, START_ACTIONS } from '../failures';
import { Spinner } from '../icons';
import { t } from '../l10n';
import { oneLine, visible } from '../markdown/bidi';
import { SignInCard } from '../signIn/card';
import { Actions, FailureBox } from '../transcript/failureBox';
import { baseName, elapsed } from '../words';
import { AgentMenu } from './agentMenu';

export function Header() {
  const title = useSelect(titleOf);
  const agentName = useSelect((state) => state.agentName);
  const cwd = useSelect((state) => state.cwd);
  const facts = useSelect((_, mirror) => mirror.facts);
  const folder = facts.folderName || baseName(cwd);
  return (
    <header class="header">
      <AgentMenu />
      {/* Until it has a title of its own, the menu says it already. */}
      <h1 class={title === agentName ? 'sr-only' : 'header-title'} dir="auto">
        {oneLine(title, 200)}
      </h1>
      <span class="header-facts">
        {folder && <span title={visible(cwd)}>{oneLine(folder, 60)}</span>}
      </span>
    </header>
  );
}

/** ms of starting after which one wants to know what takes so long */
const PATIENCE = 3000;

/** What stands above the composer: signing in, and the state of the session when it is not simply ready. */
export function Banner() {
  return (
    <>
      <SessionBanner />
      <SignInCard />
    </>
  );
}

function SessionBanner() {
  const signingIn = useSelect(showsSignIn);
  const status = useSelect((state) => state.status);
  const failure = useSelect((state) => state.failure);
  const command = useSelect((state) => state.start?.command);
  const loaded = useSelect((_, mirror) => mirror.loaded);
  if (!loaded) return null;
  switch (status) {
    case 'starting':
      // Nothing happens before the user has signed in.
      return signingIn ? null : <Starting />;
    case 'failed':
      return (
        <div class="banner" role="group" aria-label={t('The agent could not be started')}>
          {failure ? (
            <FailureBox failure={failure} heading={t('The agent could not be started')} actions={START_ACTIONS} command={command} />
          ) : (
            <Actions actions={START_ACTIONS} />
          )}
        </div>
      );
    case 'disconnected':
      return (
        <div class="banner" role="group" aria-label={t('Disconnected')}>
          {failure ? (
            <FailureBox failure={failure} heading={lostHeading(failure)} actions={lostActions(failure)} />
          ) : (
            <Actions actions={lostActions(undefined)} />
          )}
        </div>
      );
    case 'ended':
      return (
        <div class="banner banner-quiet" role="group" aria-label={t('Session ended')}>
          <span>{failure ? failureWords(failure) : t('This session has ended.')}</span>
          <Actions actions={['continue_in_new']} />
        </div>
      );
    default:
      return null;
  }
}

function lostHeading({ code }: Failure): string {
  return code === 'session.interrupted' || code === 'session.replayed' ? t('This conversation can be read, not continued here') : t('Disconnected from the agent');
}

function Starting() {
  const start = useSelect((state) => state.start);
  const agentName = useSelect((state) => state.agentName);
  const now = useNow(true);
  const took = start ? now - start.at : 0;
  return (
    <div class="banner banner-quiet starting">
      <div class="starting-line">
        <Spinner />
        <span>{t('Starting {agent}…', { agent: oneLine(agentName, 80) })}</span>
        {took >= PATIENCE && <span class="dim">{elapsed(took)}</span>}
      </div>
      {start && took >= PATIENCE && (
        <>
          <pre class="starting-command" tabIndex={0} dir="ltr">
            {visible(start.command)}
          </pre>
          {start.line !== undefined && <div class="starting-output">{oneLine(start.line)}</div>}
          <Actions actions={['cancel_start', 'show_log']} />
        </>
      )}
    </div>
  );
}

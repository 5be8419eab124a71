/** The header with the agent and the session's title, and the banner for the session's state. */
import { modeOf } from '../../src/core/modes/permissionMode';
import { isPaused, showsSignIn } from '../../src/core/model/select';
import { canResumeQueue } from '../../src/core/queue/rules';
import { failedTurn, limitedTurn } from '../../src/core/queue/retry';
import { useNow, useSelect, useView } from '../state/context';
import { actionLabel, isNotOpened, type Disconnection, disconnectedActions, startActions } from '../failures/failureActions';
import { failureText } from '../failures/failures';
import { FolderIcon, ShieldIcon, Spinner } from '../base/icons';
import { t } from '../base/l10n';
import { useLazy } from '../base/lazy';
import { modeLabel } from '../../src/text/messages/permissionModeNames';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { signInChunk } from '../signIn/lazySignIn';
import { titleChunk, titleNow } from '../state/title';
import { Actions, FailureBox } from '../failures/failureBox';
import { baseName, elapsed } from '../base/strings';
import { AgentMenu } from './agentMenu';
import { reconnectingChunk } from './lazyReconnecting';
import { SandboxFact } from './sandboxMode';
import { SharingFact } from './sharingFact';
import { SessionActions } from './sessionActions';

export function Header() {
  const title = useTitle();
  const agentName = useSelect((state) => state.agentName);
  const cwd = useSelect((state) => state.cwd);
  const facts = useSelect((_, mirror) => mirror.facts);
  const folder = facts.folderName || baseName(cwd);
  return (
    <header class="header">
      <AgentMenu />
      {/* A session without a title has the agent's name, which the menu already shows. */}
      <h1 class={title === agentName ? 'sr-only' : 'header-title'} dir="auto">
        {oneLine(title, 200)}
      </h1>
      <span class="header-facts">
        {folder && (
          <span class="header-folder" title={t('Folder: {path}', { path: escapeMisleading(cwd) })}>
            <FolderIcon />
            <span class="sr-only">{t('Folder: {path}', { path: escapeMisleading(cwd) })}</span>
            <span aria-hidden="true">{oneLine(folder, 60)}</span>
          </span>
        )}
        {facts.host !== undefined && <span>{t('On {host}', { host: oneLine(facts.host, 60) })}</span>}
        <FurtherFolders />
        <SandboxFact />
      </span>
      <AllowsEverything />
      <SharingFact />
      <SessionActions />
    </header>
  );
}

/** The progress of a broken connection. It takes the place of the banner. */
export function ReconnectLine() {
  const reconnect = useSelect((state) => state.reconnect);
  const chunk = useLazy(reconnectingChunk, reconnect !== undefined);
  return chunk && reconnect ? <chunk.Reconnecting reconnect={reconnect} /> : null;
}

/** The warning that no request waits for the user. It is always visible, and its button ends that. */
function AllowsEverything() {
  const { post } = useView();
  const isAllowed = useSelect((state) => modeOf(state) === 'allowEverything');
  if (!isAllowed) {
    return null;
  }
  const about = t("The agent's requests are allowed without asking you. Select to ask again.");
  return (
    <button type="button" class="header-mode" title={about} onClick={() => post({ type: 'set_permission_mode', mode: 'ask' })}>
      <ShieldIcon />
      <span class="header-mode-word">{modeLabel('allowEverything', t)}</span>
      <span class="sr-only">{about}</span>
    </button>
  );
}

function useTitle(): string {
  // The title changes once the module is loaded.
  useLazy(titleChunk);
  const name = useSelect((state) => state.name);
  const title = useSelect((state) => state.title);
  const firstPrompt = useSelect((state) => state.firstPrompt);
  const agentName = useSelect((state) => state.agentName);
  return titleNow({ name, title, firstPrompt, agentName });
}

/** The number of additional folders that the agent may use, with their names as a tooltip. */
function FurtherFolders() {
  const folders = useSelect((state) => state.additionalDirectories);
  if (folders.length === 0) {
    return null;
  }
  return (
    <span title={folders.map((folder) => escapeMisleading(folder)).join('\n')}>
      {folders.length === 1 ? t('1 more folder') : t('{count} more folders', { count: folders.length })}
      <span class="sr-only">{`: ${folders.map((folder) => oneLine(baseName(folder), 60)).join(', ')}`}</span>
    </span>
  );
}

/** ms of starting after which the user may want to know the reason for the delay */
const TIMEOUT_MS = 3000;

/** The area above the composer: the sign-in, and the session's state unless it is ready. */
export function Banner() {
  return (
    <>
      <SessionBanner />
      <LazySignIn />
    </>
  );
}

function LazySignIn() {
  const signingIn = useSelect(showsSignIn);
  const chunk = useLazy(signInChunk, signingIn);
  // The card is rendered even when there is no sign-in, because it moves the focus when it disappears.
  return chunk ? <chunk.SignInCard /> : null;
}

function SessionBanner() {
  const { post } = useView();
  const signingIn = useSelect(showsSignIn);
  const status = useSelect((state) => state.status);
  const failure = useSelect((state) => state.failure);
  const command = useSelect((state) => state.start?.command || undefined);
  const sessionId = useSelect((state) => state.sessionId);
  const capabilities = useSelect((state) => state.capabilities);
  const isAlone = useSelect((state) => state.entries.length === 0);
  const bannerClass = `banner banner-failure ${isAlone ? 'banner-alone' : ''}`;
  const lost: Disconnection = { status, failure, sessionId, capabilities };
  // The queue's button resumes the session as well, so this one is left out.
  const queueResumes = useSelect(canResumeQueue);
  // Retry and Continue restart the agent as well, and are then the primary button.
  const hasRetry = useSelect((state) => (failedTurn(state) ?? limitedTurn(state)) !== undefined);
  const actions = () => disconnectedActions(lost).filter((action) => !(queueResumes && action === 'resume'));
  const loaded = useSelect((_, mirror) => mirror.loaded);
  const isReconnecting = useSelect((state) => state.reconnect !== undefined);
  if (!loaded || isReconnecting) {
    return null;
  }
  const isCanceled = failure?.code === 'agent.start_cancelled';
  // The user has chosen these ends, or every log has them.
  const isMeant = status === 'disconnected' && (failure?.code === 'agent.stopped' || failure?.code === 'session.replayed');
  if (status === 'ended' || (status === 'failed' && isCanceled) || isMeant) {
    const text = failureText(failure ?? { code: 'session.ended' });
    return (
      <div class="banner banner-quiet" role="group" aria-label={text}>
        <span>{text}</span>
        <Actions actions={isCanceled ? ['retry'] : actions()} quiet={hasRetry} />
      </div>
    );
  }
  switch (status) {
    case 'starting':
      // The session starts only after the sign-in.
      return signingIn ? null : <Starting />;
    case 'failed': {
      const heading = startHeading(lost);
      return (
        <div class={`${bannerClass} banner-start`} role="group" aria-label={heading}>
          {failure ? (
            <FailureBox failure={failure} name="banner" heading={heading} actions={startActions(lost)} command={command} />
          ) : (
            <Actions actions={startActions(lost)} />
          )}
        </div>
      );
    }
    case 'disconnected':
      if (isPaused(lost)) {
        return queueResumes ? null : (
          <div class="resume-line" role="group" aria-label={t('Disconnected')}>
            <span class="resume-state">{t('Disconnected')}</span>
            <span class="resume-hint" id="resume-hint">
              {t('Send a message to resume this session.')}
            </span>
            {actions().map((action) => (
              <button key={action} type="button" class="text-button" onClick={() => post({ type: 'action', action })}>
                {actionLabel(action)}
              </button>
            ))}
          </div>
        );
      }
      return (
        <div class={bannerClass} role="group" aria-label={t('Disconnected')}>
          {failure ? (
            <FailureBox failure={failure} name="banner" heading={lostHeading(lost)} actions={actions()} quiet={hasRetry} />
          ) : (
            <Actions actions={actions()} quiet={hasRetry} />
          )}
        </div>
      );
    default:
      return null;
  }
}

function startHeading(state: Disconnection): string {
  if (state.failure?.code === 'auth.required') {
    return t('Not signed in');
  }
  if (state.failure?.code === 'session.only_shared') {
    return t("Couldn't start a new session");
  }
  return isNotOpened(state) ? t("Couldn't open the earlier session") : t("Couldn't start the agent");
}

function lostHeading(state: Disconnection): string {
  switch (state.failure?.code) {
    case 'session.interrupted':
    case 'session.agent_removed':
    case 'session.replayed':
    case 'session.live_elsewhere':
    case 'session.restricted_mode':
    case 'session.newer_version':
      return t('This conversation is read-only');
    default:
      return t('Agent disconnected');
  }
}

function loading(updates: number): string {
  return updates === 1
    ? t('Loading the conversation… 1 update so far')
    : t('Loading the conversation… {count} updates so far', { count: updates });
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
        <span>{start?.updates === undefined ? t('Starting {agent}…', { agent: oneLine(agentName, 80) }) : loading(start.updates)}</span>
        {took >= TIMEOUT_MS && <span class="dim">{elapsed(took)}</span>}
      </div>
      {start && took >= TIMEOUT_MS && (
        <>
          {start.command !== '' && (
            <pre class="starting-command" tabIndex={0} dir="ltr">
              {escapeMisleading(start.command)}
            </pre>
          )}
          {start.line !== undefined && (
            <div class="starting-output" tabIndex={0} dir="ltr">
              {escapeMisleading(start.line)}
            </div>
          )}
          <Actions actions={['cancel_start', 'show_log']} />
        </>
      )}
    </div>
  );
}

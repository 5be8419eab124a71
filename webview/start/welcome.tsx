/** A page without a session: describes the product and offers ways to begin. */
import type { ChatLocation, FromView, ViewAction } from '../../src/core/protocol/view';
import { AgentIcon } from '../base/icons';
import { t } from '../base/l10n';
import { LocationChoice } from './locationChoice';

export interface WelcomeProps {
  readonly location: ChatLocation;
  post(message: FromView): void;
}

export function Welcome({ location, post }: WelcomeProps) {
  const act = (action: ViewAction) => () => post({ type: 'action', action });
  return (
    <section class="start" aria-label={t('Get started')}>
      <div class="start-column">
        <div class="start-agent">
          <AgentIcon />
          <h2>{t('Chat with coding agents')}</h2>
          <p class="dim">{t('Claude Code, Codex, Gemini CLI, and any other agent that speaks the Agent Client Protocol.')}</p>
        </div>
        <div class="welcome-actions">
          <button type="button" class="button" onClick={act('new_session')}>
            {t('New Session')}
          </button>
          <button type="button" class="button button-secondary" onClick={act('session_history')}>
            {t('Open Session…')}
          </button>
          <button type="button" class="button button-secondary" onClick={act('try_demo')}>
            {t('Try the Demo Agent')}
          </button>
          <p class="dim">{t('Works offline and without an account.')}</p>
          <button type="button" class="text-button" onClick={act('add_agent')}>
            {t('Add Agent…')}
          </button>
        </div>
        <LocationChoice location={location} choose={(chosen) => post({ type: 'set_chat_location', location: chosen })} />
      </div>
    </section>
  );
}

/** Switches to the agent's next mode by a keybinding. The page announces the new mode. */
import { nextMode } from '../../core/preferences/agentPreferences';
import type { Session } from '../../session/session';
import type { AgentPreferencesStore } from '../preferences/agentPreferences';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

export function cycleMode(session: Session | undefined, preferences: AgentPreferencesStore): void {
  const next = session?.store.state.status === 'ready' ? nextMode(session.store.state.config) : undefined;
  if (session && next) {
    preferences.chose(session.agentId, next.configId, next.value);
    session.setConfig(next.configId, next.value);
  } else if (session) {
    void window.showInformationMessage(t('This agent has no other mode.'));
  }
}

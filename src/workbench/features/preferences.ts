import type { preferences } from '../../core/protocol/channels/preferences';
import type { AgentPreferencesStore } from '../preferences/agentPreferences';
import { feature } from '../routing/feature';

interface PreferencesServices {
  readonly preferences: Pick<AgentPreferencesStore, 'chose' | 'mark'>;
}

export default feature<typeof preferences, PreferencesServices>(({ preferences }) => ({
  set_config: ({ configId, value }, { session }) => {
    preferences.chose(session.agentId, configId, value);
    session.setConfig(configId, value);
  },
  mark_favorite: ({ configId, value, isFavorite }, { session }) => preferences.mark(session.agentId, configId, value, isFavorite),
}));

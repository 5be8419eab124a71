import type { chatLocation } from '../../core/protocol/channels/chatLocation';
import type { SessionPanels } from '../chat/panels';
import { feature } from '../routing/feature';

interface ChatLocationServices {
  readonly panels: Pick<SessionPanels, 'open'>;
}

export default feature<typeof chatLocation, ChatLocationServices>(({ panels }) => ({
  set_chat_location: async ({ location }, { session }) => {
    const { setChatLocation } = await import('../chat/selectChatLocation');
    await setChatLocation(location);
    if (session) {
      panels.open(session, 'composer', { where: location });
    }
  },
}));

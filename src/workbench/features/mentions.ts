import type { mentions } from '../../core/protocol/channels/mentions';
import type { Mentions } from '../mentions/mentions';
import { feature } from '../routing/feature';

interface MentionsServices {
  mentions(): Promise<Mentions>;
}

export default feature<typeof mentions, MentionsServices>((services) => ({
  find_mentions: async ({ queryId, text }, { session, post }) => (await services.mentions()).find(session, queryId, text, post),
  pick_mention: async ({ pick }, { post }) => {
    const mention = (await services.mentions()).picked(pick);
    if (mention) {
      post({ type: 'attach', blocks: [mention] });
    }
  },
  open_mention: async ({ mention }, { session }) => (await services.mentions()).open(session, mention),
  stop_context: async ({ context }) => (await import('../mentions/liveContext')).setContext(context, false),
}));

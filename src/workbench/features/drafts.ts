import { drafts } from '../../core/protocol/channels/drafts';
import type { Drafts } from '../../session/journal/drafts';
import { feature } from './feature';

interface DraftsServices {
  readonly drafts: Pick<Drafts, 'set'>;
}

export const draftsFeature = feature(drafts, ({ drafts }: DraftsServices) => ({
  draft: (draft, { session }) => drafts.set(session.key, draft),
}));

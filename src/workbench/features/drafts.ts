import type { drafts } from '../../core/protocol/channels/drafts';
import type { Drafts } from '../../session/journal/drafts';
import { feature } from '../routing/feature';

interface DraftsServices {
  readonly drafts: Pick<Drafts, 'set'>;
}

export default feature<typeof drafts, DraftsServices>(({ drafts }) => ({
  draft: (draft, { session }) => drafts.set(session.key, draft),
}));

import type { actions } from '../../core/protocol/channels/actions';
import type { ViewAction } from '../../core/protocol/view';
import type { Session } from '../../session/session';
import { isRestricted } from '../trust/restrictedMode';
import { feature } from '../routing/feature';

interface ActionsServices {
  commandActions(): Promise<{ view(action: ViewAction, session?: Session): Promise<void> }>;
}

export default feature<typeof actions, ActionsServices>(({ commandActions }) => ({
  action: async ({ action }, { session }) => {
    // A read-only session handles no actions itself.
    if (!session || isRestricted() || !session.act(action)) {
      await (await commandActions()).view(action, session);
    }
  },
}));

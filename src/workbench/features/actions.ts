import type { actions } from '../../core/protocol/channels/actions';
import type { LazyActions } from '../commandActions';
import { isRestricted } from '../trust/restrictedMode';
import { feature } from './feature';

interface ActionsServices {
  commandActions(): Promise<Pick<LazyActions, 'view'>>;
}

export const actionsFeature = feature<typeof actions, ActionsServices>(({ commandActions }) => ({
  action: async ({ action }, { session }) => {
    // A read-only session handles no actions itself.
    if (!session || isRestricted() || !session.act(action)) {
      await (await commandActions()).view(action, session);
    }
  },
}));

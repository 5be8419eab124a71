import type { Clock } from '../../core/platform/clock';
import type { find } from '../../core/protocol/channels/find';
import type { Finder } from '../../session/view/finder';
import { feature } from '../routing/feature';

interface FindServices {
  readonly clock: Clock;
}

export default feature<typeof find, FindServices>(({ clock }) => {
  const finders = new WeakMap<object, Finder>();
  return {
    find: async ({ findId, ...query }, { session, showing }) => {
      const { Finder } = await import('../../session/view/finder');
      if (showing.disposed) {
        return;
      }
      let finder = finders.get(showing);
      if (!finder) {
        const created = showing.add(new Finder(session.store, clock, (id, found) => showing.send({ type: 'found', findId: id, ...found })));
        showing.onHide(() => created.stop());
        finders.set(showing, (finder = created));
      }
      finder.find(findId, query);
    },
  };
});

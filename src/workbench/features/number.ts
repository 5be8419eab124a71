import type { Clock } from '../../core/platform/clock';
import type { number } from '../../core/protocol/channels/number';
import { feature } from '../routing/feature';

interface NumberServices {
  readonly clock: Pick<Clock, 'now'>;
}

export default feature<typeof number, NumberServices>(({ clock }) => ({
  draw_number: (_, { showing }) => showing.send({ type: 'number', value: clock.now() % 100 }),
}));

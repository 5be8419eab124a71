import type { number } from '../../core/protocol/channels/number';
import { feature } from './feature';

export const numberFeature = feature<typeof number>(() => ({
  draw_number: (_, { showing }) => showing.send({ type: 'number', value: Math.floor(Math.random() * 100) }),
}));

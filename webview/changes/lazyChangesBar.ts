/** The lists of changes above the composer, which the first paint does not need. */
import { LazySlot } from '../base/lazy';

export const changesChunk = new LazySlot<
  Pick<typeof import('./changesBar'), 'ChangesBar'> & Pick<typeof import('./runningBar'), 'RunningBar'>
>();

/** The list of changes that wait for review, which the first paint does not need. */
import { LazySlot } from '../base/lazy';

export const changesChunk = new LazySlot<Pick<typeof import('./changesBar'), 'ChangesBar'>>();

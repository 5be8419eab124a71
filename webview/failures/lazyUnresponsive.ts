/** The banner of an agent that does not respond, which the first paint does not need. */
import { LazySlot } from '../base/lazy';

export const unresponsiveChunk = new LazySlot<Pick<typeof import('./unresponsive'), 'Unresponsive'>>();

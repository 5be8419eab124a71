import { LazySlot } from '../base/lazy';

/** Needed only after the connection to a remote agent broke. */
export const reconnectingChunk = new LazySlot<Pick<typeof import('./reconnecting'), 'Reconnecting'>>();

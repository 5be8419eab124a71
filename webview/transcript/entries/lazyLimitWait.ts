import { LazySlot } from '../../base/lazy';

/** Needed only after a turn that has failed. */
export const limitWaitChunk = new LazySlot<Pick<typeof import('./limitWait'), 'LimitWait'>>();

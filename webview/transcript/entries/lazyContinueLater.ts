import { LazySlot } from '../../base/lazy';

/** Needed only after a turn that has failed. */
export const continueLaterChunk = new LazySlot<Pick<typeof import('./continueLater'), 'ContinueLater'>>();

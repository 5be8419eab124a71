/** The menu of the user's own message, which the first paint does not need. */

import { LazySlot } from '../../base/lazy';

export const messageMenuChunk = new LazySlot<Pick<typeof import('./messageMenu'), 'MessageMenu'>>();

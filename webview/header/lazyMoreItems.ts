/** The items of the session's menu, which the first paint does not need. */

import { LazySlot } from '../base/lazy';

export const moreItemsChunk = new LazySlot<Pick<typeof import('./moreItems'), 'moreItems'>>();
